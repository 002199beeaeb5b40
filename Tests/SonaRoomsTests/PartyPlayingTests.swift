import SonaRooms
import SonaWire
import Testing

@Suite struct PartyPlayingTests {
    @Test func `the host's order is played from first to last, and then nothing`() throws {
        var party = Party()
        let ids = try party.suggest(3, by: .host)
        #expect(try party.next() == ids[0])
        #expect(party.queue.playing?.play == 1)
        #expect(party.queue.playing?.startedMilliseconds == nil)
        let started = try party.do(.started(ids[0]))
        #expect(started == [.now(party.queue.playing)])
        #expect(party.queue.playing?.startedMilliseconds == party.now)
        party.now += 5
        #expect(try party.do(.started(ids[0])) == [], "The beginning of a track was told twice.")
        try party.do(.finished(ids[0]))
        #expect(party.queue.playing?.entry.id == ids[1])
        #expect(try party.next() == ids[2])
        #expect(try party.next() == nil)
        #expect(try party.refusal(of: .next(from: nil)) == PartyRefusal(.empty))
        #expect(party.queue.entryCount == 0)
    }

    @Test func `two who press next at once skip one track`() throws {
        var party = Party()
        let ids = try party.suggest(3, by: .host)
        try party.next()
        try party.do(.next(from: ids[0]))
        #expect(try party.refusal(of: .next(from: ids[0]), by: .coHost) == PartyRefusal(.unknownEntry))
        #expect(party.queue.playing?.entry.id == ids[1])
    }

    @Test func `a late report of an end ends nothing`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        try party.next()
        try party.do(.finished(ids[0]))
        #expect(try party.refusal(of: .finished(ids[0])) == PartyRefusal(.unknownEntry))
        #expect(try party.refusal(of: .finished(QueueEntryID(99))) == PartyRefusal(.unknownEntry))
    }

    @Test func `only the host's seat reports, and needs no other right`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        for member in [.coHost, .ann] as [PartyMember] {
            #expect(try party.refusal(of: .started(ids[0]), by: member) == PartyRefusal(.notAllowed))
            #expect(try party.refusal(of: .finished(ids[0]), by: member) == PartyRefusal(.notAllowed))
        }
        let seat = PartyMember("seat", .report)
        try party.do(.started(ids[0]), by: seat)
        #expect(try party.refusal(of: .next(from: nil), by: seat) == PartyRefusal(.notAllowed))
        try party.do(.finished(ids[0]), by: seat)
        #expect(party.queue.playing?.entry.id == ids[1])
    }

    @Test func `the host may begin with any waiting entry, but not with a pending one`() throws {
        var party = Party()
        let ids = try party.suggest(3, by: .host)
        try party.do(.setRules(.free { $0.needsApproval = true }))
        let pending = try party.suggest(by: .ann)
        try party.next()
        try party.do(.started(ids[2]))
        #expect(party.queue.playing?.entry.id == ids[2])
        #expect(party.waiting == [ids[1]])
        #expect(try party.refusal(of: .started(pending)) == PartyRefusal(.notApproved))
        #expect(try party.refusal(of: .started(ids[0])) == PartyRefusal(.unknownEntry))
    }

    @Test(arguments: QueueRules.Ordering.allCases)
    func `previous goes back as far as there are entries, and next returns the same way`(
        ordering: QueueRules.Ordering
    ) throws {
        var party = Party(.free { $0.ordering = ordering })
        let ids = try party.suggest(4, by: .host)
        for _ in 0..<3 { try party.next() }
        // Votes do not change that order.
        try party.do(.vote(ids[3], .up), by: .ann)
        try party.do(.previous)
        #expect(party.queue.playing?.entry.id == ids[1])
        try party.do(.previous)
        #expect(party.queue.playing?.entry.id == ids[0])
        #expect(try party.refusal(of: .previous) == PartyRefusal(.empty))
        #expect(party.queue.order == Array(ids[1...]))
        for id in ids[1...] { #expect(try party.next() == id) }
        #expect(party.queue.playing?.play == 8)
    }

    @Test func `previous reaches 50 entries back`() throws {
        var party = Party()
        let ids = try party.suggest(52, by: .host)
        for _ in ids { try party.next() }
        for id in ids[1..<51].reversed() {
            try party.do(.previous)
            #expect(party.queue.playing?.entry.id == id)
        }
        #expect(try party.refusal(of: .previous) == PartyRefusal(.empty))
    }

    @Test func `when one repeats, its end begins it again and next goes on`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        #expect(try party.do(.setRepeat(.one)) == [.repeatChanged(.one)])
        #expect(try party.do(.setRepeat(.one)) == [])
        try party.next()
        try party.do(.started(ids[0]))
        try party.do(.finished(ids[0]))
        #expect(party.queue.playing?.entry.id == ids[0])
        #expect(party.queue.playing?.play == 2)
        #expect(party.queue.playing?.startedMilliseconds == nil)
        #expect(try party.next() == ids[1])
    }

    @Test func `when all repeats, a played entry comes again at the end with a new id`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        try party.do(.setRepeat(.all))
        try party.next()
        try party.do(.finished(ids[0]))
        let copy = try #require(party.waiting.last)
        #expect(!ids.contains(copy))
        #expect(party.queue.waitingEntries.map(\.reference.track.title) == ["Track 1"])
        try party.do(.finished(ids[1]))
        #expect(party.queue.playing?.entry.id == copy)
        #expect(party.queue.entryCount == 2)
        // A single entry follows itself.
        try party.do(.clear)
        try party.do(.finished(copy))
        #expect(party.queue.playing?.entry.reference.track.title == "Track 1")
    }

    @Test func `going back removes the repeated entry, which would otherwise come twice`() throws {
        var party = Party()
        let ids = try party.suggest(2, by: .host)
        try party.do(.setRepeat(.all))
        try party.next()
        try party.next()
        let copy = try #require(party.waiting.last)
        #expect(try party.do(.previous).contains(.removed([copy], .recalled)))
        #expect(party.queue.playing?.entry.id == ids[0])
        #expect(party.waiting == [ids[1]])
        #expect(party.queue.entryCount == 2)
    }

    @Test func `moving an entry back where it came from undoes the move`() throws {
        var party = Party()
        let ids = try party.suggest(6, by: .host)
        for id in ids {
            let places = ids.filter { $0 != id }.flatMap { [QueuePlace.before($0), .after($0)] } + [.first, .last]
            for place in places {
                let before = party.queue
                let events = try party.do(.move(id, to: place))
                guard case .moved(id, _, let from)? = events.first else {
                    #expect(events.isEmpty && party.queue == before, "Who stands there already is not moved.")
                    continue
                }
                #expect(party.queue != before)
                try party.do(.move(id, to: from.map { .after($0) } ?? .first))
                #expect(party.queue == before, "\(id) to \(place)")
            }
        }
        try party.do(.move(ids[4], to: .before(ids[1])))
        #expect(party.waiting == [ids[0], ids[4], ids[1], ids[2], ids[3], ids[5]])
        try party.do(.move(ids[0], to: .after(ids[2])))
        #expect(party.waiting == [ids[4], ids[1], ids[2], ids[0], ids[3], ids[5]])
        #expect(try party.refusal(of: .move(ids[0], to: .after(QueueEntryID(99)))) == PartyRefusal(.unknownEntry))
        #expect(try party.refusal(of: .move(QueueEntryID(99), to: .last)) == PartyRefusal(.unknownEntry))
    }

    @Test func `time that runs backwards counts as standing still`() throws {
        var party = Party(.free { $0.cooldownSeconds = 10 })
        try party.suggest("A", by: .ann)
        try party.next()
        try party.next()
        let reference = try TrackReference.named("A")
        party.now -= 500_000
        let lift = try #require(try party.refusal(of: .suggest(reference), by: .ann)?.liftsAtMilliseconds)
        #expect(lift == 1_010_000)
        for time in [Int64.min, .max] { _ = party.queue.pass(to: time) }
        #expect(try PartyQueue(stored: party.queue.encoded()) == party.queue)
    }
}
