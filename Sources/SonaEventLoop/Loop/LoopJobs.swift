/// Something a loop is asked to run.
enum LoopJob {
    case executor(UnownedJob)
    case closure(@Sendable () -> Void)
}

/// Jobs that have been taken and are still to be run, first in, first out.
struct LoopJobQueue {
    private var jobs: [LoopJob] = []
    private var head = 0

    var isEmpty: Bool { head == jobs.count }

    /// Takes over what `more` holds.
    mutating func append(_ more: inout [LoopJob]) {
        if isEmpty {
            swap(&jobs, &more)
        } else {
            jobs.append(contentsOf: more)
            more.removeAll(keepingCapacity: true)
        }
    }

    mutating func popFirst() -> LoopJob? {
        guard head < jobs.count else { return nil }
        let job = jobs[head]
        head += 1
        if head == jobs.count {
            // The objects a job holds must not outlive it for long.
            jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
            head = 0
        } else if head >= 1024, head * 2 >= jobs.count {
            jobs.removeFirst(head)
            head = 0
        }
        return job
    }
}
