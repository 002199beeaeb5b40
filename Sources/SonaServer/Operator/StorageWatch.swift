internal import Glibc
internal import SonaBase
internal import SonaDatabase
internal import SonaModel

/// Why nothing can be stored. The words are labels of `/metrics`.
enum StorageFault: String, CaseIterable, Sendable {
    case full
    case busy
    case readOnly = "read_only"
    case unopened
    case damaged
    case failed

    init(_ error: DatabaseError) {
        self =
            switch error.kind {
            case .full: .full
            case .busy: .busy
            case .readOnly: .readOnly
            case .cannotOpen: .unopened
            case .corrupt, .notADatabase: .damaged
            default: .failed
            }
    }

    /// The reason in a few words, for a sentence or a list.
    var reason: String {
        switch self {
        case .full: "the disk is full"
        case .busy: "another process holds the database"
        case .readOnly: "the database can't be written"
        case .unopened: "the database can't be opened"
        case .damaged: "the database is damaged"
        case .failed: "the disk failed"
        }
    }
}

/// Whether changes can be stored, as the last write has shown. Any thread.
///
/// Clients learn of a failing disk by `server.storage_failed`, the operator by the log, `/readyz` and the metrics. Nobody
/// may write any more once a load balancer has sent them elsewhere, so the watch itself tries every few seconds.
final class StorageWatch: Sendable {
    private struct State {
        var fault: StorageFault?
        var failures: [StorageFault: UInt64] = [:]
        var freeBytes: UInt64?
    }

    private let state = Monitor(State())
    private static let probeEvery = Duration.seconds(5)
    /// Below this, the operator is warned before the disk is full.
    static let freeBytesMin: UInt64 = 512 << 20

    /// Why nothing can be stored; `nil` if nothing is wrong.
    var fault: StorageFault? { state.withLock { $0.fault } }
    /// Batches of writes that failed.
    var failures: [StorageFault: UInt64] { state.withLock { $0.failures } }
    /// Bytes that are free where the data folder is; `nil` if that is not known.
    var freeBytes: UInt64? { state.withLock { $0.freeBytes } }

    func heard(_ event: DatabaseEvent) {
        switch event {
        case .writeFailed(let error), .writesStopped(let error):
            let fault = StorageFault(error)
            state.withLock { state in
                state.fault = fault
                state.failures[fault, default: 0] &+= 1
            }
        case .writesResumed: state.withLock { $0.fault = nil }
        default: break
        }
    }

    /// Tries to write while writes fail, and looks how much room is left. Returns when the task is cancelled.
    func watch(_ model: Model, folder: String, _ log: ServerLog) async {
        var isLow = false
        while !Task.isCancelled {
            if fault != nil { await model.probeStorage() }
            var disk = statvfs()
            if statvfs(folder, &disk) == 0 {
                let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
                state.withLock { $0.freeBytes = free }
                if free < Self.freeBytesMin, !isLow {
                    log.log(.storageLow, "Only \(free >> 20) MiB are free where the data folder is: \(folder).")
                }
                isLow = free < Self.freeBytesMin
            }
            try? await Task.sleep(for: Self.probeEvery)
        }
    }
}
