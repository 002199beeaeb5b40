internal import COpenSSL

/// Seals secrets that the server must read again, such as passwords of other services. Any thread, O(bytes).
///
/// ```
/// sealed   nonce 12  ciphertext  tag 16
/// ```
/// AES-256-GCM. Nonces are random: 2^32 sealings with one key stay far below the chance of a repetition (NIST SP 800-38D,
/// section 8.3). The context is authenticated and not stored, so that a sealed text that is moved to another row does not
/// open there.
public struct SealingKey: Sendable {
    /// Bytes of the secret that a key is made of.
    public static let bytes = 32
    /// Bytes by which a sealed text is longer than what is in it.
    public static let overhead = nonceBytes + tagBytes
    private static let nonceBytes = 12
    private static let tagBytes = 16

    private let secret: [UInt8]
    private let cipherKey: [UInt8]

    /// - Parameter secret: Has `bytes` random bytes.
    public init(_ secret: [UInt8]) {
        precondition(secret.count == Self.bytes, "The secret of a sealing key has \(Self.bytes) bytes.")
        self.secret = secret
        cipherKey = Digest.hmacSHA256(key: secret, "seal".utf8)
    }

    /// A new key that exists in memory only.
    public static func random() -> SealingKey { SealingKey(SecureRandom.bytes(bytes)) }

    /// A key for another use, derived from the same secret.
    ///
    /// - Parameter purpose: Two purposes have two keys.
    public func key(for purpose: StaticString) -> HMACKey {
        HMACKey(Digest.hmacSHA256(key: secret, "key \(purpose)".utf8))
    }

    /// - Parameter context: What the text belongs to. The same is needed to open it.
    public func seal(_ text: [UInt8], for context: [UInt8]) -> [UInt8] {
        let nonce = SecureRandom.bytes(Self.nonceBytes)
        guard let cipher = EVP_CIPHER_CTX_new() else { preconditionFailure("There is no memory for a cipher.") }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var (ciphertext, tag) = ([UInt8](repeating: 0, count: text.count), [UInt8](repeating: 0, count: Self.tagBytes))
        var (count, end): (Int32, Int32) = (0, 0)
        var rest = [UInt8](repeating: 0, count: Self.tagBytes)
        let isSealed =
            EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, cipherKey, nonce) == 1
            && EVP_EncryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
            && EVP_EncryptUpdate(cipher, &ciphertext, &count, text, Int32(text.count)) == 1
            && EVP_EncryptFinal_ex(cipher, &rest, &end) == 1
            && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), &tag) == 1
        precondition(isSealed && Int(count) == text.count, "libcrypto refused AES-256-GCM.")
        return nonce + ciphertext + tag
    }

    /// - Returns: `nil` for what this key has not sealed for this context.
    public func open(_ sealed: [UInt8], for context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.overhead else { return nil }
        let nonce = Array(sealed.prefix(Self.nonceBytes))
        let ciphertext = Array(sealed[Self.nonceBytes..<(sealed.count - Self.tagBytes)])
        var tag = Array(sealed.suffix(Self.tagBytes))
        guard let cipher = EVP_CIPHER_CTX_new() else { preconditionFailure("There is no memory for a cipher.") }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var text = [UInt8](repeating: 0, count: ciphertext.count)
        var (count, end): (Int32, Int32) = (0, 0)
        var rest = [UInt8](repeating: 0, count: Self.tagBytes)
        let isOpen =
            EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, cipherKey, nonce) == 1
            && EVP_DecryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
            && EVP_DecryptUpdate(cipher, &text, &count, ciphertext, Int32(ciphertext.count)) == 1
            && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag) == 1
            && EVP_DecryptFinal_ex(cipher, &rest, &end) == 1
        return isOpen ? text : nil
    }
}
