internal import SonaEventLoop

/// The live domain of a server, on the first of its loops, and the only way into it from elsewhere.
///
/// Inside is `ShardCore`, plain classes. It is an actor and not a lock, so that the compiler checks what crosses; its
/// executor is the loop's thread. Posted work skips the executor's bookkeeping, half a microsecond each; instead it is
/// checked at run time that it runs on the loop.
///
/// There is one for the whole server. The decisions of sessions and rooms cost little compared with delivery (a host's
/// packet about as much as two deliveries), and are simple because they are made in one place. Delivery is spread over
/// all loops (`Hub`).
actor Shard {
    nonisolated let loop: EventLoop
    /// Safe: used on the loop only, by the actor and by posted work.
    private nonisolated(unsafe) var core: ShardCore?

    init(loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Begins to serve on all loops. The first of `mailboxes` is this loop's.
    func start(_ services: ShardServices, mailboxes: [HubMailbox]) async {
        let core = ShardCore(loop: loop, shard: self, services: services, mailboxes: mailboxes)
        self.core = core
        openHub(mailboxes[0], among: mailboxes, core: core, services)
        for mailbox in mailboxes.dropFirst() {
            await withCheckedContinuation { continuation in
                mailbox.loop.post { [self] in
                    openHub(mailbox, among: mailboxes, core: nil, services)
                    continuation.resume()
                }
            }
        }
    }

    /// On the mailbox's loop.
    private nonisolated func openHub(
        _ mailbox: HubMailbox, among mailboxes: [HubMailbox], core: ShardCore?, _ services: ShardServices
    ) {
        let hub = Hub(mailbox: mailbox, loopCount: mailboxes.count, shard: self, core: core, services: services)
        mailbox.open(hub)
        mailbox.loop.serve(hub)
    }

    /// Runs `body` on the loop.
    func perform<Result: Sendable, Failure: Error>(
        _ body: @Sendable (ShardCore) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(coreHere)
    }

    private nonisolated var coreHere: ShardCore {
        loop.checkIsolated()
        guard let core else { preconditionFailure("The shard has not been started.") }
        return core
    }

    /// Has `body` run on the loop, after all work posted before. From any thread.
    nonisolated func post(_ body: @escaping @Sendable (ShardCore) -> Void) {
        loop.post { [self] in body(coreHere) }
    }

    /// The same, ahead of all work that is not urgent.
    nonisolated func postUrgently(_ body: @escaping @Sendable (ShardCore) -> Void) {
        loop.postUrgently { [self] in body(coreHere) }
    }
}
