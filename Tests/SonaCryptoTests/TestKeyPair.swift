import COpenSSL

@testable import SonaCrypto

/// A key pair of any algorithm, with the forms of its public half and ways to sign that the product does not have.
///
/// Safe to share: never changed after it was made.
final class TestKeyPair: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Making one takes a tenth of a second, so most tests share these.
    static let rsa = TestKeyPair(rsaBits: 2048)
    static let otherRSA = TestKeyPair(rsaBits: 2048)
    /// With the smallest exponent, which forgeries of careless padding checks need.
    static let rsaExponent3 = TestKeyPair(rsaBits: 2048, exponent: 3)
    static let rsaPSS = TestKeyPair(rsaBits: 2048, kind: EVP_PKEY_RSA_PSS)

    init(rsaBits: Int32, exponent: UInt = 65_537, kind: Int32 = EVP_PKEY_RSA) {
        handle = Self.generate(kind) { context in
            let e = BN_new()
            defer { BN_free(e) }
            return BN_set_word(e, exponent) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, rsaBits) == 1
                && EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context, e) == 1
        }
    }

    init(curve: String) {
        handle = Self.generate(EVP_PKEY_EC) { EVP_PKEY_CTX_set_group_name($0, curve) == 1 }
    }

    /// EVP_PKEY_ED25519 and such like, which have no parameters.
    init(kind: Int32) {
        handle = Self.generate(kind) { _ in true }
    }

    deinit { EVP_PKEY_free(handle) }

    private static func generate(_ kind: Int32, _ configure: (OpaquePointer) -> Bool) -> OpaquePointer {
        let context = EVP_PKEY_CTX_new_id(kind, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var handle: OpaquePointer?
        guard let context, EVP_PKEY_keygen_init(context) == 1, configure(context),
            EVP_PKEY_keygen(context, &handle) == 1, let handle
        else { preconditionFailure("libcrypto refused to make a key.") }
        return handle
    }

    // MARK: Public forms

    /// `n` and `e` of a JSON Web Key.
    var modulus: String { number(OSSL_PKEY_PARAM_RSA_N) }
    var exponent: String { number(OSSL_PKEY_PARAM_RSA_E) }

    var publicKeyPEM: [UInt8] { pem { PEM_write_bio_PUBKEY($0, handle) } }

    var privateKeyPEM: [UInt8] { pem { PEM_write_bio_PrivateKey($0, handle, nil, nil, 0, nil, nil) } }

    /// A certificate over this key, signed by `issuer`.
    func certificatePEM(issuer: TestKeyPair) -> [UInt8] {
        let certificate = X509_new()
        defer { X509_free(certificate) }
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3_600)
        X509_set_pubkey(certificate, handle)
        precondition(X509_sign(certificate, issuer.handle, EVP_sha256()) > 0, "libcrypto refused to sign.")
        return pem { PEM_write_bio_X509($0, certificate) }
    }

    private func number(_ name: String) -> String {
        var value: OpaquePointer?
        defer { BN_free(value) }
        precondition(EVP_PKEY_get_bn_param(handle, name, &value) == 1, "The key has no such number.")
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(value)) + 7) / 8)
        BN_bn2bin(value, &bytes)
        return Base64.encode(bytes)
    }

    private func pem(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        precondition(write(bio) == 1, "libcrypto refused to write PEM.")
        var text = [UInt8](repeating: 0, count: 16_384)
        let count = BIO_read(bio, &text, Int32(text.count))
        return Array(text.prefix(max(0, Int(count))))
    }

    // MARK: Signing

    /// Signs `message`, with RSA by RS256 unless told otherwise.
    func sign(_ message: [UInt8], padding: Int32 = RSA_PKCS1_PADDING, hash: OpaquePointer? = EVP_sha256()) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(handle)))
        var count = signature.count
        let result =
            EVP_DigestSignInit(context, &parameters, hash, nil, handle) == 1
            && EVP_PKEY_CTX_set_rsa_padding(parameters, padding) == 1
            && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        precondition(result, "libcrypto refused to sign.")
        return Array(signature.prefix(count))
    }

    /// The bare RSA operation on a block of the modulus's length that need not be a right one.
    func apply(toBlock block: [UInt8]) -> [UInt8] {
        let context = EVP_PKEY_CTX_new(handle, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: block.count)
        var count = signature.count
        let result =
            EVP_PKEY_sign_init(context) == 1 && EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
            && EVP_PKEY_sign(context, &signature, &count, block, block.count) == 1
        precondition(result, "libcrypto refused the bare RSA operation.")
        return signature
    }
}
