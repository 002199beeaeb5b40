import CTLS
import Glibc

/// The client's side of TLS. The certificate is not checked: it was made for the run.
package final class Secure {
    private let context: OpaquePointer

    package init() throws {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Failure("OpenSSL gives no context") }
        self.context = context
    }

    deinit { SSL_CTX_free(context) }

    func begin(_ descriptor: Int32) throws -> OpaquePointer {
        guard let session = SSL_new(context), SSL_set_fd(session, descriptor) == 1 else {
            throw Failure("OpenSSL gives no session")
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

    /// As `recv`: −1 with EAGAIN when there is nothing, 0 at the end.
    static func read(_ session: OpaquePointer, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        ERR_clear_error()
        let result = SSL_read(session, bytes, Int32(count))
        if result > 0 { return Int(result) }
        if SSL_get_error(session, result) == SSL_ERROR_WANT_READ {
            errno = EAGAIN
            return -1
        }
        return 0
    }

    static func write(_ session: OpaquePointer, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        ERR_clear_error()
        return Int(SSL_write(session, bytes, Int32(count)))
    }
}
