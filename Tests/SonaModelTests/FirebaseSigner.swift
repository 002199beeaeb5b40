import COpenSSL
import SonaCrypto

/// Plays the part of Google: signs tokens with an RSA key and publishes its public half.
///
/// Safe to share: it never changes after it was made.
final class FirebaseSigner: @unchecked Sendable {
    /// Making a key takes a tenth of a second, so the tests share these.
    static let first = FirebaseSigner(kid: "1f88b814f4b0f3a1")
    static let second = FirebaseSigner(kid: "f90fb1ae048a548f")
    /// A key with the shortest possible name.
    static let short = FirebaseSigner(kid: "K")

    let kid: String
    private let handle: OpaquePointer

    init(kid: String, bits: Int32 = 2048) {
        self.kid = kid
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var handle: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            EVP_PKEY_keygen(context, &handle) == 1, let handle
        else { preconditionFailure("libcrypto refused to make a key.") }
        self.handle = handle
    }

    deinit { EVP_PKEY_free(handle) }

    // MARK: Public forms

    /// The members of a JSON Web Key that hold its numbers.
    var numbers: String {
        #""n":"\#(number(OSSL_PKEY_PARAM_RSA_N))","e":"\#(number(OSSL_PKEY_PARAM_RSA_E))""#
    }

    /// The key in the form of Google's set.
    var jwk: String { #"{"kty":"RSA","use":"sig","alg":"RS256","kid":"\#(kid)",\#(numbers)}"# }

    var publicKeyPEM: String { pem { PEM_write_bio_PUBKEY($0, handle) } }

    var certificatePEM: String {
        let certificate = X509_new()
        defer { X509_free(certificate) }
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3_600)
        X509_set_pubkey(certificate, handle)
        precondition(X509_sign(certificate, handle, EVP_sha256()) > 0, "libcrypto refused to sign.")
        return pem { PEM_write_bio_X509($0, certificate) }
    }

    /// A key of another algorithm, as a public key in PEM.
    static func ed25519PEM() -> String {
        let handle = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, [UInt8](repeating: 7, count: 32), 32)
        defer { EVP_PKEY_free(handle) }
        return pem { PEM_write_bio_PUBKEY($0, handle) }
    }

    private func number(_ name: String) -> String {
        var value: OpaquePointer?
        defer { BN_free(value) }
        precondition(EVP_PKEY_get_bn_param(handle, name, &value) == 1, "The key has no such number.")
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(value)) + 7) / 8)
        BN_bn2bin(value, &bytes)
        return Base64.encode(bytes)
    }

    private func pem(_ write: (OpaquePointer?) -> Int32) -> String { Self.pem(write) }

    private static func pem(_ write: (OpaquePointer?) -> Int32) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        precondition(write(bio) == 1, "libcrypto refused to write PEM.")
        var text = [UInt8](repeating: 0, count: 8_192)
        let count = BIO_read(bio, &text, Int32(text.count))
        return String(decoding: text.prefix(max(0, Int(count))), as: UTF8.self)
    }

    // MARK: Signing

    /// RS256.
    func sign(_ message: String) -> [UInt8] {
        let message = Array(message.utf8)
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(handle)))
        var count = signature.count
        let result =
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1
            && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        precondition(result, "libcrypto refused to sign.")
        return signature
    }
}
