import Synchronization

/// One request as it came over the wire.
struct HTTPTestRequest: Sendable {
    let method: String
    let target: String
    /// Names in lower case.
    let fields: [String: String]
    let body: [UInt8]

    /// `nil` when the client went before it had asked.
    init?(_ peer: Peer) {
        guard let first = peer.line()?.split(separator: " "), first.count == 3 else { return nil }
        var fields: [String: String] = [:]
        while let line = peer.line(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            fields[line[..<colon].lowercased()] = String(line[line.index(colon, offsetBy: 2)...])
        }
        method = String(first[0])
        target = String(first[1])
        self.fields = fields
        body = peer.bytes(fields["content-length"].flatMap { Int($0) } ?? 0)
    }
}

/// An HTTP server whose answers are written out by the test, one request a connection.
final class HTTPTestServer: Sendable {
    let server: LoopbackServer
    private let seen: Requests

    private final class Requests: Sendable {
        let all = Mutex<[HTTPTestRequest]>([])
    }

    var url: String { "http://127.0.0.1:\(server.port)" }
    var requests: [HTTPTestRequest] { seen.all.withLock { $0 } }

    init(unixPath: String? = nil, answer: @escaping @Sendable (HTTPTestRequest, Peer) -> Void) {
        let seen = Requests()
        self.seen = seen
        server = LoopbackServer(unixPath: unixPath) { peer, _ in
            guard let request = HTTPTestRequest(peer) else { return }
            seen.all.withLock { $0.append(request) }
            answer(request, peer)
        }
    }

    deinit { server.stop() }

    /// A whole answer. Without a body's length the end of the connection is the end of the body.
    static func answer(_ status: String = "200 OK", _ fields: [String] = [], body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields + ["", body])
            .joined(separator: "\r\n")
    }
}
