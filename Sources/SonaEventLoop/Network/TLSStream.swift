internal import CLibwebsockets

/// The client side of TLS over a connected socket of the caller's. Meant for a thread that does one thing and waits
/// with poll(2).
///
/// Nothing is read or written unless the other side has proven to be the host: the handshake is part of the first call.
public final class TLSStream {
    /// The result of one call that did not fail.
    public enum Outcome: Equatable {
        /// The number of bytes; 0 is the end, whether or not the other side announced it (RFC 8446 §6.1).
        case bytes(Int)
        /// Call again when the socket can be read, or written.
        case wantsRead
        /// Call again when the socket can be written.
        case wantsWrite
    }

    private let session: OpaquePointer
    // Holds what the session was opened from.
    private let context: TLSClientContext

    /// - Parameters:
    ///   - descriptor: Not closed by the stream; must not block.
    ///   - host: The name that the other side has to prove, or its address without brackets.
    /// - Throws: `.badCertificate` if the trusted certificates can't be read; `.system`.
    public init(_ descriptor: Int32, host: String, trust: TLSTrust) throws(EventLoopError) {
        context = try trust.context(for: host)
        guard let session = SSL_new(context.pointer) else {
            throw EventLoopError(.system, "TLS can't be set up: \(TLSErrors.take())")
        }
        self.session = session
        guard SSL_set_fd(session, descriptor) == 1 else {
            throw EventLoopError(.system, "TLS can't be set up: \(TLSErrors.take())")
        }
        // A name only: RFC 6066 §3.
        if !host.utf8.contains(UInt8(ascii: ":")), host.contains(where: { $0.isLetter }) {
            _ = sona_tls_set_server_name(session, host)
        }
        SSL_set_connect_state(session)
    }

    deinit { SSL_free(session) }

    /// - Throws: `.untrusted` if the other side is not who it should be; `.refused` if it does not speak TLS as it
    ///   should; `.closed` if the connection was reset.
    public func read(into buffer: inout [UInt8]) throws(EventLoopError) -> Outcome {
        ERR_clear_error()
        return try outcome(SSL_read(session, &buffer, Int32(clamping: buffer.count)))
    }

    /// - Throws: As `read`.
    public func write(_ bytes: ArraySlice<UInt8>) throws(EventLoopError) -> Outcome {
        guard !bytes.isEmpty else { return .bytes(0) }
        ERR_clear_error()
        return try outcome(
            bytes.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32(clamping: $0.count)) })
    }

    private func outcome(_ result: Int32) throws(EventLoopError) -> Outcome {
        if result > 0 { return .bytes(Int(result)) }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .bytes(0)
        case SSL_ERROR_SSL:
            let reason = ERR_peek_last_error()
            let words = TLSErrors.take()
            let verdict = SSL_get_verify_result(session)
            if verdict != Int(X509_V_OK) {
                throw EventLoopError(.untrusted, TLSTrust.sentence(verification: verdict))
            }
            // An end that nobody announced, while something could still come.
            if sona_tls_error_reason(reason) == SSL_R_UNEXPECTED_EOF_WHILE_READING { return .bytes(0) }
            throw EventLoopError(.refused, "TLS failed (\(words))")
        default:
            _ = TLSErrors.take()
            throw EventLoopError(.closed, "the connection was cut")
        }
    }
}
