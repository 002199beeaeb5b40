internal import Glibc
package import SonaWire

/// Whatever answers requests: a connection to a server, or the operator's socket.
package protocol Asking: Sendable {
    /// Sends a request and waits for its reply.
    ///
    /// - Throws: As `Client.call`.
    func call<R: WireRequest>(_ request: R, timeout: Duration) async throws(ClientError) -> R.Response
}

extension Asking {
    /// Waits for ten seconds.
    package func call<R: WireRequest>(_ request: R) async throws(ClientError) -> R.Response {
        try await call(request, timeout: .seconds(10))
    }
}

extension Client: Asking {}

/// The operator's socket of a running server: `admin.sock` in its data folder. Whoever may open it may do what
/// administrators do, and needs no account.
///
/// Source: deploy/README.md, "The operator's socket".
package struct OperatorSocket: Asking, CustomStringConvertible {
    /// The path of the socket.
    package let path: String

    /// - Parameter text: `unix:PATH` or `unix://PATH`, of the socket or of the data folder that it is in.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        guard text.hasPrefix("unix:") else { return nil }
        var path = String(text.dropFirst("unix:".count))
        if path.hasPrefix("//") { path.removeFirst(2) }
        guard !path.isEmpty else { return nil }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            path += path.hasSuffix("/") ? "admin.sock" : "/admin.sock"
        }
        self.path = path
    }

    package var description: String { "unix:\(path)" }

    /// An answer may have everything that is stored about an account.
    private static let answerBytesMax = 64 << 20

    package func call<R: WireRequest>(_ request: R, timeout: Duration) async throws(ClientError) -> R.Response {
        var call = call(to: "/v1/operator/" + R.type)
        call.body = request.encoded()
        call.contentType = "application/json"
        call.patienceSeconds = Int(clamping: timeout.components.seconds)
        return try (try await call.runBeside()).response(of: R.self)
    }

    /// The server's figures, in Prometheus' text format.
    ///
    /// - Throws: As `call`.
    package func metrics() async throws(ClientError) -> String { try await call(to: "/metrics").metrics() }

    private func call(to path: String) -> HTTPCall {
        var call = HTTPCall(address: .standard, path: path, token: "", agent: "sonactl", body: [])
        call.contentType = nil
        call.socketPath = self.path
        call.answerBytesMax = Self.answerBytesMax
        return call
    }
}

extension ServerAddress {
    /// The figures of a server whose `--metrics` is at this address.
    ///
    /// - Throws: As `Client.call`.
    package func metrics() async throws(ClientError) -> String {
        var call = HTTPCall(address: self, path: "/metrics", token: "", agent: "sonactl", body: [])
        call.contentType = nil
        call.patienceSeconds = 10
        return try await call.metrics()
    }
}

extension HTTPCall {
    fileprivate func metrics() async throws(ClientError) -> String {
        var call = self
        call.method = "GET"
        let answer = try await call.runBeside()
        guard answer.status == 200 else {
            throw ClientError(.protocolViolation, "There are no metrics: the answer was HTTP status \(answer.status).")
        }
        return String(decoding: answer.body, as: UTF8.self)
    }
}

extension HTTPCall.Answer {
    /// What a request of the protocol was answered with.
    ///
    /// - Throws: `.refused`, `.protocolViolation`.
    func response<R: WireRequest>(of request: R.Type) throws(ClientError) -> R.Response {
        guard let json = try? JSON.parse(body) else {
            throw ClientError(.protocolViolation, "The server answered \(R.type) with HTTP status \(status).")
        }
        do throws(WireError) {
            if let error = json["error"] { throw try WireError(error) }
            return try R.Response(json["data"] ?? .emptyObject)
        } catch {
            guard status != 200 else { throw .violation("the answer to \(R.type) is unusable, \(error)") }
            throw .refused(error)
        }
    }
}
