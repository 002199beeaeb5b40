import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaRooms

/// The rows that a change writes are the rows it touches.
@Suite struct PartyLedgerTests {
    /// A queue with the rows that a database has of it.
    private struct Desk {
        var party = Party(.free)
        var ledger = PartyLedger()
        var rows = QueueRows(state: "", writes: 0)

        mutating func written() throws -> QueueRows.Change {
            let change = ledger.update(to: party.queue)
            rows.apply(change)
            #expect(try PartyQueue(stored: rows) == party.queue)
            #expect(ledger.bytes == rows.bytes)
            return change
        }

        mutating func add(_ count: Int, at place: QueuePlace = .last) throws -> [QueueEntryID] {
            let references = try (0..<count).map { try TrackReference.named("\(party.queue.nextID)-\($0)") }
            return try party.do(.add(references, at: place)).added.map(\.id)
        }
    }

    /// A desk with that many entries, already written.
    private static func desk(_ count: Int) throws -> (Desk, [QueueEntryID]) {
        var desk = Desk()
        var ids: [QueueEntryID] = []
        while ids.count < count { ids += try desk.add(min(20, count - ids.count)) }
        let change = try desk.written()
        #expect(change.entries.count == count && change.after == 0)
        return (desk, ids)
    }

    @Test func `of five hundred entries only the one that comes, goes or moves is written`() throws {
        var (desk, ids) = try Self.desk(499)
        let new = try desk.add(1, at: .after(ids[99]))
        var change = try desk.written()
        #expect(change.entries.map(\.id) == new.map(\.rawValue) && change.moves.isEmpty && change.after == 1)

        for (id, place) in [
            (ids[400], .first), (ids[0], .last), (ids[7], .before(ids[300])), (ids[300], .before(ids[7])),
        ] as [(QueueEntryID, QueuePlace)] {
            try desk.party.do(.move(id, to: place))
            change = try desk.written()
            #expect(change.moves.count == 1)
            #expect(change.entries.isEmpty && change.goneEntries.isEmpty)
        }
        try desk.party.do(.remove(ids[250]))
        change = try desk.written()
        #expect(change.goneEntries == [ids[250].rawValue] && change.moves.isEmpty && change.entries.isEmpty)
        try desk.party.do(.setRepeat(.one))
        #expect(try desk.written().isOnlyState)
    }

    @Test func `a vote is one row, and a removed entry takes all of its votes along`() throws {
        var (desk, ids) = try Self.desk(3)
        for user in 0..<50 { try desk.party.do(.vote(ids[1], .up), by: PartyMember("u\(user)")) }
        #expect(try desk.written().votes.count == 50)
        try desk.party.do(.vote(ids[1], .down), by: PartyMember("u7"))
        var change = try desk.written()
        #expect(change.votes == [QueueRows.Vote(entry: ids[1].rawValue, user: "u7", choice: .down)])
        #expect(change.withdrawals.isEmpty && change.entries.isEmpty)
        try desk.party.do(.vote(ids[1], nil), by: PartyMember("u7"))
        change = try desk.written()
        #expect(change.withdrawals.map { "\($0.entry) \($0.user)" } == ["\(ids[1]) u7"])
        #expect(change.votes.isEmpty && change.closedVotes.isEmpty)
        try desk.party.do(.next(from: nil))
        try desk.party.do(.next(from: nil))
        change = try desk.written()
        #expect(change.closedVotes == [ids[1].rawValue] && change.withdrawals.isEmpty)
        #expect(desk.rows.votes == [])
    }

    @Test func `votes to skip are rows too, and go with the entry they were about`() throws {
        var (desk, ids) = try Self.desk(3)
        try desk.party.do(.vote(ids[0], .up), by: .ann)
        try desk.party.do(.next(from: nil))
        for member in [PartyMember.ann, .bob] {
            try desk.party.do(.voteSkip(ids[0], isWanted: true, activeListeners: 99), by: member)
        }
        var change = try desk.written()
        #expect(change.votes.count == 2 && change.closedVotes.isEmpty)
        #expect(Set(desk.rows.votes.map(\.choice)) == [.skip])
        try desk.party.do(.voteSkip(ids[0], isWanted: false, activeListeners: 99), by: .ann)
        change = try desk.written()
        #expect(change.withdrawals.map { "\($0.entry) \($0.user)" } == ["\(ids[0]) ann"])
        // The entry plays once more, and the skipped play's votes do not count for the new play.
        try desk.party.do(.next(from: nil))
        try desk.party.do(.previous)
        try desk.party.do(.voteSkip(ids[0], isWanted: true, activeListeners: 99), by: .cid)
        change = try desk.written()
        #expect(desk.rows.votes == [QueueRows.Vote(entry: ids[0].rawValue, user: "cid", choice: .skip)])
        try desk.party.do(.next(from: nil))
        #expect(try desk.written().closedVotes == [ids[0].rawValue])
    }

    @Test func `a play is one row, and the oldest goes when there are too many`() throws {
        var (desk, _) = try Self.desk(2)
        try desk.party.do(.next(from: nil))
        var change = try desk.written()
        #expect(change.plays.map(\.number) == [1] && change.firstPlay == nil && change.goneEntries == [1])
        try desk.party.do(.setRepeat(.all))
        for _ in 0..<PartyQueue.historyMax - 1 { try desk.party.next() }
        change = try desk.written()
        #expect(change.plays.count == PartyQueue.historyMax - 1 && change.firstPlay == nil)
        try desk.party.next()
        change = try desk.written()
        #expect(change.plays.map(\.number) == [Int64(PartyQueue.historyMax) + 1] && change.firstPlay == 2)
        // One play came, one entry is past, and the oldest of the past ones is forgotten.
        #expect(change.entries.count == 2 && change.goneEntries.count == 2 && change.moves.isEmpty)
        #expect(desk.rows.entries.count == PartyQueue.pastMax + 1)
    }

    @Test func `a suggestion that is approved, played and gone back to is one row all the while`() throws {
        var desk = Desk()
        try desk.party.do(.setRules(.free { $0.needsApproval = true }))
        let id = try desk.party.suggest(by: .ann)
        #expect(try desk.written().entries.map(\.list) == [.pending])
        try desk.party.do(.approve(id))
        var change = try desk.written()
        #expect(change.goneEntries == [1] && change.entries.map(\.list) == [.waiting])
        try desk.party.do(.next(from: nil))
        change = try desk.written()
        #expect(change.goneEntries == [1] && change.entries.isEmpty)
        try desk.party.do(.next(from: id))
        #expect(try desk.written().entries.map(\.list) == [.past])
        try desk.party.do(.previous)
        #expect(try desk.written().goneEntries == [1])
        #expect(desk.rows.entries == [])
    }

    @Test func `a change that was not written is made again from the stored rows`() throws {
        var (desk, ids) = try Self.desk(5)
        let before = desk.ledger
        try desk.party.do(.move(ids[4], to: .first))
        _ = desk.ledger.update(to: desk.party.queue)
        desk.ledger = before
        try desk.party.do(.remove(ids[0]))
        let change = try desk.written()
        #expect(change.moves.map(\.id) == [5] && change.goneEntries == [1] && change.after == 1)
    }

    // MARK: Places

    /// Goal: entries may come between the same two without end. Way: a thousand, each right after the first; then at
    /// the head.
    @Test func `a gap that is used up makes the list get new places`() throws {
        var (desk, ids) = try Self.desk(2)
        var renumberings = 0
        for _ in 0..<300 {
            _ = try desk.add(1, at: .after(ids[0]))
            let change = try desk.written()
            #expect(change.entries.count == 1)
            if !change.moves.isEmpty { renumberings += 1 }
        }
        // Each gap of 2³² is halved 32 times.
        #expect((5...12).contains(renumberings))
        for _ in 0..<100 {
            _ = try desk.add(1, at: .first)
            #expect(try desk.written().moves.isEmpty)
        }
    }

    @Test func `a shuffle leaves the longest rising run in place`() throws {
        var (desk, _) = try Self.desk(200)
        try desk.party.do(.shuffle(seed: 42))
        let change = try desk.written()
        #expect(change.entries.isEmpty && change.goneEntries.isEmpty)
        #expect((150..<195).contains(change.moves.count))
    }

    @Test func `places rise, and as few as possible are new`() {
        let gap = Places.gap
        #expect(Places.after([], among: []) == [])
        #expect(Places.after([-1, -1], among: []) == [gap, 2 * gap])
        #expect(Places.after([0, -1, 1], among: [10, 20]) == [10, 15, 20])
        #expect(Places.after([0, -1, 1], among: [10, 11]) == [gap, 2 * gap, 3 * gap])
        #expect(Places.after([-1, 0], among: [10]) == [10 - gap, 10])
        #expect(Places.after([0, -1], among: [Places.limit - 1]) == [gap, 2 * gap])
        #expect(Places.after([-1, 0], among: [1 - Places.limit]) == [gap, 2 * gap])
        #expect(Places.after([2, 0, 1], among: [10, 20, 30]) == [10 - gap, 10, 20])
        #expect(Places.after([1, 2], among: [10, 20, 30]) == [20, 30])
    }

    /// Goal: as few entries move as possible. Way: small random orders, compared with every subset.
    @Test func `the longest rise is the longest`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let count = Int.random(in: 0...9, using: &generator)
            var numbers = Array(0..<count).shuffled(using: &generator)
            for index in numbers.indices where Int.random(in: 0..<4, using: &generator) == 0 { numbers[index] = -1 }
            let isKept = Places.longestRise(of: numbers)
            let kept = zip(numbers, isKept).filter(\.1).map(\.0)
            #expect(kept == kept.sorted() && kept.allSatisfy { $0 >= 0 })
            var longest = 0
            for subset in 0..<1 << count {
                let chosen = numbers.indices.filter { subset >> $0 & 1 == 1 }.map { numbers[$0] }
                if chosen.allSatisfy({ $0 >= 0 }), chosen == chosen.sorted() { longest = max(longest, chosen.count) }
            }
            #expect(kept.count == longest, "\(numbers)")
        }
    }
}
