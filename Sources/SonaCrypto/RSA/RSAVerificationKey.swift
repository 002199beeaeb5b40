internal import COpenSSL

/// The public half of an RSA key, which checks signatures of others by one algorithm: RS256.
///
/// RS256 is RSASSA-PKCS1-v1_5 with SHA-256. What the key is used for is fixed here and never chosen by a message: not
/// another hash, not RSA-PSS.
///
/// Any thread. Some 20 µs to verify with 2048 bits and the usual exponent.
///
/// Source: RFC 8017, section 8.2 (the algorithm); RFC 7518, sections 3.3 and 6.3 (its name, and keys as JSON).
public struct RSAVerificationKey: Sendable {
    /// Why something is not used as a key.
    public enum KeyError: Error, Sendable, Equatable {
        /// The key does not have the form it should have.
        case malformed
        /// A key of another algorithm: elliptic curves, Ed25519, or RSA that is restricted to PSS.
        case otherAlgorithm
        /// An RSA key beyond `modulusBits` or `exponents`, or with an even number where no prime product can be even.
        case unusable
    }

    /// Fewer are no longer safe; more would make verifying dear.
    public static let modulusBits = 2048...8192
    /// Odd ones only.
    public static let exponents: ClosedRange<UInt64> = 3...(1 << 32)

    private let key: RSAPublicKey

    /// Takes a key from the members `n` and `e` of a JSON Web Key.
    ///
    /// - Parameters:
    ///   - modulus: Base64url of the big-endian bytes, without a leading zero byte.
    ///   - exponent: Base64url, in the same form.
    /// - Throws: `malformed`, `unusable`.
    public init(modulus: String, exponent: String) throws(KeyError) {
        // Characters of 8192 bits: a longer text is rejected without being decoded.
        let charactersMax = (Self.modulusBits.upperBound / 8 * 4 + 2) / 3
        guard max(modulus.utf8.count, exponent.utf8.count) <= charactersMax else { throw .unusable }
        guard let n = Base64.decode(modulus), let e = Base64.decode(exponent),
            let first = n.first, first != 0, let first = e.first, first != 0
        else { throw .malformed }
        guard let key = RSAPublicKey(modulus: n, exponent: e) else { throw .malformed }
        try self.init(key)
    }

    /// Takes the key of an X.509 certificate, or a bare SubjectPublicKeyInfo, in PEM.
    ///
    /// A certificate is only a wrapping here: its issuer, dates and purposes are not checked. The key is as trustworthy
    /// as the source of the text.
    ///
    /// - Parameter pem: One block, at most `pemBytesMax` bytes.
    /// - Throws: `malformed`, `otherAlgorithm`, `unusable`.
    public init(pem: [UInt8]) throws(KeyError) {
        guard let key = RSAPublicKey(pem: pem) else { throw .malformed }
        try self.init(key)
    }

    /// A certificate with a key of 8192 bits has some 4 kB.
    public static let pemBytesMax = 16_384

    private init(_ key: RSAPublicKey) throws(KeyError) {
        guard key.isRSA else { throw .otherAlgorithm }
        guard let numbers = key.numbers else { throw .malformed }
        guard Self.modulusBits.contains(numbers.modulusBits), numbers.isModulusOdd,
            Self.exponents.contains(numbers.exponent), numbers.exponent % 2 == 1
        else { throw .unusable }
        self.key = key
    }

    /// Whether `signature` is the RS256 signature of `message` by this key's other half.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Int(EVP_PKEY_get_size(key.handle)), let context = EVP_MD_CTX_new() else {
            return false
        }
        defer { EVP_MD_CTX_free(context) }
        // Owned by `context`.
        var parameters: OpaquePointer?
        let isVerified =
            EVP_DigestVerifyInit(context, &parameters, EVP_sha256(), nil, key.handle) == 1
            && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isVerified { ERR_clear_error() }
        return isVerified
    }
}
