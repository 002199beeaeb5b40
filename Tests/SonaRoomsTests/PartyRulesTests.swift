import SonaRooms
import SonaWire
import Testing

/// Each rule is tested at its limit and one past it.
@Suite struct PartyRulesTests {
    @Test func `the defaults are within their ranges`() {
        #expect(QueueRules().outOfRange == nil)
        #expect(QueueRules.free.outOfRange == nil)
    }

    @Test func `a rule is set within its range and refused outside`() throws {
        let ranges: [(String, WritableKeyPath<QueueRules, Int>, ClosedRange<Int>)] = [
            ("waiting_per_person_max", \.waitingPerPersonMax, 1...100), ("entries_max", \.entriesMax, 1...500),
            ("share_window", \.shareWindow, 1...100), ("share_plays_max", \.sharePlaysMax, 1...100),
            ("row_max", \.rowMax, 1...100), ("cooldown_s", \.cooldownSeconds, 0...86_400),
            ("dwell_s", \.dwellSeconds, 0...3_600), ("skip_percent", \.skipPercent, 0...100),
            ("grace_s", \.graceSeconds, 0...3_600),
        ]
        var party = Party(QueueRules())
        for (name, path, range) in ranges {
            for value in [range.lowerBound, range.upperBound] {
                var rules = QueueRules()
                rules[keyPath: path] = value
                let isNew = rules != party.queue.rules
                #expect(try party.do(.setRules(rules)) == (isNew ? [.rulesChanged(rules)] : []))
            }
            for value in [range.lowerBound - 1, range.upperBound + 1, .min, .max] {
                var rules = QueueRules()
                rules[keyPath: path] = value
                #expect(try party.refusal(of: .setRules(rules)) == PartyRefusal(.invalidRules, field: name))
            }
        }
    }

    @Test func `who may suggest is nobody, accounts, or everybody`() throws {
        let reference = try TrackReference.named("A")
        let other = try TrackReference.named("B")
        var party = Party(.free { $0.suggesters = .nobody })
        #expect(try party.refusal(of: .suggest(reference), by: .ann) == PartyRefusal(.closed))
        try party.do(.setRules(.free { $0.suggesters = .members }))
        #expect(try party.refusal(of: .suggest(reference), by: .guest) == PartyRefusal(.accountRequired))
        #expect(try party.refusal(of: .suggest(reference), by: .ann) == nil)
        try party.do(.setRules(.free))
        #expect(try party.refusal(of: .suggest(other), by: .guest) == nil)
        // A link that gives the right to suggest.
        try party.do(.setRules(.free { $0.suggesters = .nobody }))
        let invited = PartyMember("invited", .suggest, isGuest: true)
        #expect(try party.refusal(of: .suggest(.named("C")), by: invited) == nil)
        for rights in [[], .vote] as [PartyRights] {
            #expect(try party.refusal(of: .suggest(other), by: PartyMember("no", rights)) == PartyRefusal(.closed))
        }
    }

    @Test func `who may vote is nobody, accounts, or everybody`() throws {
        var party = Party(.free { $0.voters = .nobody })
        let ids = try party.suggest(2, by: .host)
        try party.next()
        let skip = PartyCommand.voteSkip(ids[0], isWanted: true, activeListeners: 10)
        #expect(try party.refusal(of: .vote(ids[1], .up), by: .ann) == PartyRefusal(.closed))
        #expect(try party.refusal(of: skip, by: .ann) == PartyRefusal(.closed))
        try party.do(.setRules(.free { $0.voters = .members }))
        #expect(try party.refusal(of: .vote(ids[1], .up), by: .guest) == PartyRefusal(.accountRequired))
        #expect(try party.refusal(of: skip, by: .guest) == PartyRefusal(.accountRequired))
        #expect(try party.refusal(of: .vote(ids[1], .up), by: .ann) == nil)
        try party.do(.setRules(.free))
        #expect(try party.refusal(of: .vote(ids[1], .up), by: .guest) == nil)
        #expect(try party.refusal(of: skip, by: .guest) == nil)
        try party.do(.setRules(.free { $0.voters = .nobody }))
        let invited = PartyMember("invited", .vote, isGuest: true)
        #expect(try party.refusal(of: .vote(ids[1], .up), by: invited) == nil)
        #expect(try party.refusal(of: skip, by: invited) == nil)
        let no = PartyMember("no", .suggest)
        #expect(try party.refusal(of: .vote(ids[1], .up), by: no) == PartyRefusal(.closed))
        #expect(try party.refusal(of: skip, by: no) == PartyRefusal(.closed))
    }

    @Test func `a listener controls nothing`() throws {
        var party = Party()
        let ids = try party.suggest(3, by: .host)
        try party.next()
        try party.next()
        try party.do(.setRules(.free { $0.needsApproval = true }))
        let own = try party.suggest(by: .ann)
        let reference = try TrackReference.named("New")
        let commands: [PartyCommand] = [
            .add([reference], at: .last), .approve(own), .reject(own), .remove(ids[2]), .move(ids[2], to: .first),
            .clear, .shuffle(seed: 1), .setRepeat(.all), .next(from: nil), .previous, .started(ids[2]),
            .finished(ids[1]), .setRules(.free),
        ]
        for command in commands {
            #expect(try party.refusal(of: command, by: .ann) == PartyRefusal(.notAllowed), "\(command)")
        }
        for command in commands.dropLast(3) where command != .approve(own) && command != .remove(ids[2]) {
            #expect(try party.refusal(of: command, by: .coHost) == nil, "\(command)")
            if command == .reject(own) { _ = try party.suggest(by: .ann) }
            if command == .clear { _ = try party.suggest(3, by: .host) }
        }
    }

    @Test func `a suggestion waits for approval if the room wants that`() throws {
        var party = Party(.free { $0.needsApproval = true })
        let one = try party.suggest(by: .ann)
        let two = try party.suggest(by: .bob)
        let three = try party.suggest(by: .cid)
        #expect(party.queue.pending.map(\.id) == [one, two, three])
        #expect(party.queue.pending.allSatisfy { $0.approval == .pending })
        #expect(try party.refusal(of: .vote(one, .up), by: .bob) == PartyRefusal(.notApproved))
        #expect(try party.refusal(of: .move(one, to: .first)) == PartyRefusal(.notApproved))
        #expect(try party.do(.approve(two)) == [.approved(two)])
        #expect(try party.do(.approve(two)) == [], "Approved by two people at once is approved.")
        #expect(party.queue.waitingEntries.map(\.approval) == [.approved])
        #expect(try party.do(.reject(one)) == [.removed([one], .rejected)])
        #expect(try party.refusal(of: .reject(one)) == PartyRefusal(.unknownEntry))
        #expect(try party.refusal(of: .reject(two)) == PartyRefusal(.unknownEntry))
        #expect(try party.refusal(of: .approve(one)) == PartyRefusal(.unknownEntry))
        #expect(party.waiting == [two])
        let own = try party.suggest(by: .host)
        #expect(party.waiting == [two, own], "Who approves needs no approval.")
        #expect(try party.do(.clear) == [.removed([two, own, three], .cleared)])
        #expect(try party.do(.clear) == [])
    }

    @Test func `members may withdraw their own entries, not those of others`() throws {
        var party = Party(.free { $0.needsApproval = true })
        let pending = try party.suggest(by: .ann)
        let approved = try party.suggest(by: .ann)
        try party.do(.approve(approved))
        let others = try party.suggest(by: .bob)
        #expect(try party.refusal(of: .remove(others), by: .ann) == PartyRefusal(.notAllowed))
        #expect(try party.do(.remove(pending), by: .ann) == [.removed([pending], .withdrawn)])
        #expect(try party.do(.remove(approved), by: .ann) == [.removed([approved], .withdrawn)])
        #expect(try party.do(.remove(others), by: .coHost) == [.removed([others], .removed)])
        #expect(try party.refusal(of: .remove(others)) == PartyRefusal(.unknownEntry))
    }

    @Test func `the entry past the room's limit is refused for every user`() throws {
        var party = Party(.free { $0.entriesMax = 3 })
        let reference = try TrackReference.named("Other")
        try party.suggest(by: .ann)
        try party.next()
        try party.suggest(by: .bob)
        let pair = [reference, try TrackReference.named("Another")]
        #expect(try party.refusal(of: .add(pair, at: .first)) == PartyRefusal(.full, limit: 3), "All or none.")
        try party.suggest(by: .host)
        #expect(try party.refusal(of: .suggest(reference), by: .cid) == PartyRefusal(.full, limit: 3))
        #expect(try party.refusal(of: .add([reference], at: .last)) == PartyRefusal(.full, limit: 3))
        #expect(try party.do(.add([], at: .last)) == [])
        try party.next()
        #expect(try party.refusal(of: .suggest(reference), by: .cid) == nil)
    }

    @Test func `a person's waiting and pending entries are counted together`() throws {
        var party = Party(.free { $0.waitingPerPersonMax = 2 })
        try party.suggest(by: .ann)
        try party.do(.setRules(.free { ($0.waitingPerPersonMax, $0.needsApproval) = (2, true) }))
        try party.suggest(by: .ann)
        let reference = try TrackReference.named("Other")
        #expect(try party.refusal(of: .suggest(reference), by: .ann) == PartyRefusal(.personLimit, limit: 2))
        #expect(try party.refusal(of: .suggest(reference), by: .bob) == nil)
        try party.next()
        try party.suggest(by: .ann)
        #expect(try party.suggest(5, by: .host).count == 5, "Who controls the queue is not counted.")
    }

    @Test func `the same track does not wait twice`() throws {
        var party = Party()
        try party.suggest("A", by: .ann)
        let track = try TrackReference.named("a")
        #expect(try party.refusal(of: .suggest(track), by: .bob) == PartyRefusal(.duplicate))
        try party.next()
        #expect(try party.refusal(of: .suggest(track), by: .bob) == PartyRefusal(.duplicate), "Nor while it plays.")
        try party.next()
        #expect(try party.refusal(of: .suggest(track), by: .bob) == nil, "No cool-down here.")
        try party.do(.setRules(.free { $0.needsApproval = true }))
        try party.suggest("P", by: .ann)
        #expect(try party.refusal(of: .suggest(try .named("P")), by: .bob) == PartyRefusal(.duplicate))
        #expect(try party.refusal(of: .suggest(try .named("P")), by: .host) == nil)
    }

    @Test func `a track may come again when its cool-down is over, to the millisecond`() throws {
        var party = Party(.free { $0.cooldownSeconds = 600 })
        try party.suggest("A", by: .ann)
        try party.next()
        let chosen = party.now
        party.now += 200_000
        try party.next()
        let track = try TrackReference.named("A")
        let refusal = PartyRefusal(.cooldown, liftsAt: chosen + 600_000, limit: 600)
        #expect(try party.refusal(of: .suggest(track), by: .bob) == refusal)
        party.now = chosen + 599_999
        #expect(try party.refusal(of: .suggest(track), by: .bob) == refusal)
        party.now += 1
        #expect(try party.refusal(of: .suggest(track), by: .bob) == nil)
    }

    @Test func `a newcomer must wait before suggesting and voting, to the millisecond`() throws {
        var party = Party(.free { $0.dwellSeconds = 30 })
        let ids = try party.suggest(2, by: .host)
        try party.next()
        let new = PartyMember("new", joined: party.now)
        let commands: [PartyCommand] = [
            .suggest(try .named("N")), .vote(ids[1], .up), .voteSkip(ids[0], isWanted: true, activeListeners: 9),
        ]
        let refusal = PartyRefusal(.tooNew, liftsAt: party.now + 30_000, limit: 30)
        for time in [0, 29_999] as [Int64] {
            party.now = new.joinedMilliseconds + time
            for command in commands { #expect(try party.refusal(of: command, by: new) == refusal) }
        }
        party.now += 1
        for command in commands { #expect(try party.refusal(of: command, by: new) == nil) }
        let late = PartyMember("late", .host, joined: .max)
        #expect(try party.refusal(of: .suggest(try .named("L")), by: late) == nil, "Who controls the queue does not.")
        let odd = PartyMember("odd", joined: .max)
        #expect(try party.refusal(of: .vote(ids[1], .up), by: odd)?.rule == .tooNew)
    }

    @Test func `of several rules the one that stands longest is reported`() throws {
        var party = Party(.free { ($0.dwellSeconds, $0.cooldownSeconds) = (30, 600) })
        try party.suggest("A", by: .host)
        try party.next()
        try party.next()
        let new = PartyMember("new", joined: party.now)
        let track = try TrackReference.named("A")
        #expect(try party.refusal(of: .suggest(track), by: new)?.rule == .cooldown)
        party.now += 590_000
        let newer = PartyMember("newer", joined: party.now)
        #expect(try party.refusal(of: .suggest(track), by: newer)?.rule == .tooNew)
        try party.do(.setRules(.free { ($0.dwellSeconds, $0.suggesters) = (30, .nobody) }))
        #expect(try party.refusal(of: .suggest(track), by: newer) == PartyRefusal(.closed))
    }

    @Test func `a suggestion that would exceed a share at others' cost is refused`() throws {
        var party = Party(.free { ($0.shareWindow, $0.sharePlaysMax) = (5, 2) })
        // While nobody else waits, Ann may have all plays.
        for _ in 0..<4 {
            try party.suggest(by: .ann)
            try party.next()
        }
        let reference = try TrackReference.named("Other")
        let others = try party.suggest(3, by: .bob)
        #expect(try party.refusal(of: .suggest(reference), by: .ann) == PartyRefusal(.share, limit: 2))
        // The window of five covers the last four plays and the next: two of the four are Ann's, then one.
        try party.next()
        try party.next()
        #expect(try party.refusal(of: .suggest(reference), by: .ann) == PartyRefusal(.share, limit: 2))
        try party.next()
        #expect(party.queue.playing?.entry.id == others[2])
        try party.suggest(by: .cid)
        #expect(try party.refusal(of: .suggest(reference), by: .ann) == nil)
        let another = try TrackReference.named("Another")
        #expect(
            try party.refusal(of: .suggest(another), by: .ann) == PartyRefusal(.share, limit: 2),
            "What waits is counted with what was played.")
        try party.do(.setRules(.free { ($0.shareWindow, $0.sharePlaysMax) = (5, 5) }))
        #expect(try party.refusal(of: .suggest(another), by: .ann) == nil, "A share of five in five limits nothing.")
    }

    @Test func `votes to skip are rounded up, and never fewer than two`() {
        let cases = [
            (50, 0, 2), (50, 1, 2), (50, 4, 2), (50, 5, 3), (50, 6, 3), (50, 7, 4), (1, 200, 2), (1, 201, 3),
            (100, 3, 3), (33, 161, 54), (50, 20_000, 10_000), (50, 20_002, 10_000), (100, .max, 10_000), (50, .min, 2),
        ]
        for (percent, active, needed) in cases {
            let rules = QueueRules.free { $0.skipPercent = percent }
            #expect(rules.skipVotesNeeded(activeListeners: active) == needed, "\(percent) % of \(active)")
        }
    }

    @Test func `every rule has a code of its own`() {
        let codes = PartyRefusal.Rule.allCases.map(\.rawValue)
        #expect(Set(codes).count == 15)
        for code in codes { #expect(ErrorCode(code) != nil && code.hasPrefix("queue."), "\(code)") }
    }

    @Test func `long texts fill a queue before its entries do, and are forgotten before its plays are`() throws {
        var party = Party(.free)
        func long(_ index: Int) throws -> TrackReference {
            let text = String(repeating: "x", count: 500)
            return try TrackReference(
                Track(title: "\(index) \(text)", artist: text, album: text),
                source: "http://h/\(index)/\(text.dropLast(20))")
        }
        var index = 0
        while try party.refusal(of: .add([long(index)], at: .last)) == nil { index += 1 }
        #expect((100...150).contains(index))
        #expect(try party.refusal(of: .add([long(index)], at: .last))?.rule == .full)
        try party.next()
        for _ in 0..<600 {
            try party.next()
            try party.do(.add([long(index)], at: .last))
            index += 1
        }
        #expect(party.queue.encoded().count < 600_000)
    }
}
