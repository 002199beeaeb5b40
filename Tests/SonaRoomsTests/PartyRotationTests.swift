import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// Goal: in the order by votes nobody starves and nobody has more than their share, however people come, vote and ask.
///
/// Way: walks in which random people suggest, vote and leave their entries to play, beside a record of who waited and
/// who played that has no notion of rounds. Then the attacks that would work on a plain order by votes.
@Suite struct PartyRotationTests {
    private static let passesMax = 3

    @Test func `within a round votes decide, and everybody has one turn`() throws {
        var party = Party(.free { $0.ordering = .votes })
        let ann = try party.suggest(2, by: .ann)
        let bob = try party.suggest(2, by: .bob)
        let cid = try party.suggest(1, by: .cid)
        try party.do(.vote(bob[1], .up), by: .ann)
        try party.do(.vote(bob[0], .up), by: .ann)
        try party.do(.vote(bob[1], .up), by: .cid)
        try party.do(.vote(ann[0], .down), by: .cid)
        try party.do(.vote(ann[1], .down), by: .cid)
        // Bob's better entry, Cid, Ann; then Bob's other entry and Ann's.
        let expected = [bob[1], cid[0], ann[0], bob[0], ann[1]]
        #expect(party.queue.order == expected)
        for id in expected { #expect(try party.next() == id) }
    }

    @Test func `a person who comes in the middle of a round is in the next one`() throws {
        var party = Party(.free { $0.ordering = .votes })
        let ann = try party.suggest(by: .ann)
        let bob = try party.suggest(by: .bob)
        #expect(try party.next() == ann)
        let cid = try party.suggest(by: .cid)
        for member in [PartyMember.ann, .cid, .guest] { try party.do(.vote(cid, .up), by: member) }
        #expect(party.queue.order == [bob, cid])
        #expect(try party.next() == bob)
    }

    @Test func `a person whose entry the host chooses has had their turn`() throws {
        var party = Party(.free { $0.ordering = .votes })
        let ann = try party.suggest(3, by: .ann)
        let bob = try party.suggest(2, by: .bob)
        let cid = try party.suggest(1, by: .cid)
        for id in ann + bob { try party.do(.vote(id, .up), by: .cid) }
        #expect(try party.next() == ann[0])
        try party.do(.started(bob[0]))
        #expect(party.queue.order == [cid[0], ann[1], bob[1], ann[2]])
    }

    @Test func `the first in the queue goes before others with as many votes`() throws {
        var party = Party(.free { $0.ordering = .votes })
        let ann = try party.suggest(by: .ann)
        let bob = try party.suggest(by: .bob)
        #expect(party.queue.order == [ann, bob])
        try party.do(.move(bob, to: .first))
        #expect(party.queue.order == [bob, ann])
    }

    @Test func `no user exceeds the plays in a row while another waits`() throws {
        var party = Party(.free { ($0.ordering, $0.rowMax) = (.votes, 1) })
        let ann = try party.suggest(3, by: .ann)
        let bob = try party.suggest(2, by: .bob)
        try party.do(.vote(bob[0], .down), by: .cid)
        try party.do(.vote(bob[1], .up), by: .cid)
        #expect(party.queue.order == [bob[1], ann[0], bob[0], ann[1], ann[2]])
        try party.do(.vote(ann[1], .up), by: .cid)
        try party.do(.vote(bob[1], nil), by: .cid)
        try party.do(.vote(bob[1], .down), by: .cid)
        #expect(party.queue.order == [ann[1], bob[0], ann[0], bob[1], ann[2]])
    }

    /// A crowd of newcomers, each with more votes than the victim, who is voted down by all.
    @Test func `a stream of newcomers holds nobody up`() throws {
        var party = Party(.free { $0.ordering = .votes })
        let victim = try party.suggest(by: .ann)
        var order: [QueueEntryID?] = []
        for number in 0..<40 {
            let newcomer = PartyMember("new\(number)")
            let id = try party.suggest(by: newcomer)
            try party.do(.vote(id, .up), by: newcomer)
            try party.do(.vote(id, .up), by: .bob)
            if party.waiting.contains(victim) { try party.do(.vote(victim, .down), by: newcomer) }
            if number % 2 == 1 { order.append(try party.next()) }
        }
        // Three people were there when the first round began, one of them the victim.
        #expect(order.prefix(3).contains(victim))
    }

    @Test func `a person's popular entries do not hold up their other entry for ever`() throws {
        var party = Party(.free { $0.ordering = .votes })
        let victim = try party.suggest(by: .ann)
        var order: [QueueEntryID?] = []
        for _ in 0..<10 {
            let darling = try party.suggest(by: .ann)
            try party.do(.vote(darling, .up), by: .bob)
            order.append(try party.next())
        }
        #expect(order.firstIndex(of: victim) == Self.passesMax)
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `every entry plays after a bounded number of others, and shares hold`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let hasShares = seed % 2 == 0
        let rules = QueueRules.free { rules in
            rules.ordering = .votes
            rules.waitingPerPersonMax = 4
            guard hasShares else { return }
            rules.shareWindow = Int.random(in: 2...12, using: &generator)
            rules.sharePlaysMax = Int.random(in: 1...rules.shareWindow, using: &generator)
            rules.rowMax = Int.random(in: 1...3, using: &generator)
        }
        var record = RotationRecord(rules: rules, passesMax: Self.passesMax, hasShares: hasShares)
        let crowd = Int.random(in: 2...12, using: &generator)
        var newcomers = 0
        var party = Party(rules)
        var playCount = 0
        for step in 0..<1_500 {
            party.now += 1_000
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                // Some people are keener than others, and some come once.
                var name = "p\(Int.random(in: 0..<crowd, using: &generator) / Int.random(in: 1...3, using: &generator))"
                if Int.random(in: 0..<12, using: &generator) == 0 {
                    newcomers += 1
                    name = "n\(newcomers)"
                }
                let before = party.queue.waitingEntries
                let reference = try TrackReference.named("S\(step)")
                let refusal = try party.refusal(of: .suggest(reference), by: PartyMember(name))
                #expect(refusal == nil || refusal?.rule == .personLimit || refusal?.rule == .share)
                if refusal == nil { record.add(try #require(party.queue.waitingEntries.last), to: before) }
            case 5..<8:
                guard let entry = party.queue.waitingEntries.randomElement(using: &generator) else { continue }
                let voter = PartyMember("v\(Int.random(in: 0..<20, using: &generator))")
                try party.do(.vote(entry.id, [.up, .down, nil].randomElement(using: &generator) ?? nil), by: voter)
            default:
                guard !party.waiting.isEmpty else { continue }
                let before = party.queue.waitingEntries
                let foretold = party.queue.order
                try #require(foretold.count == before.count)
                let played = try #require(try party.next())
                #expect(played == foretold.first)
                try record.play(played, from: before, "seed \(seed), step \(step)")
                playCount += 1
            }
            // Once the crowd is gone, the waiting entries play in the predicted order.
            if step % 250 == 249 {
                var rest = party.queue
                for id in party.queue.order {
                    _ = try rest.apply(.next(from: nil), by: .host, now: party.now)
                    #expect(rest.playing?.entry.id == id, "seed \(seed), step \(step)")
                }
            }
        }
        #expect(playCount > 200)
        #expect(hasShares || record.longestWait > 4, "Somebody had to wait.")
    }
}

/// Records who waited while others played.
private struct RotationRecord {
    private struct Wait {
        var person: UserID
        /// Entries of the same person before this one.
        var own: Int
        var ownPlays = 0
        var plays: [UserID: Int] = [:]
        var peopleMax = 0
    }

    let rules: QueueRules
    let passesMax: Int
    let hasShares: Bool
    private var waits: [QueueEntryID: Wait] = [:]
    private var plays: [UserID] = []
    private(set) var longestWait = 0

    init(rules: QueueRules, passesMax: Int, hasShares: Bool) {
        self.rules = rules
        self.passesMax = passesMax
        self.hasShares = hasShares
    }

    mutating func add(_ entry: QueueEntry, to waiting: [QueueEntry]) {
        let own = waiting.count { $0.suggestedBy == entry.suggestedBy }
        waits[entry.id] = Wait(person: entry.suggestedBy, own: own)
    }

    mutating func play(_ id: QueueEntryID, from waiting: [QueueEntry], _ place: Comment) throws {
        let people = Set(waiting.map(\.suggestedBy))
        let wait = waits.removeValue(forKey: id)
        let played = try #require(wait, place)
        check(played, peopleNow: people.count, place)
        if exceeds(played.person) {
            #expect(!people.contains { $0 != played.person && !exceeds($0) }, "\(place): a share at others' cost")
        }
        plays.append(played.person)
        for key in waits.keys {
            guard var wait = waits[key] else { continue }
            wait.peopleMax = max(wait.peopleMax, people.count)
            if wait.person == played.person { wait.ownPlays += 1 } else { wait.plays[played.person, default: 0] += 1 }
            waits[key] = wait
        }
    }

    private mutating func check(_ wait: Wait, peopleNow: Int, _ place: Comment) {
        let ahead = wait.own + passesMax
        #expect(wait.ownPlays <= ahead, place)
        let others = wait.plays.values.reduce(0, +)
        longestWait = max(longestWait, others)
        let people = max(wait.peopleMax, peopleNow)
        if hasShares {
            #expect(others <= (ahead + 1) * (rules.shareWindow + people) + people, place)
        } else {
            #expect(wait.plays.values.allSatisfy { $0 <= ahead + 2 }, place)
            #expect(others <= (ahead + 2) * people, place)
        }
    }

    /// Whether one more play would exceed somebody's share.
    private func exceeds(_ person: UserID) -> Bool {
        let inWindow = plays.suffix(rules.shareWindow - 1).count { $0 == person }
        let inRow = plays.reversed().prefix { $0 == person }.count
        return inWindow >= rules.sharePlaysMax || inRow >= rules.rowMax
    }
}
