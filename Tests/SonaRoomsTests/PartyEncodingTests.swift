import SonaRooms
import SonaWire
import Testing

@Suite struct PartyEncodingTests {
    /// A queue with something in every corner.
    private static func full() throws -> PartyQueue {
        var party = Party(.free { $0.ordering = .votes })
        let ids = try party.suggest(3, by: .ann) + party.suggest(2, by: .bob)
        let reference = try TrackReference(
            Track(title: "\"Ü\"\\", artist: "X", album: "Z", durationMicroseconds: 1), source: "https://h/a?b=c")
        try party.do(.add([reference], at: .first))
        try party.do(.vote(ids[1], .up), by: .cid)
        for member in [PartyMember.guest, .host] { try party.do(.vote(ids[2], .up), by: member) }
        try party.do(.vote(ids[2], .down), by: .cid)
        try party.do(.setRepeat(.all))
        for _ in 0..<4 { try party.next() }
        try party.do(.previous)
        try party.do(.started(try #require(party.queue.playing?.entry.id)))
        try party.do(.setRules(.free { ($0.ordering, $0.needsApproval) = (.votes, true) }))
        try party.suggest(by: .cid)
        let playing = try #require(party.queue.playing?.entry.id)
        try party.do(.voteSkip(playing, isWanted: true, activeListeners: 9), by: .bob)
        try party.presence(.bob, isHere: false)
        return party.queue
    }

    private static func parsed(_ queue: PartyQueue) throws -> [JSON.Member] {
        try #require(try JSON.parse(queue.encoded()).object)
    }

    @Test func `every corner is stored and read again`() throws {
        let queue = try Self.full()
        let keys = try Self.parsed(queue)
        #expect(String(decoding: queue.encoded(), as: UTF8.self).contains(#""passed_over":2"#))
        #expect(String(decoding: queue.encoded(), as: UTF8.self).contains(#""recalled":true"#))
        for member in keys { #expect(member.value != .array([]), "\(member.key) is not tried here.") }
        #expect(try PartyQueue(stored: queue.encoded()) == queue)
        #expect(try PartyQueue(stored: PartyQueue().encoded()) == PartyQueue())
    }

    private static func small() throws -> PartyQueue {
        var queue = PartyQueue()
        let reference = try TrackReference(
            Track(title: "T", artist: "A", durationMicroseconds: 5), source: "id-1")
        _ = try queue.apply(.add([reference, try .named("U")], at: .last), by: .host, now: 7)
        _ = try queue.apply(.next(from: nil), by: .host, now: 8)
        _ = try queue.apply(.vote(QueueEntryID(2), .up), by: PartyMember("ann"), now: 40_000)
        return queue
    }

    /// The rows that this version writes for a small queue. Later versions must be able to read them.
    @Test func `the stored rows keep their form`() throws {
        var (queue, ledger) = (try Self.small(), PartyLedger())
        var rows = QueueRows(state: "", writes: 0)
        rows.apply(ledger.update(to: queue))
        #expect(
            rows.state == """
                {"format":2,"clock_ms":40000,"next_id":3,"play_count":1,"active_listeners":0,"repeat":"off","rules":\
                {"ordering":"manual","suggesters":"members","voters":"everybody","needs_approval":true,\
                "waiting_per_person_max":3,"entries_max":200,"share_window":20,"share_plays_max":8,"row_max":2,\
                "cooldown_s":3600,"dwell_s":30,"skip_percent":50,"grace_s":60},\
                "now":{"id":1,"title":"T","artist":"A","duration_us":5,"source":"id-1","suggested_by":"host",\
                "added_ms":7,"upvotes":0,"downvotes":0,"play":1},"round":[],"departed":[]}
                """)
        let entry = #"{"title":"U","artist":"Artist","duration_us":180000000,"suggested_by":"host","added_ms":7}"#
        #expect(rows.entries == [QueueRows.Entry(id: 2, list: .waiting, place: 1 << 32, text: entry)])
        let play = #"{"suggested_by":"host","at_ms":8,"keys":["l:id-1","n:t\u001fa"]}"#
        #expect(rows.plays == [QueueRows.Play(number: 1, text: play)])
        #expect(rows.votes == [QueueRows.Vote(entry: 2, user: "ann", choice: .up)])
        #expect(rows.writes == 1)
        #expect(try PartyQueue(stored: rows) == queue)
        _ = try queue.apply(.voteSkip(QueueEntryID(1), isWanted: true, activeListeners: 9), by: .host, now: 40_001)
        rows.apply(ledger.update(to: queue))
        #expect(rows.votes.first == QueueRows.Vote(entry: 1, user: "host", choice: .skip))
        #expect(try PartyQueue(stored: rows) == queue)
    }

    /// The text that versions before the rows wrote for the same queue.
    @Test func `a text of the first format is read`() throws {
        let queue = try Self.small()
        let text = """
            {"format":1,"clock_ms":40000,"next_id":3,"play_count":1,"active_listeners":0,"repeat":"off","rules":\
            {"ordering":"manual","suggesters":"members","voters":"everybody","needs_approval":true,\
            "waiting_per_person_max":3,"entries_max":200,"share_window":20,"share_plays_max":8,"row_max":2,\
            "cooldown_s":3600,"dwell_s":30,"skip_percent":50,"grace_s":60},\
            "now":{"id":1,"title":"T","artist":"A","duration_us":5,"source":"id-1","suggested_by":"host","added_ms":7,\
            "upvotes":0,"downvotes":0,"play":1},\
            "waiting":[{"id":2,"title":"U","artist":"Artist","duration_us":180000000,"suggested_by":"host",\
            "added_ms":7,"up":["ann"]}],"pending":[],"past":[],\
            "history":[{"suggested_by":"host","at_ms":8,"keys":["l:id-1","n:t\\u001fa"]}],\
            "round":[],"skip":[],"departed":[]}
            """
        let rows = QueueRows(state: text, writes: 0)
        #expect(try PartyQueue(stored: rows) == queue)
        // This queue has no rows yet: the next change writes all of them.
        var (ledger, later) = (PartyLedger(rows, of: queue), rows)
        #expect(ledger.bytes == text.utf8.count)
        later.apply(ledger.update(to: queue))
        #expect(try PartyQueue(stored: later) == queue)
        #expect(later.entries.count == 1 && later.plays.count == 1 && later.votes.count == 1)
        #expect(ledger.bytes == later.bytes)
    }

    /// Goal: a damaged row is reported by its place. Way: the rows of a valid queue, with one of them altered.
    @Test func `invalid rows are refused, naming the one at fault`() throws {
        let queue = try Self.full()
        var (ledger, rows) = (PartyLedger(), QueueRows(state: "", writes: 0))
        rows.apply(ledger.update(to: queue))
        func fault(_ change: (inout QueueRows) throws -> Void) rethrows -> String? {
            var rows = rows
            try change(&rows)
            do { _ = try PartyQueue(stored: rows) } catch { return error.field }
            return nil
        }
        let waiting = rows.entries.indices.filter { rows.entries[$0].list == .waiting }
        let past = try #require(rows.entries.first { $0.list == .past })
        func put(_ text: String, at index: Int, _ rows: inout QueueRows) {
            let entry = rows.entries[index]
            rows.entries[index] = QueueRows.Entry(id: entry.id, list: entry.list, place: entry.place, text: text)
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0.state = "{" } == "")
        #expect(fault { $0.state = "[]" } == "")
        #expect(fault { $0.state = #"{"format":3}"# } == "format")
        #expect(fault { put("{", at: waiting[1], &$0) } == "waiting[1]")
        #expect(fault { put("7", at: waiting[1], &$0) } == "waiting[1]")
        #expect(fault { put(#"{"title":"T"}"#, at: waiting[1], &$0) } == "waiting[1].suggested_by")
        #expect(
            fault { $0.entries.append(QueueRows.Entry(id: 4_000, list: .past, place: 0, text: past.text)) } == "next_id"
        )
        #expect(fault { $0.entries.append(past) } == "waiting")
        #expect(fault { $0.plays[0] = QueueRows.Play(number: 1, text: "") } == "history[0]")
        #expect(fault { $0.plays.append(QueueRows.Play(number: 4_000, text: $0.plays[0].text)) } == "history")
        #expect(fault { $0.plays.swapAt(0, 1) } == "history")
        let entry = rows.entries[waiting[0]].id
        for (id, user, choice, field) in [
            (entry, "a b", .up, "waiting[0].up"), (past.id, "ann", .up, "votes"), (4_000, "ann", .down, "votes"),
            (entry, "ann", .skip, "votes"),
        ] as [(Int64, String, QueueRows.Choice, String)] {
            #expect(fault { $0.votes.append(QueueRows.Vote(entry: id, user: user, choice: choice)) } == field)
        }
    }

    @Test func `unknown fields are ignored at every depth, and missing ones have defaults`() throws {
        let queue = try Self.full()
        func adorned(_ json: JSON) -> JSON {
            switch json {
            case .object(let members):
                let more = members.map { JSON.Member(key: $0.key, value: adorned($0.value)) }
                return .object([JSON.Member(key: "of_later", value: .array([.null]))] + more)
            case .array(let values): return .array(values.map(adorned))
            default: return json
            }
        }
        let text = adorned(try JSON.parse(queue.encoded())).encoded()
        #expect(try PartyQueue(stored: text) == queue)
        let bare = #"{"format":1,"clock_ms":0,"next_id":1,"play_count":0}"#
        #expect(try PartyQueue(stored: Array(bare.utf8)) == PartyQueue())
    }

    @Test(arguments: [
        (#"{}"#, "format"), (#"{"format":3}"#, "format"), (#"[]"#, ""), (#"{"format":1"#, ""),
        (#"{"format":1,"clock_ms":-1}"#, "clock_ms"), (#"{"format":1,"clock_ms":5}"#, "next_id"),
        (#"{"format":1,"clock_ms":5,"next_id":0}"#, "next_id"),
        (#"{"format":1,"clock_ms":5,"next_id":1.5}"#, "next_id"),
        (Self.with(#""rules":{"row_max":0}"#), "rules.row_max"),
        (Self.with(#""rules":{"ordering":"random"}"#), "rules.ordering"), (Self.with(#""rules":7"#), "rules"),
        (Self.with(#""repeat":"twice""#), "repeat"), (Self.with(#""round":[1]"#), "round"),
        (Self.with(#""round":["a b"]"#), "round"), (Self.with(#""skip":["ann"]"#), "skip"),
        (Self.with(#""waiting":7"#), "waiting"), (Self.with(#""waiting":[7]"#), "waiting[0]"),
        (Self.with(#""waiting":[{"id":1}]"#), "waiting[0]"),
        (Self.with(#""waiting":[{"title":"T"}]"#), "waiting[0].id"),
        (Self.with(#""waiting":[\#(entry(1)),\#(entry(0))]"#), "waiting[1].id"),
        (Self.with(#""waiting":[\#(entry(9))]"#), "next_id"),
        (Self.with(#""waiting":[\#(entry(1)),\#(entry(1))]"#), "waiting"),
        (Self.with(#""waiting":[\#(entry(1))],"pending":[\#(entry(1))]"#), "waiting"),
        (Self.with(#""waiting":[\#(entry(1, #","up":["a"],"down":["a"]"#))]"#), "waiting[0].down"),
        (Self.with(#""waiting":[\#(entry(1, #","source":"file:///etc""#))]"#), "waiting[0]"),
        (Self.with(#""waiting":[\#((1...551).map { entry($0) }.joined(separator: ","))]"#), "waiting"),
        (Self.with(#""history":[{"suggested_by":"a","at_ms":6,"keys":[]}]"#), "history"),
        (Self.with(#""history":[{"suggested_by":"a","at_ms":5,"keys":["a","b","c"]}]"#), "history[0].keys"),
        (Self.with(#""departed":[{"user":"a","left_ms":6}]"#), "departed[0].left_ms"),
    ])
    func `an invalid queue is refused, naming the field at fault`(text: String, field: String) {
        let error = #expect(throws: PartyStateError.self) { try PartyQueue(stored: Array(text.utf8)) }
        #expect(error?.field == field)
    }

    /// Goal: no text crashes the reader. Way: a valid text with one byte changed, or cut short, again and again.
    @Test func `damaged texts are refused or read, and never fatal`() throws {
        let text = try Self.full().encoded()
        var refusedCount = 0
        for index in text.indices {
            var damaged = text
            damaged[index] = index % 3 == 0 ? UInt8(ascii: "9") : index % 3 == 1 ? UInt8(ascii: "\"") : text[index] ^ 1
            for candidate in [damaged, Array(text[..<index])] {
                guard var queue = try? PartyQueue(stored: candidate) else {
                    refusedCount += 1
                    continue
                }
                _ = try queue.apply(.shuffle(seed: 1), by: .host, now: 0)
                while (try? queue.apply(.next(from: nil), by: .host, now: .max)) != nil, queue.playing != nil {
                    if queue.repeatMode == .all { _ = try queue.apply(.setRepeat(.off), by: .host, now: 0) }
                }
            }
        }
        #expect(refusedCount > text.count)
    }

    private static func with(_ fields: String) -> String {
        #"{"format":1,"clock_ms":5,"next_id":9,"play_count":0,\#(fields)}"#
    }

    private static func entry(_ id: Int, _ more: String = "") -> String {
        #"{"id":\#(id),"title":"T\#(id)","suggested_by":"ann","added_ms":0\#(more)}"#
    }
}
