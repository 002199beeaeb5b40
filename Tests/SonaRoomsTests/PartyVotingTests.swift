import SonaRooms
import SonaWire
import Testing

@Suite struct PartyVotingTests {
    @Test func `a user has one vote, and the last one counts`() throws {
        var party = Party()
        let id = try party.suggest(by: .host)
        #expect(try party.do(.vote(id, .up), by: .ann) == [.votesChanged(id, upvotes: 1, downvotes: 0)])
        #expect(try party.do(.vote(id, .up), by: .ann) == [])
        var elsewhere = PartyMember.ann
        elsewhere.joinedMilliseconds = 500
        #expect(try party.do(.vote(id, .down), by: elsewhere) == [.votesChanged(id, upvotes: 0, downvotes: 1)])
        #expect(try party.do(.vote(id, .up), by: .bob) == [.votesChanged(id, upvotes: 1, downvotes: 1)])
        #expect(try party.do(.vote(id, nil), by: .ann) == [.votesChanged(id, upvotes: 1, downvotes: 0)])
        #expect(try party.do(.vote(id, nil), by: .ann) == [])
        #expect(party.queue.waitingEntries.map(\.score) == [1])
    }

    @Test func `only waiting entries take votes`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        try party.do(.vote(ids[0], .up), by: .ann)
        try party.next()
        #expect(party.queue.playing?.entry.upvotes == 1)
        #expect(try party.refusal(of: .vote(ids[0], .down), by: .bob) == PartyRefusal(.unknownEntry))
        #expect(try party.refusal(of: .vote(QueueEntryID(99), .up), by: .bob) == PartyRefusal(.unknownEntry))
    }

    @Test func `votes start from zero when an entry comes back`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        for id in ids { try party.do(.vote(id, .up), by: .ann) }
        try party.next()
        try party.next()
        try party.do(.previous)
        #expect(party.queue.waitingEntries.map(\.upvotes) == [0])
        #expect(try party.do(.vote(ids[1], .down), by: .ann) == [.votesChanged(ids[1], upvotes: 0, downvotes: 1)])
    }

    @Test func `enough votes skip an entry, and it does not come again`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        try party.do(.setRepeat(.all))
        try party.next()
        let skip = PartyCommand.voteSkip(ids[0], isWanted: true, activeListeners: 5)
        #expect(try party.do(skip, by: .ann) == [.skipProgress(votes: 1, needed: 3)])
        #expect(try party.do(skip, by: .ann) == [])
        #expect(try party.do(skip, by: .bob) == [.skipProgress(votes: 2, needed: 3)])
        let back = PartyCommand.voteSkip(ids[0], isWanted: false, activeListeners: 5)
        #expect(try party.do(back, by: .bob) == [.skipProgress(votes: 1, needed: 3)])
        try party.do(skip, by: .bob)
        let events = try party.do(skip, by: .cid)
        #expect(events == [.skipProgress(votes: 3, needed: 3), .now(party.queue.playing)])
        #expect(party.queue.playing?.entry.id == ids[1])
        #expect(party.queue.entryCount == 1)
        #expect(party.queue.skipVotes == 0)
        #expect(try party.refusal(of: skip, by: .guest) == PartyRefusal(.unknownEntry), "It plays no longer.")
    }

    @Test func `nobody skips alone, and nobody skips at all with a share of zero`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        try party.next()
        let skip = PartyCommand.voteSkip(ids[0], isWanted: true, activeListeners: 1)
        #expect(try party.do(skip, by: .ann) == [.skipProgress(votes: 1, needed: 2)])
        let none = QueueRules.free { $0.skipPercent = 0 }
        #expect(try party.do(.setRules(none)) == [.rulesChanged(none), .skipProgress(votes: 0, needed: 2)])
        #expect(try party.refusal(of: skip, by: .bob) == PartyRefusal(.closed))
    }

    @Test func `existing votes may become enough when fewer people listen or fewer votes are needed`() throws {
        var party = Party()
        let ids = try party.suggest(3, by: .host)
        try party.next()
        for member in [PartyMember.ann, .bob] {
            try party.do(.voteSkip(ids[0], isWanted: true, activeListeners: 6), by: member)
        }
        #expect(try party.active(5) == [], "Half of five are three as well.")
        #expect(try party.active(4) == [.skipProgress(votes: 2, needed: 2), .now(party.queue.playing)])
        #expect(party.queue.playing?.entry.id == ids[1])
        try party.active(100)
        for member in [PartyMember.ann, .bob] {
            try party.do(.voteSkip(ids[1], isWanted: true, activeListeners: 100), by: member)
        }
        try party.do(.setRules(.free { $0.skipPercent = 2 }))
        #expect(party.queue.playing?.entry.id == ids[2])
    }

    @Test func `votes of members who left count until the grace is over, to the millisecond`() throws {
        var party = Party(.free { $0.graceSeconds = 60 })
        let ids = try party.suggest(3, by: .host)
        try party.next()
        try party.do(.vote(ids[1], .up), by: .ann)
        try party.do(.vote(ids[2], .down), by: .ann)
        try party.do(.vote(ids[2], .down), by: .bob)
        try party.do(.voteSkip(ids[0], isWanted: true, activeListeners: 9), by: .ann)
        #expect(party.queue.deadline == nil)
        #expect(try party.presence(.ann, isHere: false) == [])
        try party.presence(.cid, isHere: false)
        let end = party.now + 60_000
        #expect(party.queue.deadline == end)
        party.now = end - 1
        #expect(try party.pass() == [])
        try party.presence(.ann, isHere: false)
        #expect(party.queue.deadline == end, "Who has left already does not leave later.")
        party.now = end
        let events = try party.pass()
        #expect(
            events == [
                .votesChanged(ids[1], upvotes: 0, downvotes: 0), .votesChanged(ids[2], upvotes: 0, downvotes: 1),
                .skipProgress(votes: 0, needed: 5),
            ])
        #expect(party.queue.deadline == nil)
    }

    @Test func `a member who comes back or sends a command within the grace keeps their votes`() throws {
        var party = Party(.free { $0.graceSeconds = 60 })
        let id = try party.suggest(by: .host)
        for member in [PartyMember.ann, .bob] {
            try party.do(.vote(id, .up), by: member)
            try party.presence(member, isHere: false)
        }
        party.now += 59_999
        try party.presence(.ann, isHere: true)
        try party.suggest(by: .bob)
        party.now += 100_000
        #expect(try party.pass() == [])
        #expect(party.queue.waitingEntries.first?.upvotes == 2)
        try party.do(.setRules(.free { $0.graceSeconds = 0 }))
        #expect(try party.presence(.ann, isHere: false) == [.votesChanged(id, upvotes: 1, downvotes: 0)])
    }

    @Test func `a refused command reports no votes that lapsed meanwhile`() throws {
        var party = Party(.free { $0.graceSeconds = 60 })
        let id = try party.suggest(by: .host)
        try party.do(.vote(id, .up), by: .ann)
        try party.presence(.ann, isHere: false)
        party.now += 60_000
        #expect(try party.refusal(of: .next(from: QueueEntryID(9))) == PartyRefusal(.unknownEntry))
        #expect(try party.pass() == [.votesChanged(id, upvotes: 0, downvotes: 0)])
    }

    @Test func `the vote past ten thousand is refused`() throws {
        var queue = PartyQueue(rules: .free)
        let references = try (0..<20).map { try TrackReference.named("\($0)") }
        let ids = try queue.apply(.add(references, at: .last), by: .host, now: 0).added.map(\.id)
        for user in 0..<500 {
            for id in ids { _ = try queue.apply(.vote(id, .down), by: PartyMember("u\(user)"), now: 0) }
        }
        #expect(queue.waitingEntries.allSatisfy { $0.downvotes == 500 })
        #expect(throws: PartyRefusal(.votesFull, limit: 10_000)) {
            try queue.apply(.vote(ids[0], .up), by: .ann, now: 0)
        }
        #expect(!(try queue.apply(.vote(ids[0], .up), by: PartyMember("u7"), now: 0)).isEmpty, "Minds may change.")
        #expect(try queue.apply(.vote(ids[0], nil), by: .ann, now: 0) == [])
        _ = try queue.apply(.vote(ids[0], nil), by: PartyMember("u7"), now: 0)
        #expect(!(try queue.apply(.vote(ids[0], .up), by: .ann, now: 0)).isEmpty)
        #expect(try PartyQueue(stored: queue.encoded()) == queue)
    }
}
