internal import SonaBase
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Sends what accounts hear to the services they have connected.
///
/// One loop looks for connections that are due, and serves some of them side by side, each with one request at a time.
/// A failure puts a connection off, longer each time; the listens wait in the database.
///
/// Off the event loops.
actor Scrobbler {
    /// What was sent since the server began.
    struct Figures: Sendable, Equatable {
        var sent: UInt64 = 0
        /// Listens that a service would not have.
        var refused: UInt64 = 0
        var failures: UInt64 = 0
        /// Connections and listens that wait, of the last look.
        var connections = 0
        var waiting = 0
    }

    private let store: Scrobbles
    private let live: LiveConfiguration
    private let counted = Monitor(Figures())
    private let waking = WakingLoop()
    private let notices: AsyncStream<Notice>
    private let noter: AsyncStream<Notice>.Continuation

    /// What an account hears just now.
    struct Notice: Sendable, Equatable {
        let uid: UserID
        let music: MusicID?
        let listen: Scrobbles.Listen?
    }
    /// What each account was last said to hear: a device says it every few seconds.
    private let heard = Monitor<[UserID: MusicID]>([:])

    /// Connections that are served side by side.
    private static let sideBySide = 4
    /// The first wait after a failure and the longest, ms.
    private static let waits: (first: Int64, longest: Int64) = (5_000, 3_600_000)
    /// Things that accounts hear just now, and that wait to be told; older ones are dropped.
    private static let noticesMax = 256

    init(_ store: Scrobbles, _ live: LiveConfiguration) {
        self.store = store
        self.live = live
        (notices, noter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.noticesMax))
        store.onWork { [waking] in waking.wake() }
    }

    /// What was sent so far. Any thread.
    nonisolated var figures: Figures { counted.withLock { $0 } }

    // MARK: What is heard now

    /// Notes what an account hears just now. Any thread, loops too; nothing is done for accounts without a service.
    ///
    /// - Parameter music: A track of the library; `nil`: `listen` says what it is.
    nonisolated func hears(_ music: MusicID?, _ listen: Scrobbles.Listen?, _ uid: UserID) {
        guard store.has(uid) else { return }
        noter.yield(Notice(uid: uid, music: music, listen: listen))
    }

    /// The same for somebody who listens alone, and may say so again and again.
    nonisolated func plays(_ music: MusicID, _ uid: UserID) {
        guard store.has(uid) else { return }
        let isNew = heard.withLock { heard in
            if heard.count > 10_000 { heard.removeAll() }
            return heard.updateValue(music, forKey: uid) != music
        }
        if isNew { noter.yield(Notice(uid: uid, music: music, listen: nil)) }
    }

    // MARK: Sending

    /// Sends until the task is cancelled.
    func run() async {
        async let saying: Void = sayWhatIsHeard()
        await waking.run { await self.round() }
        await saying
    }

    private func sayWhatIsHeard() async {
        for await notice in notices {
            guard let found = try? await store.hearing(notice.music, notice.listen, of: notice.uid) else { continue }
            // A failure is ignored: what is heard now is over soon.
            for target in found.targets { _ = await service(target)?.playing(found.listen) }
        }
    }

    /// Serves all connections that are due.
    ///
    /// - Returns: ms until the next look.
    private func round() async -> Int64 {
        while !Task.isCancelled {
            guard let (targets, next) = try? await store.due(limit: Self.sideBySide) else { return 1_000 }
            if targets.isEmpty {
                if let counts = try? await store.counts() {
                    counted.withLock { ($0.connections, $0.waiting) = counts }
                }
                let now = WallClock.system.nowMilliseconds()
                return max(1, (next ?? .max) - now)
            }
            let isStored = await withTaskGroup(of: Bool.self) { group in
                for target in targets { group.addTask { await self.serve(target) } }
                var areAllStored = true
                for await isStored in group where !isStored { areAllStored = false }
                return areAllStored
            }
            // What was sent and could not be noted is not sent again at once.
            if !isStored { return 1_000 }
        }
        return WakingLoop.patience
    }

    /// Sends one batch.
    ///
    /// - Returns: Whether what came of it is stored.
    private func serve(_ target: Scrobbles.Target) async -> Bool {
        do throws(Refusal) {
            guard let service = service(target) else {
                try await store.failed(
                    target.token == nil ? "key_lost" : "unavailable", for: target,
                    wait: target.token == nil ? nil : Self.waits.longest)
                return true
            }
            let batch = try await store.waiting(for: target, limit: service.listensMax)
            _ = try await send(batch, to: target, by: service)
            return true
        } catch {
            return false
        }
    }

    /// - Returns: Whether the service takes more.
    private func send(
        _ batch: [(number: Int64, listen: Scrobbles.Listen)], to target: Scrobbles.Target, by service: Service
    ) async throws(Refusal) -> Bool {
        guard !batch.isEmpty else { return true }
        let numbers = batch.map(\.number)
        switch await service.submit(batch.map(\.listen)) {
        case .taken:
            try await store.sent(numbers, to: target, isTaken: true)
            counted.withLock { $0.sent &+= UInt64(numbers.count) }
        case .invalid where batch.count > 1:
            // One of them is what the service will not have: half by half it is found.
            guard try await send(Array(batch.prefix(batch.count / 2)), to: target, by: service) else { return false }
            return try await send(Array(batch.dropFirst(batch.count / 2)), to: target, by: service)
        case .invalid:
            try await store.sent(numbers, to: target, isTaken: false)
            counted.withLock { $0.refused &+= 1 }
        case .refused:
            try await store.failed("refused", for: target, wait: nil)
            counted.withLock { $0.failures &+= 1 }
            return false
        case .later(let word, let seconds):
            try await store.failed(
                word, for: target, wait: Self.wait(failures: target.failures, seconds: seconds))
            counted.withLock { $0.failures &+= 1 }
            return false
        }
        return true
    }

    /// Twice as long each time, up to an hour, by a fifth more or less, so that not all come back at once; never sooner
    /// than the service says.
    static func wait(
        failures: Int, seconds: Int?, jitter: Double = .random(in: 0.8...1.2)
    ) -> Int64 {
        let wait = min(waits.longest, waits.first << Int64(min(max(failures, 0), 10)))
        return max(Int64(Double(wait) * jitter), Int64(seconds ?? 0) * 1_000)
    }

    // MARK: Services

    /// A service with the token of an account.
    enum Service: Sendable {
        case listenBrainz(ListenBrainz)
        case lastFM(LastFM)

        var listensMax: Int {
            switch self {
            case .listenBrainz: ListenBrainz.listensMax
            case .lastFM: LastFM.listensMax
            }
        }

        func submit(_ listens: [Scrobbles.Listen]) async -> ServiceOutcome {
            switch self {
            case .listenBrainz(let service): await service.submit(listens)
            case .lastFM(let service): await service.submit(listens)
            }
        }

        func playing(_ listen: Scrobbles.Listen) async -> ServiceOutcome {
            switch self {
            case .listenBrainz(let service): await service.playing(listen)
            case .lastFM(let service): await service.playing(listen)
            }
        }
    }

    /// - Returns: `nil` if the token cannot be opened, or the operator does not offer the service any more.
    private nonisolated func service(_ target: Scrobbles.Target) -> Service? {
        guard let token = target.token else { return nil }
        let services = live.configuration.services
        switch ScrobbleService(rawValue: target.service) {
        case .listenbrainz:
            return .listenBrainz(
                ListenBrainz(root: target.address, token: token, mayBePrivate: services.mayBePrivate))
        case .lastfm:
            return services.lastFM.map { .lastFM(LastFM(account: $0, session: token)) }
        case nil:
            return nil
        }
    }
}
