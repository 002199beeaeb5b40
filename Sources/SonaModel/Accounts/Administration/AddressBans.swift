internal import SonaBase
internal import SonaDatabase
package import SonaWire

/// Bans of network addresses: stored, and handed to whoever enforces them.
///
/// Ranges come in the one form that the caller gives them, because addresses are the server's matter.
package struct AddressBans: Sendable {
    /// All bans in force. A larger `changeNumber` is newer.
    package struct Current: Sendable {
        package let bans: [AddressBan]
        package let changeNumber: Int64
    }

    private let dao: AddressBanDAO
    private let journal: Journal
    private let clock: WallClock
    private let changes = ChangeCounter()

    init(_ dao: AddressBanDAO, journal: Journal, clock: WallClock) {
        self.dao = dao
        self.journal = journal
        self.clock = clock
    }

    /// - Throws: `busy`, `storage`.
    package func current() async throws(Refusal) -> Current {
        let (now, changes) = (clock.nowMilliseconds(), self.changes)
        return try await dao.write { db in
            Current(
                bans: try AddressBanDAO.current(now: now, in: &db).map(AddressBan.init), changeNumber: changes.next())
        }
    }

    /// Bans ranges. A ban takes the place of an earlier one of the same range.
    ///
    /// - Parameters:
    ///   - ranges: In their one form.
    ///   - seconds: `nil`: for good.
    ///   - actor: The administrator. `nil`: the operator.
    /// - Returns: The new bans, and all in force.
    /// - Throws: `forbidden`, `banned` or `tokenInvalid` for the administrator; `invalid` if there are
    ///   `Limits.addressBansMax` already; `busy`, `storage`.
    package func ban(
        _ ranges: [String], seconds: Int64?, reason: String?, by actor: Accounts.Account?
    ) async throws(Refusal) -> (made: [AddressBan], current: Current) {
        let (now, changes, journal) = (clock.nowMilliseconds(), self.changes, self.journal)
        let reason = reason.flatMap { $0.isEmpty ? nil : $0 }
        return try await dao.write { db in
            try AdminRights.require(.addressesBan, of: actor?.uid, now: now, in: &db)
            var made: [AddressBan] = []
            for range in ranges {
                let ban = AddressBanRecord(
                    range: range, untilMilliseconds: seconds.map { now + $0 * 1_000 }, reason: reason,
                    createdMilliseconds: now, by: actor?.uid)
                try db.upsert(ban)
                made.append(AddressBan(ban))
                // A line stays for ever, so it does not have the address.
                try journal.append(
                    JournalEntry(.addressBanned, actor: actor?.uid, seconds.map { ["seconds": .integer($0)] } ?? [:]),
                    in: &db)
            }
            let current = try AddressBanDAO.current(now: now, in: &db)
            guard current.count <= Limits.addressBansMax else {
                throw Refusal(.requestInvalid, "There are \(Limits.addressBansMax) bans of addresses: lift some first.")
            }
            return (made, Current(bans: current.map(AddressBan.init), changeNumber: changes.next()))
        }
    }

    /// Lifts a ban. A range without a ban is no error.
    ///
    /// - Throws: `forbidden`, `banned` or `tokenInvalid` for the administrator; `busy`, `storage`.
    package func unban(_ range: String, by actor: Accounts.Account?) async throws(Refusal) -> Current {
        let (now, changes, journal) = (clock.nowMilliseconds(), self.changes, self.journal)
        return try await dao.write { db in
            try AdminRights.require(.addressesBan, of: actor?.uid, now: now, in: &db)
            if try db.delete(AddressBanRecord.self, key: range) {
                try journal.append(JournalEntry(.addressUnbanned, actor: actor?.uid), in: &db)
            }
            return Current(
                bans: try AddressBanDAO.current(now: now, in: &db).map(AddressBan.init), changeNumber: changes.next())
        }
    }

    /// The bans in force, for administrators.
    ///
    /// - Throws: `busy`, `storage`.
    package func list() async throws(Refusal) -> [AddressBan] {
        let now = clock.nowMilliseconds()
        return try await dao.read { db in try AddressBanDAO.current(now: now, in: &db).map(AddressBan.init) }
    }
}

extension AddressBan {
    init(_ record: AddressBanRecord) {
        self.init(
            range: record.range, untilMilliseconds: record.untilMilliseconds, reason: record.reason,
            createdMilliseconds: record.createdMilliseconds, by: record.by)
    }
}
