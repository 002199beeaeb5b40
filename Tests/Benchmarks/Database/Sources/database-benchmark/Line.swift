/// One line of the report: a workload that every contender does in its own way.
enum Line: String, CaseIterable, Sendable {
    case bulkInsert = "bulk-insert"
    case commitFull = "commit-full"
    case commitFullAwaited = "commit-full-awaited"
    case commitNormal = "commit-normal"
    case commitNormalAwaited = "commit-normal-awaited"
    case lookupPrepared = "lookup-prepared"
    case lookupRecord = "lookup-record"
    case readEach = "read-each"
    case fetch
    case search
    case searchPattern = "search-pattern"
    case mixed
    case awaitedReads = "awaited-reads"
    case awaitedWrites1 = "awaited-writes-1"
    case awaitedWrites64 = "awaited-writes-64"
    case awaitedWrites256 = "awaited-writes-256"

    func title(_ sizes: Sizes) -> String {
        switch self {
        case .bulkInsert: "\(sizes.rows) rows inserted in one transaction"
        case .commitFull: "\(sizes.commitsFull) commits of one row each, synchronous=FULL"
        case .commitFullAwaited: "the same, awaited one after the other"
        case .commitNormal: "\(sizes.commitsNormal) commits of one row each, synchronous=NORMAL"
        case .commitNormalAwaited: "the same, awaited one after the other"
        case .lookupPrepared: "\(sizes.lookups) rows by key in one access, statement prepared by hand"
        case .lookupRecord: "\(sizes.recordLookups) rows by key in one access, as the library would have it written"
        case .readEach: "\(sizes.accesses) rows by key, one access each, blocking"
        case .fetch: "\(sizes.fetchedRows) rows in arrays of \(sizes.fetchedAtOnce)"
        case .search: "\(sizes.searches) full-text searches, pattern from typed text, best 20 by rank"
        case .searchPattern: "typed text turned into a pattern, nothing else"
        case .mixed: "\(sizes.readers) threads reading by key and one committing, NORMAL, \(sizes.mixedSeconds) s"
        case .awaitedReads: "\(sizes.tasks) tasks awaiting rows by key"
        case .awaitedWrites1: "1 task awaiting commits, synchronous=FULL"
        case .awaitedWrites64: "\(sizes.tasks) tasks awaiting commits, synchronous=FULL"
        case .awaitedWrites256: "256 tasks awaiting commits, synchronous=FULL"
        }
    }

    /// Tasks that write at the same time, for the lines about group commit.
    func writingTasks(_ sizes: Sizes) -> Int {
        switch self {
        case .awaitedWrites64: sizes.tasks
        case .awaitedWrites256: 256
        default: 1
        }
    }
}
