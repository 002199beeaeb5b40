internal import SonaBase
internal import SonaWire

/// Tells of changes of jobs, at most ten times a second for each job; the last change is always told.
///
/// Any thread.
final class JobAnnouncer: Sendable {
    fileprivate struct State {
        var handler: (@Sendable (Job) -> Void)?
        var told: [Int64: ContinuousClock.Instant] = [:]
        /// Changes that wait for their time.
        var waiting: [Int64: Job] = [:]
    }

    private let state = Monitor(State())
    private static let interval = Duration.seconds(1) / Limits.jobEventsPerSecondMax

    func setHandler(_ handler: @escaping @Sendable (Job) -> Void) { state.withLock { $0.handler = handler } }

    /// Tells of a job, now or soon. Jobs that nobody asked for are not told.
    func tell(_ job: Job) {
        guard job.owner != nil else { return }
        let now = ContinuousClock.now
        let (handler, due) = state.withLock { state -> ((@Sendable (Job) -> Void)?, ContinuousClock.Instant?) in
            guard let handler = state.handler else { return (nil, nil) }
            if state.waiting[job.id] != nil {
                state.waiting[job.id] = job
                return (nil, nil)
            }
            if let told = state.told[job.id], now - told < Self.interval {
                state.waiting[job.id] = job
                return (nil, told + Self.interval)
            }
            state.note(job.id, at: now)
            return (handler, nil)
        }
        handler?(job)
        guard let due else { return }
        Task { [self] in
            try? await Task.sleep(until: due, clock: .continuous)
            tellWaiting(job.id)
        }
    }

    private func tellWaiting(_ id: Int64) {
        let (handler, job) = state.withLock { state in
            let job = state.waiting.removeValue(forKey: id)
            if job != nil { state.note(id, at: .now) }
            return (state.handler, job)
        }
        if let handler, let job { handler(job) }
    }
}

extension JobAnnouncer.State {
    fileprivate mutating func note(_ id: Int64, at now: ContinuousClock.Instant) {
        if told.count >= 1_000 { told = told.filter { now - $0.value < .seconds(1) } }
        told[id] = now
    }
}
