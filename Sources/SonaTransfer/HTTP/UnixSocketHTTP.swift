internal import CCurl

/// HTTP with a program on this machine, over a socket in the file system.
public enum UnixSocketHTTP {
    /// Posts `body` and gives the answer, whatever its status. Redirects are not followed.
    ///
    /// On a thread of this module's; two transfers run side by side and some wait.
    ///
    /// - Parameters:
    ///   - socketPath: At most 107 bytes, as the kernel takes it.
    ///   - path: The path with its query; begins with `/` and holds neither spaces nor control characters.
    ///   - timeout: Time for the whole exchange.
    ///   - answerBytesMax: Most bytes of the answer's body.
    /// - Throws: `nobodyListens` if there is no socket or nobody listens on it, and `badInput`, `busy`, `cancelled`,
    ///   `timedOut`, `unreachable` (no right to use the socket, for one; `errno` tells), `tooLarge`, `brokenAnswer`,
    ///   `system`.
    public static func post(
        socketPath: String, path: String, body: [UInt8], contentType: String = "application/octet-stream",
        timeout: Duration = .seconds(10), answerBytesMax: Int = 1 << 20
    ) async throws(TransferError) -> (status: Int, body: [UInt8]) {
        guard 1...107 ~= socketPath.utf8.count, !socketPath.utf8.contains(0) else {
            throw TransferError(.badInput, "The path of a socket has 1 to 107 bytes")
        }
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ 33...126 ~= $0 }) else {
            throw TransferError(.badInput, "The path of a request begins with / and is printable ASCII")
        }
        guard contentType.utf8.allSatisfy({ 32...126 ~= $0 }), !contentType.isEmpty else {
            throw TransferError(.badInput, "The content type is printable ASCII")
        }
        let limits = TransferLimits(connect: timeout, total: timeout, bodyBytesMax: answerBytesMax)
        return try await TransferWorkers.documents.run(within: timeout) { control throws(TransferError) in
            let flow = TransferFlow(control: control, upload: body, bodyBytesMax: answerBytesMax)
            let transfer = try CurlTransfer(flow, protocols: "http", limits: limits, control: control)
            try transfer.set(CURLOPT_UNIX_SOCKET_PATH, socketPath)
            try transfer.set(CURLOPT_URL, "http://localhost" + path)
            // Dots in the path are the other program's business.
            try transfer.set(CURLOPT_PATH_AS_IS, 1)
            try transfer.set(CURLOPT_POST, 1)
            try transfer.set(CURLOPT_POSTFIELDSIZE, body.count)
            // Without "Expect:" libcurl waits a second for a 100 before it sends a long body.
            try transfer.set(CURLOPT_HTTPHEADER, ["Content-Type: " + contentType, "Expect:"])
            let result = try transfer.perform()
            guard result == CURLE_OK else { throw TransferError(result, with: socketPath, transfer) }
            return (transfer.number(CURLINFO_RESPONSE_CODE), flow.body)
        }
    }
}
