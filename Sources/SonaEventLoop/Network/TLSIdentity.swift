internal import CLibwebsockets
internal import Glibc
internal import SonaBase

/// The identity of a server that speaks TLS: a certificate, the chain to its issuer, and the private key.
///
/// Read once, and shared by all loops of a process. The keys of its session tickets are shared, too, so that a
/// returning client may come to another loop.
public final class TLSIdentity: @unchecked Sendable {
    // Safe to share: the pointers are written in init only, and OpenSSL counts references to what they name atomically.
    private let certificate: OpaquePointer
    private let chain: [OpaquePointer]
    private let key: OpaquePointer
    let tickets = TLSTicketKeys()

    /// Reads both files and tries them on each other.
    ///
    /// - Parameters:
    ///   - certificateFile: PEM: the server's certificate first, then those that lead to its root.
    ///   - keyFile: PEM, of an EC or RSA key, not protected by a passphrase.
    /// - Throws: `.badCertificate` with a sentence that names the file.
    public init(certificateFile: String, keyFile: String) throws(EventLoopError) {
        var certificates = try Self.certificates(in: certificateFile)
        let key: OpaquePointer
        do {
            key = try Self.key(in: keyFile)
        } catch {
            for one in certificates { X509_free(one) }
            throw error
        }
        certificate = certificates.removeFirst()
        chain = certificates
        self.key = key
        guard X509_check_private_key(certificate, key) == 1 else {
            throw Self.fault("The key in \(keyFile) does not belong to the certificate in \(certificateFile)")
        }
        // OpenSSL's objections (a key too short, a digest too old) are found before anybody connects.
        guard let trial = SSL_CTX_new(TLS_server_method()) else { throw Self.fault("TLS is not available") }
        defer { SSL_CTX_free(trial) }
        guard apply(to: trial) else {
            throw Self.fault("The certificate in \(certificateFile) can't be used: \(TLSErrors.take())")
        }
    }

    deinit {
        X509_free(certificate)
        for one in chain { X509_free(one) }
        EVP_PKEY_free(key)
    }

    /// Sets a server's `SSL_CTX` up. False if OpenSSL refuses; why is in its queue.
    func apply(to context: OpaquePointer) -> Bool {
        ERR_clear_error()
        guard sona_tls_prepare_server(context) == 1, SSL_CTX_use_certificate(context, certificate) == 1,
            SSL_CTX_use_PrivateKey(context, key) == 1
        else { return false }
        return chain.allSatisfy { sona_tls_add_chain(context, $0) == 1 }
    }

    /// Gives one connection this identity in place of that of its `SSL_CTX`, before its handshake.
    ///
    /// - Returns: False if OpenSSL refuses.
    func apply(toConnection session: OpaquePointer) -> Bool {
        SSL_certs_clear(session)
        guard SSL_use_certificate(session, certificate) == 1, SSL_use_PrivateKey(session, key) == 1,
            let list = sona_tls_new_chain()
        else { return false }
        defer { sona_tls_free_chain(list) }
        for one in chain { _ = sona_tls_push(list, one) }
        return sona_tls_set_chain(session, list) == 1
    }

    /// The keys that seal session tickets, and when they end, µs of `MonotonicClock`; nil if there are none yet.
    ///
    /// Secret: only for another process of this server.
    public var ticketKeys: (bytes: [UInt8], end: Int64)? { tickets.handed.map { ($0.bytes, $0.end) } }

    /// Goes on with the keys of another process, so that its clients' tickets are good here.
    public func takeTicketKeys(_ bytes: [UInt8], end: Int64) {
        tickets.take(TLSTicketKeys.Keys(bytes: bytes, end: end))
    }

    /// Whether the certificate may be used at the time, seconds since 1970; false also before its beginning.
    public func isValid(atSeconds time: Int) -> Bool {
        var time = time
        return X509_cmp_time(X509_get0_notBefore(certificate), &time) < 0
            && X509_cmp_time(X509_get0_notAfter(certificate), &time) > 0
    }

    /// The end of the certificate's time, seconds since 1970; `nil` if it can't be read.
    public var endsAtSeconds: Int? {
        var ends = tm()
        guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &ends) == 1 else { return nil }
        return timegm(&ends)
    }

    // MARK: Files

    private static func certificates(in file: String) throws(EventLoopError) -> [OpaquePointer] {
        let text = try contents(of: file)
        ERR_clear_error()
        let found = withReader(text) { reader in
            var found: [OpaquePointer] = []
            while let one = PEM_read_bio_X509(reader, nil, refusePassphrase, nil) { found.append(one) }
            return found
        }
        // The end of the file is reported as an error too.
        let isWhole = sona_tls_error_reason(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        let reason = TLSErrors.take()
        guard isWhole, !found.isEmpty else {
            for one in found { X509_free(one) }
            throw fault(
                found.isEmpty && isWhole
                    ? "There is no PEM certificate in \(file)" : "The certificates in \(file) are damaged: \(reason)")
        }
        return found
    }

    private static func key(in file: String) throws(EventLoopError) -> OpaquePointer {
        let text = try contents(of: file)
        ERR_clear_error()
        let key = withReader(text) { PEM_read_bio_PrivateKey($0, nil, refusePassphrase, nil) }
        if let key { return key }
        let isProtected = String(decoding: text, as: UTF8.self).contains("ENCRYPTED")
        throw fault(
            isProtected
                ? "The key in \(file) is protected by a passphrase, which nobody is there to type"
                : "There is no usable PEM private key in \(file): \(TLSErrors.take())")
    }

    private static func withReader<Result>(_ text: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
        text.withUnsafeBytes { bytes in
            let reader = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { BIO_free(reader) }
            return body(reader)
        }
    }

    /// Larger than any chain; a larger file is not a certificate file.
    private static let fileBytesMax = 1 << 20

    private static func contents(of file: String) throws(EventLoopError) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(file, bytesMax: fileBytesMax, waits: false)
        } catch {
            switch error {
            case .system(_, let number):
                throw EventLoopError(.badCertificate, "\(file) can't be read: \(error)", errno: number)
            case .tooLong: throw fault("\(file) is too large for a certificate or a key")
            }
        }
    }

    private static func fault(_ sentence: String) -> EventLoopError { EventLoopError(.badCertificate, sentence) }
}

/// In place of OpenSSL's own, which would ask on the terminal.
private let refusePassphrase:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) ->
        Int32 = { _, _, _, _ in -1 }

/// The errors that OpenSSL keeps in this thread's queue.
enum TLSErrors {
    /// The last reason, in its words; empties the queue.
    static func take() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "no reason is given" }
        return String(cString: reason)
    }
}
