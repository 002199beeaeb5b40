internal import SonaEventLoop

/// The live plane of one event loop: the only door for tasks that come from elsewhere.
///
/// Inside is `ShardCore`, plain classes that the loop's callbacks reach directly. An actor and not a lock, so that the
/// compiler sees what crosses; its executor is the loop's thread.
actor Shard {
    nonisolated let loop: EventLoop
    private var core: ShardCore?

    init(loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(_ services: ShardServices) {
        let core = ShardCore(loop: loop, shard: self, services: services)
        self.core = core
        loop.serve(core)
    }

    /// Runs `body` on the loop.
    func perform<Result: Sendable>(_ body: @Sendable (ShardCore) -> Result) -> Result {
        guard let core else { preconditionFailure("The shard has not been started.") }
        return body(core)
    }
}
