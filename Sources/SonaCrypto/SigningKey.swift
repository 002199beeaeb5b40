internal import COpenSSL

/// An Ed25519 key pair that signs tokens.
///
/// Any thread. Signing takes some 50 µs, verifying some 150 µs.
///
/// Source: RFC 8032 (Ed25519), RFC 8410 (its PEM form), RFC 8037 and RFC 7638 (its JWK form and key identifier).
public struct SigningKey: Sendable {
    /// Names the key in token headers and in the key set: the JWK thumbprint, 43 characters of base64url.
    public let keyID: String
    /// The public half as a JSON object for `/.well-known/jwks.json`.
    public let publicJWK: String

    /// Bytes of every signature.
    public static let signatureBytes = 64

    private let pair: KeyPair

    /// Makes a new key that exists in memory only.
    public init() {
        var secret = SecureRandom.bytes(32)
        defer { secret.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        guard let handle = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, secret.count),
            let key = SigningKey(KeyPair(handle))
        else { preconditionFailure("libcrypto refused to make an Ed25519 key.") }
        self = key
    }

    /// Reads the PKCS #8 form that `pem` writes. Encrypted keys and keys of other kinds are refused.
    public init?(pem: [UInt8]) {
        // The BIO reads from these bytes as long as it is there.
        let handle = pem.withUnsafeBytes { pem -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(pem.baseAddress, Int32(clamping: pem.count)) else { return nil }
            defer { BIO_free(bio) }
            // Without this callback libcrypto would ask for a password on the terminal.
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let handle else {
            ERR_clear_error()
            return nil
        }
        let pair = KeyPair(handle)
        guard EVP_PKEY_get_id(handle) == EVP_PKEY_ED25519 else { return nil }
        self.init(pair)
    }

    private init?(_ pair: KeyPair) {
        var point = [UInt8](repeating: 0, count: 32)
        var count = point.count
        guard EVP_PKEY_get_raw_public_key(pair.handle, &point, &count) == 1, count == 32 else { return nil }
        let x = Base64.encode(point)
        // RFC 7638: the required members in lexical order, without white space.
        let thumbprint = Base64.encode(Digest.sha256(#"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#.utf8))
        self.pair = pair
        keyID = thumbprint
        publicJWK =
            #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"\#(thumbprint)","use":"sig","alg":"EdDSA"}"#
    }

    /// The private key in PKCS #8, as PEM. A secret: keep it out of logs.
    public var pem: [UInt8] {
        guard let bio = BIO_new(BIO_s_mem()) else { preconditionFailure("libcrypto has no memory for a key.") }
        defer { BIO_free(bio) }
        let written = PEM_write_bio_PrivateKey(bio, pair.handle, nil, nil, 0, nil, nil)
        precondition(written == 1, "libcrypto refused to write an Ed25519 key.")
        var text = [UInt8](repeating: 0, count: 1024)
        let count = BIO_read(bio, &text, Int32(text.count))
        return Array(text.prefix(max(0, Int(count))))
    }

    /// Signs `message`: 64 bytes.
    public func sign(_ message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory to sign.") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Self.signatureBytes)
        var count = signature.count
        let result =
            EVP_DigestSignInit(context, nil, nil, nil, pair.handle) == 1
            && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        precondition(result && count == Self.signatureBytes, "libcrypto refused to sign with Ed25519.")
        return signature
    }

    /// Whether `signature` is this key's signature of `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureBytes, let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, pair.handle) == 1 else {
            ERR_clear_error()
            return false
        }
        let result = EVP_DigestVerify(context, signature, signature.count, message, message.count)
        if result != 1 { ERR_clear_error() }
        return result == 1
    }
}

/// Owns the EVP_PKEY.
///
/// Safe to share: the key is never changed after it was made, and libcrypto counts references to it atomically.
private final class KeyPair: @unchecked Sendable {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { EVP_PKEY_free(handle) }
}
