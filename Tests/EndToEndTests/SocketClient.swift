import Foundation

/// A client that shares no code with the server: WebSocket frames over a socket, JSON as received.
///
/// Source: RFC 6455 §5; Protocol/spec/connection.md.
final class SocketClient: Sendable {
    /// A text message from the server.
    struct Message: Sendable {
        var bytes: Data

        var object: [String: Any] { (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] ?? [:] }
        var type: String { object["type"] as? String ?? "" }
        var data: [String: Any] { object["data"] as? [String: Any] ?? [:] }
        var sequence: Int? { object["seq"] as? Int }
    }

    /// A packet of audio, whether it came alone or in a bundle.
    struct Packet: Sendable, Equatable {
        var sequence: Int
        var flags: Int
        var bytes: [UInt8]
    }

    /// The error with which the server refused a request.
    struct Refusal: Error, CustomStringConvertible {
        var request: String
        var code: String
        var field: String?
        var permission: String?
        var retryAfterMilliseconds: Int?

        var description: String { "\(request): \(code) \(field ?? "")" }
    }

    private let connection: SocketConnection
    /// The signed-in user; empty if nobody is signed in.
    let uid: String
    /// The access token, for HTTP.
    let token: String
    /// The server's answer to `hello`, as received.
    let welcome: Message

    /// - Parameters:
    ///   - auth: As in the protocol; nil for nobody.
    ///   - resume: As in the protocol.
    ///   - port: Port of a proxy in front of the server, if there is one.
    init(
        _ server: TestServer, auth: [String: Any]?, resume: [String: Any]? = nil, port: String? = nil
    ) async throws {
        connection = try SocketConnection(server, port: port)
        var hello: [String: Any] = ["client": ["name": "tests", "version": "1"]]
        if let auth { hello["auth"] = auth }
        if let resume { hello["resume"] = resume }
        self.welcome = try await Self.reply(connection, try connection.send("hello", hello), "hello")
        let welcome = self.welcome.data
        uid = (welcome["user"] as? [String: Any])?["uid"] as? String ?? ""
        token = auth?["token"] as? String ?? welcome["access_token"] as? String ?? ""
    }

    /// A guest of that server.
    static func guest(_ server: TestServer) async throws -> SocketClient {
        try await SocketClient(server, auth: ["guest": true])
    }

    /// A new user with an account.
    static func newcomer(_ server: TestServer, _ name: String) async throws -> SocketClient {
        let nobody = try await SocketClient(server, auth: nil)
        let grant = try await nobody.call(
            "auth.sign_up",
            ["email": "\(name)@example.org", "username": name, "password": CommandStory.password])
        return try await SocketClient(server, auth: ["token": grant["access_token"] as? String ?? ""])
    }

    deinit { connection.end() }

    // MARK: Asking

    /// - Throws: `Refusal`; `ProgramFault` without an answer in ten seconds.
    @discardableResult
    func call(_ type: String, _ data: [String: Any] = [:]) async throws -> [String: Any] {
        try await Self.call(connection, type, data)
    }

    /// The error code of a refused request; nil if it was not refused.
    func refusal(_ type: String, _ data: [String: Any] = [:]) async throws -> Refusal? {
        do {
            try await call(type, data)
            return nil
        } catch let refusal as Refusal { return refusal }
    }

    /// Sends a binary message; blocks while the server takes none.
    func send(frame: [UInt8]) throws { try connection.send(frame: frame) }

    /// Leaves after everything that was sent.
    func endSending() { connection.endSending() }

    /// Sends a request without waiting for its answer.
    ///
    /// - Returns: The number to wait for with `reply`.
    func begin(_ type: String, _ data: [String: Any]) throws -> Int { try connection.send(type, data) }

    @discardableResult
    func reply(_ id: Int) async throws -> [String: Any] {
        try await Self.reply(connection, id, "request \(id)").data
    }

    /// Numbers of the answers that came and that nothing has waited for.
    var untakenReplies: [Int] { connection.untakenReplies }

    /// The answer to a request, as received.
    func message(_ type: String, _ data: [String: Any]) async throws -> Message {
        try await Self.reply(connection, try connection.send(type, data), type)
    }

    /// Duration of a request that is granted. Blocks its thread.
    func time(_ type: String, _ data: [String: Any]) throws -> Duration {
        let start = ContinuousClock.now
        let message = connection.awaitReply(try connection.send(type, data))
        let time = ContinuousClock.now - start
        guard message?.type == "ok" else { throw ProgramFault(description: "\(type) was not granted") }
        return time
    }

    private static func call(
        _ connection: SocketConnection, _ type: String, _ data: [String: Any]
    ) async throws -> [String: Any] {
        // 60 requests a second are granted; a client that sends more waits.
        while true {
            do {
                return try await reply(connection, try connection.send(type, data), type).data
            } catch let refusal as Refusal where refusal.code == "request.rate_limited" {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private static func reply(_ connection: SocketConnection, _ id: Int, _ type: String) async throws -> Message {
        let message = try await eventually("the answer to \(type)") { connection.takeReply(id) }
        guard let error = message.object["error"] as? [String: Any] else { return message }
        throw Refusal(
            request: type, code: error["code"] as? String ?? "", field: error["field"] as? String,
            permission: error["permission"] as? String, retryAfterMilliseconds: error["retry_after_ms"] as? Int)
    }

    // MARK: Hearing

    /// Every binary message that has come, with its time of arrival by `ServerTime`.
    var frames: [(bytes: [UInt8], at: Int64)] { connection.frames }

    /// Every event that has come.
    var events: [Message] { connection.events }

    func events(_ type: String) -> [Message] { events.filter { $0.type == type } }

    var isOver: Bool { connection.isOver }
    /// The code with which the server closed.
    var closeCode: Int? { connection.closeCode }
    var packets: [Packet] { connection.packetsHeard }

    /// Breaks the connection, as a network does.
    func breakOff() { connection.end() }

    /// Ends the connection on purpose.
    func sayGoodbye() { connection.sayGoodbye() }

    /// Waits up to ten seconds for a condition.
    static func eventually<Value>(
        _ what: String, within seconds: Double = 10, _ look: () async throws -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let value = try await look() { return value }
            guard ContinuousClock.now < deadline else { throw ProgramFault(description: "\(what) did not come") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
