internal import Glibc
internal import SonaBase
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaWire

/// The server's counters at one moment, from which figures of an interval are made.
struct FigureReading: Sendable {
    var wallMilliseconds: Int64
    var monotonicMicroseconds: Int64
    var rooms = 0
    var listeners = 0
    var connections = 0
    var jobs = 0
    /// Bytes of memory that the process holds.
    var residentBytes: Int64 = 0
    /// Time that all threads of the process have computed, µs.
    var processorMicroseconds: Int64 = 0
    var deliveries: UInt64 = 0
    var skipped: UInt64 = 0
    var sentBytes: UInt64 = 0
    var requests: UInt64 = 0
    var errors: UInt64 = 0
    /// How late timers rang on all loops, by the classes of `Lateness.bounds`.
    var lateness = [UInt64](repeating: 0, count: Lateness.bounds.count + 1)
    /// How far off listeners say they sound, by the classes of `syncBounds`.
    var syncErrors: [UInt64] = []
    var syncBounds: [Int64] = []

    init(wallMilliseconds: Int64, monotonicMicroseconds: Int64) {
        self.wallMilliseconds = wallMilliseconds
        self.monotonicMicroseconds = monotonicMicroseconds
    }

    init(_ live: LiveReport, _ loops: [LoopReport]) {
        self.init(
            wallMilliseconds: MonotonicClock.wallMilliseconds(),
            monotonicMicroseconds: MonotonicClock.nowMicroseconds())
        (rooms, listeners) = (live.roomsLive, live.listeners)
        jobs = (live.jobs[.queued] ?? 0) + (live.jobs[.running] ?? 0)
        (requests, errors) = (live.figures.requests, live.figures.requestErrors)
        let sync = live.figures.listening.syncErrors
        (syncErrors, syncBounds) = (sync.counts, sync.bounds)
        for report in loops {
            connections += report.sockets
            deliveries &+= report.hub.deliveries
            skipped &+= report.hub.skippedChunks
            sentBytes &+= report.loop.bytesOut
            for (index, count) in report.loop.timerLateness.counts.enumerated() { lateness[index] &+= count }
        }
        residentBytes = Self.residentBytes()
        processorMicroseconds = Self.processorMicroseconds()
    }

    /// Asks every loop, then the live domain.
    static func now(_ shard: Shard) async -> FigureReading {
        let mailboxes = await shard.perform { $0.mailboxes }
        var loops: [LoopReport] = []
        for mailbox in mailboxes { loops.append(await mailbox.ask { LoopReport($0) }) }
        let (live, reports) = (await shard.perform { LiveReport($0) }, loops)
        return FigureReading(live, reports)
    }

    /// The second number of /proc/self/statm counts pages: proc_pid_statm(5). 0 if it can't be read.
    static func residentBytes() -> Int64 {
        guard let line = try? WholeFile.firstLine("/proc/self/statm", bytesMax: 256) else { return 0 }
        let pages = line.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap {
            Int64(String(decoding: $0, as: UTF8.self))
        }
        return (pages ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    static func processorMicroseconds() -> Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
