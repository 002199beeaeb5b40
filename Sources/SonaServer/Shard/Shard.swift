internal import SonaEventLoop

/// The live domain of a server, on the first of its loops: the only way in for what comes from elsewhere.
///
/// Inside is `ShardCore`, plain classes. An actor and not a lock, so that the compiler sees what crosses; its executor is
/// the loop's thread. What is posted goes without the executor's bookkeeping, half a microsecond each: that it runs on
/// the loop is checked when it does.
///
/// One for the whole server: what sessions and rooms decide costs little beside what delivery costs (a packet of a host
/// about as much as two deliveries), and is simple for being decided in one place. Delivery is spread over all loops
/// (`Hub`).
actor Shard {
    nonisolated let loop: EventLoop
    /// Safe: touched on the loop only, by the actor and by what is posted there.
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

    /// Has `body` run on the loop, after what was posted before. From any thread.
    nonisolated func post(_ body: @escaping @Sendable (ShardCore) -> Void) {
        loop.post { [self] in body(coreHere) }
    }

    /// The same, ahead of all that is not urgent.
    nonisolated func postUrgently(_ body: @escaping @Sendable (ShardCore) -> Void) {
        loop.postUrgently { [self] in body(coreHere) }
    }
}
