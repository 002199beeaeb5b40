internal import CLibwebsockets
internal import SonaBase

/// The certificate authorities that a client trusts.
public struct TLSTrust: Hashable, Sendable {
    /// PEM, of the certificates that are believed in place of the system's; nil for the system's (and what
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR` name, which OpenSSL reads).
    public var authorityFile: String?

    /// - Parameter authorityFile: Path of a PEM file; `nil` trusts the system's authorities.
    public init(authorityFile: String? = nil) {
        self.authorityFile = authorityFile
    }

    private struct Place: Hashable {
        var trust: TLSTrust
        var host: String
    }

    /// Contexts by trusted file and expected host. They are kept until the process ends: there are few, and reading the
    /// system's certificates takes some ten milliseconds.
    private static let contexts = Monitor<[Place: TLSClientContext]>([:])

    /// A context that verifies that the other side is `host`: a name, or an address without brackets.
    ///
    /// - Throws: `.badCertificate` if the file can't be used.
    func context(for host: String) throws(EventLoopError) -> TLSClientContext {
        let place = Place(trust: self, host: host)
        if let known = Self.contexts.withLock({ $0[place] }) { return known }
        let context = try TLSClientContext(trust: self, host: host)
        Self.contexts.withLock { $0[place] = context }
        return context
    }
}

/// An `SSL_CTX` for one host. Whoever opens sessions from it has chain, name and validity checked by OpenSSL.
final class TLSClientContext: @unchecked Sendable {
    // Safe to share: not changed after init, and OpenSSL lets threads open sessions from one context.
    let pointer: OpaquePointer

    init(trust: TLSTrust, host: String) throws(EventLoopError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw EventLoopError(.system, "TLS is not available: \(TLSErrors.take())")
        }
        pointer = context
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard sona_tls_prepare_client(context) == 1, Self.expect(host, in: context) else {
            throw EventLoopError(.system, "TLS can't be set up for \(host): \(TLSErrors.take())")
        }
        if let file = trust.authorityFile {
            guard SSL_CTX_load_verify_file(context, file) == 1 else {
                throw EventLoopError(
                    .badCertificate, "there are no certificates to believe in \(file) (\(TLSErrors.take()))")
            }
        } else {
            SSL_CTX_set_default_verify_paths(context)
        }
        ERR_clear_error()
    }

    deinit { SSL_CTX_free(pointer) }

    /// Every session opened from the context inherits it.
    ///
    /// Source: RFC 9110 §4.3.4; RFC 6125 §6.4.3 for wildcards, which stand for a whole label or not at all.
    private static func expect(_ host: String, in context: OpaquePointer) -> Bool {
        let parameters = SSL_CTX_get0_param(context)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return !host.isEmpty && X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
    }
}

extension TLSTrust {
    /// The fault of a certificate, in words.
    static func sentence(verification code: Int) -> String {
        "its certificate is not accepted (\(String(cString: X509_verify_cert_error_string(code))))"
    }
}
