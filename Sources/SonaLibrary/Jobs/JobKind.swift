internal import SonaBase
internal import SonaDatabase
package import SonaWire

/// One kind of durable work, such as the measuring of tracks.
package protocol JobKind: Sendable {
    /// The word for it.
    var name: String { get }
    /// How many jobs of the kind run at the same time, at most.
    var width: Int { get }

    /// Does the work. On a thread of its own, of low priority, which it may block.
    ///
    /// A job may be begun again at any time: after an error, after another job came first, and after the server was
    /// killed. So each step is the same when it is done twice, and what is done already is skipped.
    /// - Throws: `JobFailure`; `JobStop` where `RunningJob.check` throws it. Any other error is tried again.
    func run(_ job: RunningJob) throws

    /// Called when the end of a job of this kind is stored.
    func ended(_ job: Job, _ payload: JobPayload) async
}

extension JobKind {
    package func ended(_ job: Job, _ payload: JobPayload) async {}
}

/// Why a job failed.
package struct JobFailure: Error, Sendable, Equatable {
    /// For programs: a word of an open list.
    package let word: String
    /// For people: a sentence. No path of the file system is in it.
    package let detail: String?
    /// Whether it may succeed when it is tried again.
    package let mayRetry: Bool

    package init(_ word: String, _ detail: String?, mayRetry: Bool = false) {
        self.word = word
        self.detail = detail
        self.mayRetry = mayRetry
    }

    /// The detail as it is stored: one line that is not too long.
    var line: String? {
        guard let detail else { return nil }
        return TrackDescription.line(detail, bytesMax: Limits.jobDetailBytes.upperBound)
    }
}

/// A job is left before its end, for another reason than an error.
package enum JobStop: Error, Sendable {
    case cancelled
    /// Something that somebody waits for comes first. The job goes back to the queue.
    case yielded
    /// The server ends. The same.
    case closing
}

/// A job that runs, as its kind sees it. Any thread.
package final class RunningJob: Sendable {
    package let id: Int64
    package let track: MusicID?
    package let payload: JobPayload
    let record: JobRecord

    private struct State {
        var stop: JobStop?
        var done: Int64 = 0
        var total: Int64 = 0
    }

    private let state = Monitor(State())
    private let announcer: JobAnnouncer

    init(_ record: JobRecord, _ announcer: JobAnnouncer) {
        id = record.number ?? 0
        track = record.track
        payload = record.payload.value
        self.record = record
        self.announcer = announcer
    }

    /// Why the job is to be left as soon as that is possible.
    package var stop: JobStop? { state.withLock { $0.stop } }

    /// - Throws: `JobStop` if the job is to be left.
    package func check() throws { if let stop { throw stop } }

    /// Says how far the job is.
    package func progress(_ done: Int64, of total: Int64) {
        let isNews = state.withLock { state in
            defer { (state.done, state.total) = (done, total) }
            return state.done != done || state.total != total
        }
        if isNews { announcer.tell(job) }
    }

    /// Asks it to end. A cancelled job stays cancelled.
    func end(_ stop: JobStop) {
        state.withLock { state in
            if case .cancelled = state.stop { return }
            state.stop = stop
        }
    }

    /// The job as people see it.
    var job: Job {
        var job = record.job
        (job.done, job.total) = state.withLock { ($0.done, $0.total) }
        return job
    }
}
