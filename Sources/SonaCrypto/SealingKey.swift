internal import COpenSSL

/// Seals secrets that a server keeps for accounts: whoever has the database alone cannot read them, nor swap two of
/// them.
///
/// AES-256-GCM with a random nonce: `nonce 12 | ciphertext | tag 16`. At most 2^32 secrets under one key, far more than a
/// server ever keeps.
///
/// Source: NIST SP 800-38D; RFC 5116, section 5.2.
public struct SealingKey: Sendable {
    /// Bytes of a key.
    public static let bytes = 32
    private static let nonceBytes = 12
    private static let tagBytes = 16

    private let secret: [UInt8]

    /// - Returns: `nil` unless `secret` has 32 bytes.
    public init?(_ secret: [UInt8]) {
        guard secret.count == Self.bytes else { return nil }
        self.secret = secret
    }

    /// Seals `plain` for the place that `context` names: it opens with the same context only.
    ///
    /// - Parameters:
    ///   - plain: At most 2^20 bytes.
    ///   - context: Names what the secret belongs to; it is not kept in the result.
    public func seal(_ plain: [UInt8], context: [UInt8]) -> [UInt8] {
        precondition(plain.count <= 1 << 20, "A secret has at most a mebibyte.")
        let nonce = SecureRandom.bytes(Self.nonceBytes)
        guard let cipher = EVP_CIPHER_CTX_new() else { preconditionFailure("libcrypto has no memory.") }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var text = [UInt8](repeating: 0, count: plain.count + 16)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        var (count, last): (Int32, Int32) = (0, 0)
        var isMade =
            EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, secret, nonce) == 1
            && EVP_EncryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
            && EVP_EncryptUpdate(cipher, &text, &count, plain, Int32(plain.count)) == 1
        isMade =
            isMade && EVP_EncryptFinal_ex(cipher, &tag, &last) == 1
            && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), &tag) == 1
        precondition(isMade && Int(count) == plain.count && last == 0, "libcrypto refused AES-256-GCM.")
        return nonce + text.prefix(plain.count) + tag
    }

    /// - Returns: `nil` if it was sealed under another key or for another context, or was changed.
    public func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        let length = sealed.count - Self.nonceBytes - Self.tagBytes
        guard length >= 0, length <= 1 << 20, let cipher = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(cipher) }
        let nonce = Array(sealed[..<Self.nonceBytes])
        let text = Array(sealed[Self.nonceBytes..<Self.nonceBytes + length])
        var tag = Array(sealed[(Self.nonceBytes + length)...])
        var plain = [UInt8](repeating: 0, count: length + 16)
        var rest = [UInt8](repeating: 0, count: 16)
        var (count, last): (Int32, Int32) = (0, 0)
        guard EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, secret, nonce) == 1,
            EVP_DecryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1,
            EVP_DecryptUpdate(cipher, &plain, &count, text, Int32(length)) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag) == 1,
            EVP_DecryptFinal_ex(cipher, &rest, &last) == 1
        else { return nil }
        return Array(plain.prefix(length))
    }
}
