internal import COpenSSL

/// Hashes and keyed hashes of short messages. Any thread, O(bytes).
public enum Digest {
    /// Bytes of a SHA-256 digest.
    public static let sha256Bytes = 32

    /// SHA-256 of `bytes`: 32 bytes.
    ///
    /// Source: FIPS 180-4, section 6.2.
    public static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: sha256Bytes)
        var written: UInt32 = 0
        let result = EVP_Digest(input, input.count, &output, &written, EVP_sha256(), nil)
        precondition(result == 1 && Int(written) == sha256Bytes, "libcrypto refused SHA-256.")
        return output
    }

    /// MD5 of `bytes`: 16 bytes. It proves nothing any more; protocols of others ask for it.
    ///
    /// Source: RFC 1321.
    public static func md5(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: 16)
        var written: UInt32 = 0
        let result = EVP_Digest(input, input.count, &output, &written, EVP_md5(), nil)
        precondition(result == 1 && written == 16, "libcrypto refused MD5.")
        return output
    }

    /// HMAC-SHA-256 of `bytes` under `key`: 32 bytes. For a key that is used often there is `HMACKey`.
    ///
    /// Source: RFC 2104; vectors in RFC 4231.
    public static func hmacSHA256(key: some Collection<UInt8>, _ bytes: some Collection<UInt8>) -> [UInt8] {
        let key = Array(key)
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: sha256Bytes)
        var written: UInt32 = 0
        // A NULL key means "the key of before" to HMAC(), so an empty array's pointer must not be NULL: arrays of
        // Swift pass a valid pointer even when they are empty.
        let made = HMAC(EVP_sha256(), key, Int32(clamping: key.count), input, input.count, &output, &written)
        precondition(made != nil && Int(written) == sha256Bytes, "libcrypto refused HMAC-SHA-256.")
        return output
    }

    /// Whether two byte strings are equal, in a time that tells nothing about where they differ.
    ///
    /// Their lengths are not secret: different lengths answer at once.
    public static func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
