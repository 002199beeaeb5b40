internal import SonaDatabase

extension Journal {
    /// Lines per read. A read takes some milliseconds, so that its snapshot does not hold up a checkpoint.
    static let verifiedAtOnce = 2_000

    /// Checks every line from the first to the last, while others read and write.
    ///
    /// On a thread of its own; holds one line at a time in memory. Each chunk is a snapshot of its own. Lines that are
    /// added meanwhile are in a later chunk. The last line is compared with the head row of the same snapshot.
    ///
    /// - Throws: `busy`, `storage` (also if the task is cancelled).
    package func verify() async throws(Refusal) -> JournalVerification {
        // Read before the first snapshot, because an anchor is never ahead of what was committed when it was written.
        let found = try findAnchor()
        let begin = try await chunk { db in try Self.head(in: &db) }
        if case .found(let head) = begin, head.keyID != key.id {
            return JournalVerification(
                entries: 0, checkedFrom: head.since, anchored: nil, firstFault: nil, reason: .keyUnknown)
        }
        var chain = JournalChain(key: key, head: begin, anchor: found)
        while !chain.isDone {
            let before = chain
            chain = try await chunk { db in try before.extended(in: &db) }
        }
        return chain.verification
    }

    /// The state of the head row.
    enum HeadFound: Sendable {
        case none
        case found(JournalHeadRecord)
        case unreadable
    }

    static func head(in db: inout ReadAccess) throws(DatabaseError) -> HeadFound {
        do {
            let head = try db.first(JournalHeadRecord.self, key: JournalHeadRecord.only)
            return head.map(HeadFound.found) ?? .none
        } catch {
            guard case .badValue = error.kind else { throw error }
            return .unreadable
        }
    }

    private func chunk<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        do {
            return try await lines.database.readDetached(body)
        } catch let error as DatabaseError {
            throw Refusal(error) ?? .storage(error)
        } catch {
            throw .storage(DatabaseError(kind: .interrupted, hint: "the task was cancelled"))
        }
    }
}

/// The progress of a verification: the lines that were checked so far, and the first fault.
struct JournalChain: Sendable {
    private let key: JournalKey
    private let since: Int64
    private let anchor: JournalAnchor.Found
    /// The id and the mac of the last checked line. The mac is part of the next line's.
    private var last: Int64 = 0
    private var mac = [UInt8](repeating: 0, count: JournalKey.bytes)
    private var firstFault: Int64?
    private(set) var reason: JournalVerification.Reason?
    private(set) var isDone = false

    init(key: JournalKey, head: Journal.HeadFound, anchor: JournalAnchor.Found) {
        self.key = key
        self.anchor = anchor
        // An invalid head is reported at the end, because the lines themselves may show an earlier fault.
        if case .found(let head) = head, key.seals(head) { since = head.since } else { since = 1 }
    }

    var verification: JournalVerification {
        var anchored: Int64?
        if case .anchor(let anchor) = anchor { anchored = anchor.count }
        return JournalVerification(
            entries: last, checkedFrom: since, anchored: anchored, firstFault: firstFault, reason: reason)
    }

    /// Returns the chain with the next chunk of lines checked. After the last line it checks the head and the anchor.
    func extended(in db: inout ReadAccess) throws -> JournalChain {
        var chain = self
        var count = 0
        // From the least id, so that a line before the first is found.
        let from = last == 0 ? Int64.min : last + 1
        do {
            let query = JournalRecord.all.filter(JournalRecord.id >= from).order(JournalRecord.id.ascending)
            try db.forEach(query.limit(Journal.verifiedAtOnce)) { record in
                count += 1
                return chain.take(record)
            }
        } catch let error as DatabaseError {
            guard case .badValue = error.kind else { throw error }
            chain.fail(.altered, at: chain.last + 1)
        }
        if !chain.isDone, count < Journal.verifiedAtOnce {
            chain.end(try Journal.head(in: &db))
            chain.isDone = true
        }
        return chain
    }

    /// - Returns: False once a fault is found.
    private mutating func take(_ record: JournalRecord) -> Bool {
        let wanted = last + 1
        if record.id > wanted {
            fail(.missing, at: wanted)
        } else if record.id < wanted {
            // A line before the first, because ids come in ascending order.
            fail(.unexpected, at: wanted)
        } else if record.id >= since, record.mac != key.mac(record.line, after: mac) {
            fail(.altered, at: wanted)
        } else if case .anchor(let anchor) = anchor, anchor.count == wanted, anchor.mac != record.mac {
            fail(.anchorDisagrees, at: wanted)
        } else {
            last = wanted
            mac = record.mac
        }
        return !isDone
    }

    private mutating func end(_ head: Journal.HeadFound) {
        switch head {
        case .none: fail(.headMissing)
        case .unreadable: fail(.headInvalid)
        case .found(let head) where !key.seals(head) || head.since != since: fail(.headInvalid)
        case .found(let head) where last < head.count: fail(.missing, at: last + 1)
        case .found(let head) where last > head.count: fail(.unexpected, at: head.count + 1)
        case .found(let head) where head.mac != mac: fail(.altered, at: last)
        case .found: compareAnchor()
        }
    }

    private mutating func compareAnchor() {
        switch anchor {
        case .none: return
        case .foreign: fail(.anchorForeign)
        case .anchor(let anchor) where anchor.count > last: fail(.rolledBack, at: last + 1)
        case .anchor(let anchor) where anchor.since != since: fail(.anchorDisagrees)
        case .anchor: return
        }
    }

    private mutating func fail(_ reason: JournalVerification.Reason, at line: Int64? = nil) {
        self.reason = reason
        firstFault = line
        isDone = true
    }
}
