import Foundation
import FoundationNetworking
import Testing

/// A story of rooms, told by clients that speak the protocol themselves.
class RoomStory: CommandStory {
    init() async throws { try await super.init(Self.options) }

    /// One account does in seconds here what others do in a week.
    static let options = ["--exempt", "127.0.0.1", "--account-budgets", "1000"]

    func newcomer(_ name: String) async throws -> SocketClient { try await .newcomer(server, name) }

    func newcomers(_ names: String...) async throws -> [SocketClient] {
        var people: [SocketClient] = []
        for name in names { people.append(try await newcomer(name)) }
        return people
    }

    /// A second connection of the same person.
    func again(_ person: SocketClient) async throws -> SocketClient {
        try await SocketClient(server, auth: ["token": person.token])
    }

    /// - Returns: The identifier of a new room.
    func room(_ owner: SocketClient, _ title: String, _ more: [String: Any] = [:]) async throws -> String {
        let made = try await owner.call("room.create", more.merging(["title": title]) { $1 })
        return try #require((made["room"] as? [String: Any])?["id"] as? String)
    }

    func update(_ owner: SocketClient, _ room: String, _ change: [String: Any]) async throws {
        try await owner.call("room.update", change.merging(["room": room]) { $1 })
    }

    /// One room as a given user sees it.
    func get(_ reader: SocketClient, _ room: String) async throws -> [String: Any] {
        try #require(try await reader.call("room.get", ["room": room])["room"] as? [String: Any])
    }

    /// Identifiers of the rooms that a search finds, at most a hundred.
    func found(_ reader: SocketClient, _ query: String, scope: String = "all") async throws -> [String] {
        let page = try await reader.call("room.search", ["query": query, "scope": scope, "limit": 100])
        let rooms = Self.identifiers(page["rooms"])
        if page["next_cursor"] is NSNull {
            #expect(page["count"] as? Int == rooms.count, "the count is that of the rooms")
        }
        return rooms
    }

    static func identifiers(_ rooms: Any?) -> [String] {
        (rooms as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
    }

    /// Waits until a condition holds, and fails if it does not within some seconds.
    func becomes(
        _ what: Comment, within seconds: Double = 10, location: Testing.SourceLocation = #_sourceLocation,
        _ condition: () async throws -> Bool
    ) async throws {
        do {
            _ = try await SocketClient.eventually("\(what)", within: seconds) { try await condition() ? true : nil }
        } catch is ProgramFault {
            Issue.record(what, sourceLocation: location)
        }
    }

    /// Enters and begins an epoch without sending a packet.
    func play(_ host: SocketClient, _ room: String, title: String, artist: String) async throws {
        try await host.call("room.join", ["room": room, "audio": false])
        try await host.call(
            "host.start",
            [
                "pacing": "live", "stream": ["codec": "opus", "channels": 2, "pre_skip": 312],
                "track": ["title": title, "artist": artist],
            ])
    }

    /// A request over HTTP.
    func http(
        _ method: String, _ path: String, token: String? = nil, body: Data? = nil
    ) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: try #require(URL(string: server.address + path)))
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }
}

extension RoomStory {
    /// The server's `/metrics`.
    func metrics() async throws -> (status: Int, body: Data) {
        let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: server.metrics)))
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }
}

/// A watched list, as kept by a client that follows Protocol/spec/finding.md.
struct WatchedList {
    private(set) var rooms: [String: [String: Any]] = [:]
    private(set) var order: [String] = []
    /// Violations of the protocol.
    private(set) var faults: [String] = []
    private var sequence: Int?

    init(_ reply: [String: Any]) {
        order = RoomStory.identifiers(reply["rooms"])
        for room in reply["rooms"] as? [[String: Any]] ?? [] { rooms[room["id"] as? String ?? ""] = room }
    }

    /// The list of a client's first watch, with all changes since.
    init(_ reply: [String: Any], _ client: SocketClient, skipping: Int = 0) {
        self.init(reply)
        for event in client.events("rooms.changed").dropFirst(skipping) { take(event) }
    }

    mutating func take(_ event: SocketClient.Message) {
        if event.bytes.count > 65_536 { faults.append("an event of \(event.bytes.count) bytes") }
        if let sequence, event.sequence != sequence + 1 {
            faults.append("number \(String(describing: event.sequence))")
        }
        sequence = event.sequence
        for id in event.data["removed"] as? [String] ?? ["?"] where rooms.removeValue(forKey: id) == nil {
            faults.append("\(id) was removed and never there")
        }
        for room in event.data["rooms"] as? [[String: Any]] ?? [] { rooms[room["id"] as? String ?? ""] = room }
        order = event.data["order"] as? [String] ?? []
        if Set(order) != Set(rooms.keys) || Set(order).count != order.count {
            faults.append("the order names \(order.count) of \(rooms.count) rooms")
        }
    }
}
