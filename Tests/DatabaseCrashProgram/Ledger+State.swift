import Glibc
import SonaDatabase

/// The content of a ledger, checked for consistency.
struct LedgerState: Sendable {
    /// The contradictions found. Empty if there are none.
    var problems: [String] = []
    /// The last place in the log.
    var lastSeq: Int64 = 0
    /// Operations since the last pruning, by their place in the log.
    var operations: [Int64: Int64] = [:]
    /// The groups of each task.
    var groups: [Int: [Int64]] = [:]

    /// Returns acknowledged writes that are missing or incomplete, and rows that must not be there.
    func problems(acknowledged: some Sequence<Int64>, refused: some Sequence<Int64>) -> [String] {
        let kept = Set(operations.values)
        return acknowledged.filter { !kept.contains($0) }.map { "the acknowledged write \($0) is lost" }
            + refused.filter(kept.contains).map { "the refused write \($0) is there" }
    }
}

extension Ledger {
    /// Compares the tables with the log, in one snapshot.
    ///
    /// - Parameter isThorough: Whether SQLite's own checks of the whole file are run too.
    static func state(of database: any DatabaseReader, isThorough: Bool = true) async throws -> LedgerState {
        try await database.readDetached { db in
            var state = LedgerState()
            if isThorough { try checkFile(&db, &state) }
            let versions = try replay(&db, &state)
            try checkGroups(&db, &state, versions)
            try checkCounters(&db, &state)
            return state
        }
    }

    private static func checkFile(_ db: inout ReadAccess, _ state: inout LedgerState) throws {
        let findings: [String] = try db.values("PRAGMA integrity_check")
        if findings != ["ok"] { state.problems.append("integrity_check: \(findings.prefix(5))") }
        let dangling: [String] = try db.values("PRAGMA foreign_key_check")
        if !dangling.isEmpty { state.problems.append("foreign_key_check: \(dangling.count) rows") }
        let steps: [Int] = try db.values("SELECT step FROM steps ORDER BY rowid")
        if steps != Array(1...timeline.count) { state.problems.append("migrations applied: \(steps)") }
    }

    /// Runs through the log.
    ///
    /// - Returns: The version each group must have.
    private static func replay(_ db: inout ReadAccess, _ state: inout LedgerState) throws -> [Int64: Int] {
        var versions: [Int64: Int] = [:]
        try db.forEach("SELECT grp, version FROM base") { row in
            versions[try row.next()] = try row.next()
            return true
        }
        var isFirst = true
        try db.forEach("SELECT seq, operation, kind, grp, version FROM log ORDER BY seq") { row in
            let seq: Int64 = try row.next()
            let operation: Int64 = try row.next()
            let kind = Operation.Kind(rawValue: try row.next())
            let group: Int64 = try row.next()
            let version: Int = try row.next()
            if !isFirst, seq != state.lastSeq + 1 {
                state.problems.append("the log goes from \(state.lastSeq) to \(seq)")
            }
            // The log begins with a pruning, which changes nothing.
            if isFirst != (kind == .prune) { state.problems.append("the log has a pruning at \(seq)") }
            if operation < 0 { state.problems.append("the write \(operation) was meant to fail and is there") }
            isFirst = false
            state.lastSeq = seq
            state.operations[seq] = operation
            let before = versions[group]
            switch kind {
            case .insert where before == nil && version == 1: versions[group] = 1
            case .update where before == version - 1: versions[group] = version
            case .delete where before == version: versions[group] = nil
            case .prune: break
            default: state.problems.append("the write \(operation) at \(seq) does not follow version \(before ?? 0)")
            }
            return true
        }
        if isFirst { state.problems.append("the log is empty") }
        return versions
    }

    private static func checkGroups(
        _ db: inout ReadAccess, _ state: inout LedgerState, _ versions: [Int64: Int]
    ) throws {
        var found: [Int64: Int] = [:]
        var bytes: [Int64: Int] = [:]
        try db.forEach("SELECT id, task, version, bytes FROM groups ORDER BY id") { row in
            let id: Int64 = try row.next()
            state.groups[try row.next(), default: []].append(id)
            found[id] = try row.next()
            bytes[id] = try row.next()
            return true
        }
        if found != versions {
            let differing = Set(found.keys).union(versions.keys).filter { found[$0] != versions[$0] }
            state.problems.append("the groups \(differing.sorted().prefix(5)) are not as the log has them")
        }
        var parts: [Int64: Int] = [:]
        try db.forEach("SELECT grp, place, value, payload FROM parts ORDER BY grp, place") { row in
            let group: Int64 = try row.next()
            let place: Int = try row.next()
            let value: Int64 = try row.next()
            let values = values(group: group, version: found[group] ?? 0)
            parts[group, default: 0] += 1
            let count = (bytes[group] ?? 0) / values.count
            let isWhole = try row.withBlob(3) { isFilled($0, with: filling(value), count: count) } ?? false
            if !(values.indices.contains(place) && values[place] == value && isWhole) {
                state.problems.append("the part \(place) of \(group) is not its own")
            }
            return true
        }
        for (group, version) in found where parts[group] != values(group: group, version: version).count {
            state.problems.append("the group \(group) has \(parts[group] ?? 0) parts")
        }
    }

    private static func isFilled(_ bytes: UnsafeRawBufferPointer, with byte: UInt8, count: Int) -> Bool {
        guard bytes.count == count else { return false }
        guard count > 0, let start = bytes.baseAddress else { return true }
        return bytes[0] == byte && memcmp(start, start + 1, count - 1) == 0
    }

    private static func checkCounters(_ db: inout ReadAccess, _ state: inout LedgerState) throws {
        let differing: Int? = try db.value(
            """
            WITH sums AS (
                SELECT task, count(DISTINCT id) AS groups, coalesce(sum(value), 0) AS sum
                FROM groups JOIN parts ON grp = id GROUP BY task
            )
            SELECT count(*) FROM counters LEFT JOIN sums USING (task)
            WHERE counters.groups <> coalesce(sums.groups, 0) OR counters.sum <> coalesce(sums.sum, 0)
            """)
        if differing != 0 { state.problems.append("the counters of \(differing ?? -1) tasks differ from their sums") }
        let isTotal: Bool? = try db.value(
            """
            SELECT totals.groups = (SELECT count(*) FROM groups)
                AND totals.sum = (SELECT coalesce(sum(value), 0) FROM parts)
            FROM totals
            """)
        if isTotal != true { state.problems.append("the totals differ from the sums") }
    }
}
