import CTLS
import Glibc

/// One request, one answer, blocking. For what comes before and after a measurement.
package struct HTTP {
    package var port: UInt16
    package var secure: Secure?

    package init(port: UInt16, secure: Secure? = nil) {
        self.port = port
        self.secure = secure
    }

    package func get(_ path: String) throws -> String { try exchange("GET \(path)", headers: "", body: "") }

    package func post(_ path: String, token: String? = nil, _ body: String) throws -> String {
        let headers = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return try exchange("POST \(path)", headers: headers + "Content-Type: application/json\r\n", body: body)
    }

    private func exchange(_ request: String, headers: String, body: String) throws -> String {
        let descriptor = try Socket.connect(port: port, blocking: true)
        defer { close(descriptor) }
        let session = try secure?.begin(descriptor)
        defer { if let session { SSL_free(session) } }
        let text =
            "\(request) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(headers)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let bytes = Array(text.utf8)
        let sent = session.map { Secure.write($0, bytes, bytes.count) } ?? send(descriptor, bytes, bytes.count, 0)
        guard sent == bytes.count else { throw Failure.system("send \(request)") }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = session.map { Secure.read($0, &piece, piece.count) } ?? recv(descriptor, &piece, piece.count, 0)
            if count <= 0 { break }
            answer += piece[..<count]
        }
        let whole = String(decoding: answer, as: UTF8.self)
        // Swift takes a line end of two bytes for one Character; so it is sought as such.
        guard let head = whole.firstRange(of: "\r\n\r\n") else { throw Failure("\(request): no answer") }
        guard whole.hasPrefix("HTTP/1.1 200") else { throw Failure("\(request): \(whole)") }
        return String(whole[head.upperBound...])
    }
}
