/// Encrypts small secrets with a passphrase, for places that others may read. Any thread; half a second and 128 MiB.
///
/// ```
/// box   "SONABOX1" 8   logN 1   r 1   p 1   salt 16   nonce 12  ciphertext  tag 16
/// ```
/// scrypt makes the key of the passphrase and the salt; AES-256-GCM encrypts. Everything before the nonce is
/// authenticated together with the caller's context.
///
/// Source: RFC 7914; NIST SP 800-38D.
public enum PassphraseBox {
    /// Fewest bytes of a passphrase.
    public static let passphraseBytesMin = 12

    /// Failures of opening a box.
    public enum OpenError: Error, Sendable, Equatable {
        /// The bytes are no box, or one with a cost that this program refuses.
        case notABox
        /// The passphrase or the context is another one, or the box was changed.
        case wrongPassphrase
        /// There is not enough memory to derive the key.
        case outOfMemory
    }

    private static let magic = Array("SONABOX1".utf8)
    private static let saltBytes = 16
    private static let headerBytes = magic.count + 3 + saltBytes

    /// The cost of a new box: N = 2^17, r = 8, p = 1, which are 128 MiB.
    public static let cost = PasswordHash.Cost(logN: 17, r: 8, p: 1) ?? .standard

    /// - Parameter context: What the secret belongs to. The same is needed to open the box.
    /// - Throws: `outOfMemory`.
    public static func seal(
        _ secret: [UInt8], passphrase: [UInt8], context: [UInt8], cost: PasswordHash.Cost = cost
    ) throws(OpenError) -> [UInt8] {
        let header =
            magic + [UInt8(cost.logN), UInt8(cost.r), UInt8(cost.p)] + SecureRandom.bytes(saltBytes)
        return header + (try key(header, passphrase, cost)).seal(secret, for: header + context)
    }

    /// - Throws: `notABox`, `wrongPassphrase`, `outOfMemory`.
    public static func open(
        _ box: [UInt8], passphrase: [UInt8], context: [UInt8]
    ) throws(OpenError) -> [UInt8] {
        guard box.count >= headerBytes + SealingKey.overhead, box.starts(with: magic) else { throw .notABox }
        let header = Array(box.prefix(headerBytes))
        guard let cost = PasswordHash.Cost(logN: Int(header[8]), r: Int(header[9]), p: Int(header[10])) else {
            throw .notABox
        }
        let key = try key(header, passphrase, cost)
        guard let secret = key.open(Array(box.dropFirst(headerBytes)), for: header + context) else {
            throw .wrongPassphrase
        }
        return secret
    }

    private static func key(
        _ header: [UInt8], _ passphrase: [UInt8], _ cost: PasswordHash.Cost
    ) throws(OpenError) -> SealingKey {
        let salt = Array(header.suffix(saltBytes))
        guard let secret = PasswordHash.derive(passphrase, salt: salt, cost: cost, count: SealingKey.bytes) else {
            throw .outOfMemory
        }
        return SealingKey(secret)
    }
}
