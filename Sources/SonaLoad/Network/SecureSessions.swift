internal import CLoad
internal import Glibc

/// The client's side of TLS, for non-blocking and blocking sockets alike. The server must prove who it is.
///
/// Confined to the thread that made it.
final class SecureSessions {
    private let context: OpaquePointer
    private let host: String

    /// - Parameter authorityFile: Certificates to believe in place of the system's: the path of a PEM file.
    /// - Throws: `load.unreadable` if the file holds none.
    init(host: String, authorityFile: String?) throws(LoadError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw LoadError(.machine, "OpenSSL gives no context.")
        }
        self.context = context
        self.host = host
        cload_prepare_context(context)
        if let authorityFile {
            guard SSL_CTX_load_verify_locations(context, authorityFile, nil) == 1 else {
                throw LoadError(.unreadable, "\(authorityFile) holds no certificates in PEM form that can be read.")
            }
        } else {
            SSL_CTX_set_default_verify_paths(context)
        }
    }

    deinit { SSL_CTX_free(context) }

    func begin(_ descriptor: Int32) -> OpaquePointer? {
        guard let session = SSL_new(context), SSL_set_fd(session, descriptor) == 1 else { return nil }
        let isAddress =
            host.utf8.contains(UInt8(ascii: ":")) || host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E }
        if isAddress {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host)
        } else {
            SSL_set1_host(session, host)
            _ = cload_set_server_name(session, host)
        }
        SSL_set_connect_state(session)
        return session
    }

    enum Progress { case done, waiting, failed }

    static func handshake(_ session: OpaquePointer) -> Progress {
        ERR_clear_error()
        let result = SSL_do_handshake(session)
        if result == 1 { return .done }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waiting
        default: return .failed
        }
    }

    /// The fault of the server's certificate; nil if the handshake failed for another reason.
    static func complaint(_ session: OpaquePointer) -> String? {
        let result = SSL_get_verify_result(session)
        guard result != Int(X509_V_OK) else { return nil }
        return String(cString: X509_verify_cert_error_string(result))
    }

    /// Reads as `recv` does: −1 with EAGAIN when there is nothing, 0 at the end.
    static func read(_ session: OpaquePointer, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        ERR_clear_error()
        let result = SSL_read(session, bytes, Int32(min(count, 1 << 30)))
        if result > 0 { return Int(result) }
        if SSL_get_error(session, result) == SSL_ERROR_WANT_READ {
            errno = EAGAIN
            return -1
        }
        return 0
    }

    /// Writes as `send` does.
    static func write(_ session: OpaquePointer, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        ERR_clear_error()
        let result = SSL_write(session, bytes, Int32(min(count, 1 << 30)))
        if result > 0 { return Int(result) }
        errno = SSL_get_error(session, result) == SSL_ERROR_WANT_WRITE ? EAGAIN : EPIPE
        return -1
    }
}
