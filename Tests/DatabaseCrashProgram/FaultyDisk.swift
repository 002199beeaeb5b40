import CFaultyDisk

/// The disk of this process: see fault.h.
enum FaultyDisk {
    /// A call that fails, and how.
    struct Fault: Sendable, CustomStringConvertible {
        var call: FaultyDiskCall
        var error = FaultyDiskError.IO
        /// Which of the calls: 1 is the next.
        var nth = 1
        /// Whether all calls after it fail too.
        var isLasting = false

        var description: String {
            "\(call.name) \(nth)\(error == .full ? ", full" : "")\(isLasting ? ", from then on" : "")"
        }

        /// The code that SQLite gets (sqlite.org/rescode.html).
        var code: Int32 {
            if error == .full { return 13 }
            return switch call {
            case .open: 14
            case .read: 266
            case .write: 778
            case .sync: 1_034
            case .truncate: 1_546
            case .fileSize: 1_802
            case .delete: 2_570
            case .access: 3_338
            case .lock: 3_850
            case .sharedMemoryLock: 5_130
            case .sharedMemoryMap: 5_386
            }
        }
    }

    /// To be called once, before a database is opened. Syncs are those of the model only, which is fast.
    static func install() {
        precondition(faulty_disk_install() == 0)
        faulty_disk_sync_for_real(0)
    }

    /// A disk without faults, on which each sync takes so much longer.
    static func installSlow(syncMicroseconds: UInt32) {
        precondition(faulty_disk_install() == 0)
        faulty_disk_delay_syncs(syncMicroseconds)
    }

    static func watch(_ folder: String) { faulty_disk_watch(folder) }

    static func fail(_ fault: Fault) {
        faulty_disk_fail(fault.call, fault.nth, fault.error, fault.isLasting ? 1 : 0)
    }

    static func heal() { faulty_disk_heal() }
    static var fired: Int { faulty_disk_fired() }
    /// Calls of a kind since `fail` or `watch`.
    static func count(_ call: FaultyDiskCall) -> Int { faulty_disk_count(call) }
}

extension FaultyDiskCall {
    static let allCases: [Self] = [
        .open, .read, .write, .sync, .truncate, .delete, .access, .fileSize, .lock, .sharedMemoryMap, .sharedMemoryLock,
    ]

    var name: String {
        switch self {
        case .open: "open"
        case .read: "read"
        case .write: "write"
        case .sync: "sync"
        case .truncate: "truncate"
        case .delete: "delete"
        case .access: "access"
        case .fileSize: "file size"
        case .lock: "lock"
        case .sharedMemoryMap: "shared memory map"
        case .sharedMemoryLock: "shared memory lock"
        }
    }

    /// The ways in which it can fail.
    var faults: [FaultyDisk.Fault] {
        let once = FaultyDisk.Fault(call: self)
        let lasting = FaultyDisk.Fault(call: self, isLasting: true)
        switch self {
        case .write: return [once, lasting, FaultyDisk.Fault(call: self, error: .full)]
        case .truncate: return [once, FaultyDisk.Fault(call: self, error: .full)]
        case .open, .read, .sync: return [once, lasting]
        case .delete, .access, .fileSize, .lock, .sharedMemoryMap, .sharedMemoryLock: return [once]
        }
    }
}

extension FaultyDiskLoss {
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .everything: "everything"
        case .tail: "the tail"
        case .writes: "some writes"
        case .sectors: "some sectors"
        }
    }
}
