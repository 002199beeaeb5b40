import Synchronization

/// A mail server that takes everything unless the test answers in its place.
final class SMTPTestServer: Sendable {
    enum Answer: Sendable {
        case reply(String)
        /// Silence for as long as the client stays.
        case hang
        case close
    }

    /// The client's commands. A greeting comes first; `.` is the end of a text.
    typealias Answering = @Sendable (_ command: String, _ connection: Int) -> Answer?

    private struct Seen {
        var commands: [String] = []
        /// The lines of each text, with the dots that are stuffed into it.
        var texts: [[String]] = []
    }

    private final class Record: Sendable {
        let seen = Mutex(Seen())
    }

    private let server: LoopbackServer
    private let record: Record

    var url: String { "smtp://127.0.0.1:\(server.port)" }
    var connections: Int { server.connections }
    var commands: [String] { record.seen.withLock { $0.commands } }
    var texts: [[String]] { record.seen.withLock { $0.texts } }

    init(capabilities: [String] = ["8BITMIME"], answering: @escaping Answering = { _, _ in nil }) {
        let record = Record()
        self.record = record
        server = LoopbackServer { peer, number in
            Self.serve(peer, record, capabilities) { answering($0, number) }
        }
    }

    deinit { server.stop() }

    private static func serve(
        _ peer: Peer, _ record: Record, _ capabilities: [String], _ answering: (String) -> Answer?
    ) {
        guard say(answering("greeting") ?? .reply("220 mail.test"), peer) else { return }
        while let command = peer.line() {
            record.seen.withLock { $0.commands.append(command) }
            let answer = answering(command) ?? usual(command, capabilities)
            guard say(answer, peer), !command.hasPrefix("QUIT") else { return }
            if command == "STARTTLS" {
                // A client that keeps to it begins a handshake, and gets what is none.
                if !peer.bytes(5).isEmpty { peer.write("250 this is no TLS\r\n") }
                return peer.hang()
            }
            guard command == "DATA", case .reply(let text) = answer, text.hasPrefix("354") else { continue }
            var lines: [String] = []
            while let line = peer.line(), line != "." { lines.append(line) }
            record.seen.withLock { $0.texts.append(lines) }
            guard say(answering(".") ?? .reply("250 taken"), peer) else { return }
        }
    }

    private static func usual(_ command: String, _ capabilities: [String]) -> Answer {
        switch command.prefix(4) {
        case "EHLO":
            let lines = ["mail.test"] + capabilities
            return .reply(
                lines.enumerated().map { ($0.offset < lines.count - 1 ? "250-" : "250 ") + $0.element }
                    .joined(separator: "\r\n"))
        case "AUTH": return .reply(command == "AUTH PLAIN" ? "334 " : "235 welcome")
        case "DATA": return .reply("354 go on")
        case "QUIT": return .reply("221 bye")
        // The answer to the empty challenge of AUTH PLAIN is Base64.
        default: return .reply(command.contains(" ") ? "250 ok" : "235 welcome")
        }
    }

    private static func say(_ answer: Answer, _ peer: Peer) -> Bool {
        switch answer {
        case .reply(let text): return peer.write(text + "\r\n")
        case .hang:
            peer.hang()
            return false
        case .close: return false
        }
    }
}
