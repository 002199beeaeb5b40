internal import SonaBase
internal import SonaModel
internal import SonaTransfer
internal import SonaWire

/// Tells webhooks what has happened, as the events wait in the database.
///
/// One loop looks for webhooks that are due, and serves some of them side by side, each with one event at a time.
///
/// Off the event loops.
actor WebhookSender {
    private let store: WebhookStore
    private let live: LiveConfiguration
    private let waking = WakingLoop()

    /// Webhooks that are served side by side.
    private static let sideBySide = 4
    /// The first wait after a failure and the longest, ms.
    private static let waits: (first: Int64, longest: Int64) = (10_000, 6 * 3_600_000)

    init(_ store: WebhookStore, _ live: LiveConfiguration) {
        self.store = store
        self.live = live
        store.onWork { [waking] in waking.wake() }
    }

    /// Sends until the task is cancelled.
    func run() async { await waking.run { await self.round() } }

    /// - Returns: ms until the next look.
    private func round() async -> Int64 {
        while !Task.isCancelled {
            guard let (tellings, next) = try? await store.due(limit: Self.sideBySide) else { return 1_000 }
            if tellings.isEmpty { return max(1, (next ?? .max) - WallClock.system.nowMilliseconds()) }
            let isStored = await withTaskGroup(of: Bool.self) { group in
                for telling in tellings { group.addTask { await self.serve(telling) } }
                var areAllStored = true
                for await isStored in group where !isStored { areAllStored = false }
                return areAllStored
            }
            if !isStored { return 1_000 }
        }
        return WakingLoop.patience
    }

    private func serve(_ telling: WebhookStore.Telling) async -> Bool {
        let (answer, wait) = await send(telling)
        do throws(Refusal) {
            try await store.note(answer, of: telling, isTaken: Self.isTaken(answer), wait: wait)
            return true
        } catch { return false }
    }

    private static func isTaken(_ answer: WebhookAnswer) -> Bool { (200...299).contains(answer.status ?? 0) }

    /// Tells it something at once.
    ///
    /// - Throws: `busy`, `storage`.
    nonisolated func test(_ telling: WebhookStore.Telling) async throws(Refusal) -> WebhookAnswer {
        let (answer, _) = await send(telling)
        try await store.note(answer, of: telling, isTaken: Self.isTaken(answer))
        return answer
    }

    /// - Returns: What came of it, and after how many ms it is tried again if that is a failure; `nil`: never.
    private nonisolated func send(_ telling: WebhookStore.Telling) async -> (WebhookAnswer, Int64?) {
        let now = WallClock.system.nowMilliseconds()
        var answer = WebhookAnswer(atMilliseconds: now, event: telling.kind)
        guard telling.secret != nil else {
            answer.error = "key_lost"
            return (answer, nil)
        }
        let body = WebhookBody(telling: telling, publicAddress: live.publicAddress)
        let bytes = body.bytes
        let exchange = HTTPExchange(
            "POST", telling.url,
            headers: ["Content-Type: application/json", "User-Agent: \(ServerVersion.agent)"]
                + body.headers(bytes, now: now / 1_000),
            body: bytes, mayBePrivate: live.configuration.services.mayBePrivate)
        var seconds: Int?
        do throws(TransferError) {
            let given = try await exchange.send(within: .seconds(10))
            (answer.status, seconds) = (given.status, given.retryAfterSeconds)
        } catch {
            if case .later(let word, _) = ServiceOutcome(error) { answer.error = word }
        }
        // 410 says that nobody wants it any more.
        if answer.status == 410 { return (answer, nil) }
        let wait = min(Self.waits.longest, Self.waits.first << Int64(min(max(telling.failures, 0), 12)))
        return (answer, max(Int64(Double(wait) * .random(in: 0.8...1.2)), Int64(seconds ?? 0) * 1_000))
    }
}
