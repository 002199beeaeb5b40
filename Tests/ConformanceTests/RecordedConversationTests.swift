import Glibc
import SonaWire
import Testing

/// A conversation of the party checks with an earlier server: every message is read, and written again to the byte.
///
/// `Recordings/party.jsonl` has one message a line, at least one of every form that came: by whom, over which connection
/// (`c`), and its bytes as a text. `SONA_RECORDING` names the file of a whole conversation to be read in its place.
@Suite struct RecordedConversationTests {
    @Test func `messages of an earlier server are written again as they were`() throws {
        var conversation = Conversation()
        for line in try Self.lines() { try conversation.hear(line) }
        print("recorded conversation: \(conversation.counts.sorted { $0.key < $1.key })")
        let floor = ["request": 100, "reply": 60, "event": 60, "error": 20]
        for (kind, count) in floor { #expect(conversation.counts[kind, default: 0] >= count, "\(kind)") }
    }

    private static func lines() throws -> [JSON] {
        let path =
            getenv("SONA_RECORDING").map { String(cString: $0) }
            ?? VectorFile.root + "/../Tests/ConformanceTests/Recordings/party.jsonl"
        return try VectorFile.read(path).split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
    }
}

/// What was said over all connections so far.
private struct Conversation {
    private(set) var counts: [String: Int] = [:]
    private let requests = Dictionary(uniqueKeysWithValues: Catalogue.requests.map { ($0.type, $0) })
    private let events = Dictionary(uniqueKeysWithValues: Catalogue.events.map { ($0.type, $0) })
    /// Types of requests by connection and number.
    private var asked: [Int64: [Int64: String]] = [:]

    mutating func hear(_ line: JSON) throws {
        let connection = try #require(line["c"]?.integer)
        let bytes = Array(try #require(line["text"]?.string).utf8)
        switch line["by"]?.string {
        case "client": hearRequest(bytes, connection)
        case "server": try hearServer(bytes, connection)
        case let who: Issue.record("nobody is called \(who ?? "nothing")")
        }
    }

    /// Clients write JSON as they like: the members have to be the same, not the bytes. What was refused stays refused.
    private mutating func hearRequest(_ bytes: [UInt8], _ connection: Int64) {
        guard case .success(let request) = Request.parse(bytes), let type = requests[request.type] else {
            counts["malformed", default: 0] += 1
            return
        }
        asked[connection, default: [:]][request.id] = request.type
        if Self.isReadTwice(request, as: type) { counts["request", default: 0] += 1 }
    }

    private static func isReadTwice<Message: WireRequest>(_ request: Request, as type: Message.Type) -> Bool {
        guard let message = try? Message(request.data) else { return false }
        let again = Request.encode(id: request.id, message)
        guard case .success(let parsed) = Request.parse(again), let second = try? Message(parsed.data) else {
            Issue.record("\(request.type) cannot be read again: \(String(decoding: again, as: UTF8.self))")
            return false
        }
        #expect(second == message, "\(request.type)")
        return true
    }

    private mutating func hearServer(_ bytes: [UInt8], _ connection: Int64) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        switch try ServerMessage(parsing: bytes) {
        case .ok(let id, let data):
            let name = try #require(asked[connection]?[id], "nobody asked for \(text)")
            let type = try #require(requests[name])
            expect(try Self.reply(type, id, data), bytes, "the reply to \(name)")
            counts["reply", default: 0] += 1
        case .error(let id, let error):
            expect(Reply.error(id: id, error), bytes, "an error")
            counts["error", default: 0] += 1
        case .event(let name, let room, let seq, let data):
            let type = try #require(events[name], "an event without a name: \(text)")
            expect(try Self.event(type, room, seq, data), bytes, "the event \(name)")
            counts["event", default: 0] += 1
        }
    }

    private static func reply<Message: WireRequest>(_: Message.Type, _ id: Int64, _ data: JSON) throws -> [UInt8] {
        Reply.ok(id: id, try Message.Response(data))
    }

    private static func event<Message: WireEvent>(
        _: Message.Type, _ room: RoomID?, _ seq: Int64?, _ data: JSON
    ) throws -> [UInt8] {
        Event.encode(try Message(data), room: room, seq: seq)
    }

    private func expect(_ written: [UInt8], _ recorded: [UInt8], _ what: String) {
        #expect(
            written == recorded,
            "\(what): \(String(decoding: written, as: UTF8.self)) in place of \(String(decoding: recorded, as: UTF8.self))"
        )
    }
}
