internal import CLoad
internal import Glibc
internal import SonaClient
package import SonaWire

/// Requests of the protocol over HTTP, one connection each, blocking. Used before and after a measurement.
///
/// Source: Protocol/spec/connection.md, "The same over HTTP".
package final class HTTPCalls {
    /// Time for one exchange, from connecting to the end of the answer, ns. Signing up takes a busy machine many
    /// seconds.
    static let exchangeTimeout: UInt64 = 30_000_000_000

    private let target: Target
    private let sessions: SecureSessions?
    /// Whether anything of the last request was sent: if not, nothing came of it.
    private(set) var wasSent = false

    package init(_ target: Target) throws(LoadError) {
        self.target = target
        sessions = try target.secureSessions()
    }

    /// - Throws: `load.refused` with the server's code, `load.unreachable`, `load.certificate`, `load.not_sona`.
    package func call<Message: WireRequest>(_ message: Message, token: String? = nil) throws(LoadError)
        -> Message.Response
    {
        let (status, body) = try exchange("POST", "/v1/rpc/\(Message.type)", body: message.encoded(), token: token)
        let reply: JSON
        do { reply = try JSON.parse(body) } catch {
            throw LoadError(
                .notSona, "\(target.address) answered \(Message.type) with status \(status), and not by the protocol.")
        }
        do {
            if let error = reply["error"] {
                let refusal = try WireError(error)
                throw LoadError(
                    .refused, "The server refused \(Message.type): \(refusal.message)", serverCode: refusal.code.text)
            }
            return try Message.Response(reply["data"] ?? .null)
        } catch let error as LoadError {
            throw error
        } catch {
            throw LoadError(
                .notSona, "\(target.address) answered \(Message.type) with something else than its reply: \(error)")
        }
    }

    /// One exchange, which takes `exchangeTimeout` at most.
    ///
    /// - Returns: Status and body.
    package func exchange(
        _ method: String, _ path: String, body: [UInt8] = [], token: String? = nil
    ) throws(LoadError) -> (status: Int, body: [UInt8]) {
        wasSent = false
        let end = LoadClock.now + Self.exchangeTimeout
        let descriptor = try target.connect(ordinal: 0, blocking: true)
        defer { close(descriptor) }
        var session: OpaquePointer?
        if let sessions {
            session = sessions.begin(descriptor)
            guard let session, SecureSessions.handshake(session) == .done else {
                let why = session.flatMap { SecureSessions.complaint($0) } ?? "the TLS handshake failed"
                if let session { SSL_free(session) }
                throw LoadError(.certificate, "\(target.address) can't be trusted: \(why).")
            }
        }
        defer { if let session { SSL_free(session) } }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(target.address.authority)\r\nConnection: close\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + body
        var sent = 0
        while sent < bytes.count {
            try wait(descriptor, until: end)
            let count = bytes.withUnsafeBytes { buffer in
                let start = buffer.baseAddress! + sent
                return session.map { SecureSessions.write($0, start, bytes.count - sent) }
                    ?? send(descriptor, start, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw errno == EAGAIN ? late : .system(.unreachable, "send to \(target.address)") }
            sent += count
            wasSent = true
        }
        return try Self.parse(readAll(descriptor, session, until: end), from: target)
    }

    private var late: LoadError {
        LoadError(
            .unreachable,
            "\(target.address) has not answered within \(Self.exchangeTimeout / 1_000_000_000) s.")
    }

    /// Waits until the next call on the socket cannot block past `end`.
    private func wait(_ descriptor: Int32, until end: UInt64) throws(LoadError) {
        let now = LoadClock.now
        guard now < end else { throw late }
        Target.limitWaiting(descriptor, nanoseconds: end - now)
    }

    private func readAll(_ descriptor: Int32, _ session: OpaquePointer?, until end: UInt64) throws(LoadError) -> [UInt8]
    {
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            try wait(descriptor, until: end)
            let count =
                session.map { SecureSessions.read($0, &piece, piece.count) } ?? recv(descriptor, &piece, piece.count, 0)
            if count == 0 { return answer }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { throw late }
                throw .system(.unreachable, "hear an answer of \(target.address)")
            }
            answer += piece[..<count]
        }
    }

    private static func parse(_ answer: [UInt8], from target: Target) throws(LoadError) -> (Int, [UInt8]) {
        guard let end = HTTPHead.end(answer), let status = HTTPHead.status(answer) else {
            throw LoadError(
                answer.isEmpty ? .turnedAway : .notSona,
                answer.isEmpty
                    ? "\(target.address) ends connections without an answer; \(LoadAdvice.addressLimit)"
                    : "What answers at \(target.address) is no HTTP server.")
        }
        return (status, Array(answer[end...]))
    }
}

/// The facts that the head of an HTTP answer gives.
enum HTTPHead {
    /// The start of the body; nil before the head is complete.
    static func end(_ bytes: some RandomAccessCollection<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        var line = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 13: continue
            case 10:
                if line == 0 { return index + 1 }
                line = 0
            default: line += 1
            }
        }
        return nil
    }

    static func status(_ bytes: some RandomAccessCollection<UInt8>) -> Int? {
        let words = String(decoding: bytes.prefix(16), as: UTF8.self).split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1.") else { return nil }
        return Int(words[1].prefix(3))
    }
}

extension Target {
    /// The TLS sessions of its connections; nil where TLS is not used.
    func secureSessions() throws(LoadError) -> SecureSessions? {
        guard address.isSecure else { return nil }
        return try SecureSessions(host: address.host, authorityFile: address.authorityFile)
    }
}

/// Sentences that help.
enum LoadAdvice {
    static let addressLimit =
        "a Sona server grants 512 connections to one address: start it with sona serve --exempt ADDRESS, where ADDRESS "
        + "is the one this test comes from (127.0.0.1 on the same machine)."
}
