internal import COpenSSL

/// Slow, salted hashes of passwords, kept as PHC strings: `$scrypt$ln=15,r=8,p=3$salt$hash`.
///
/// A hash takes a tenth of a second and 32 MiB at the standard cost: call these functions on workers of your own, never on an
/// event loop or a thread of Swift's cooperative pool.
///
/// Passwords are hashed as the UTF-8 bytes that were typed, without Unicode normalisation: somebody who types `é` as
/// one character here and as two there has typed two passwords. NULs at the very end of a password make no difference
/// (scrypt's HMAC pads its key with them): who accepts passwords from outside had better refuse NULs.
///
/// Source: RFC 7914 (scrypt); the PHC string format of the Password Hashing Competition; OWASP Password Storage
/// Cheat Sheet for the parameters.
public enum PasswordHash {
    /// How much work one hash is.
    public struct Cost: Sendable, Hashable {
        /// The logarithm of N, scrypt's number of iterations.
        public let logN: Int
        /// The block size; memory is 128 · N · r bytes.
        public let r: Int
        /// How often the whole is repeated; costs time and no memory.
        public let p: Int

        /// - Returns: `nil` for parameters that scrypt does not allow or that need more than 256 MiB or 16 rounds.
        public init?(logN: Int, r: Int, p: Int) {
            guard 1...20 ~= logN, 1...32 ~= r, 1...16 ~= p, (128 << logN) * r <= 256 << 20,
                // RFC 7914, section 2: N < 2^(128 · r / 8).
                logN < 16 * r
            else { return nil }
            self.init(uncheckedLogN: logN, r: r, p: p)
        }

        private init(uncheckedLogN logN: Int, r: Int, p: Int) {
            self.logN = logN
            self.r = r
            self.p = p
        }

        /// N = 2^15, r = 8, p = 3: what OWASP puts beside N = 2^17, p = 1, with 32 MiB in place of 128.
        public static let standard = Cost(uncheckedLogN: 15, r: 8, p: 3)
        /// Next to no work: for tests only.
        public static let test = Cost(uncheckedLogN: 4, r: 8, p: 1)
    }

    /// The failures of hashing that are not a wrong password.
    public enum HashError: Error, Sendable, Equatable {
        /// libcrypto could not compute the hash, usually for lack of memory.
        case outOfMemory
    }

    /// Hashes `password` under a new random salt of 16 bytes; the hash has 32 bytes.
    public static func hash(_ password: String, cost: Cost = .standard) throws(HashError) -> String {
        let salt = SecureRandom.bytes(saltBytes)
        guard let hash = derive(Array(password.utf8), salt: salt, cost: cost, count: hashBytes) else {
            throw .outOfMemory
        }
        return PHCString(cost: cost, salt: salt, hash: hash).text
    }

    /// Whether `password` is the one that `phc` was made from.
    ///
    /// The comparison takes the same time wherever the hashes differ. Parameters are bounded before any memory is
    /// taken, so a doctored string cannot ask for a gigabyte. A malformed string verifies nothing.
    public static func verify(_ password: String, against phc: String) -> Bool {
        guard let parsed = PHCString(phc),
            let hash = derive(Array(password.utf8), salt: parsed.salt, cost: parsed.cost, count: parsed.hash.count)
        else { return false }
        return Digest.constantTimeEquals(hash, parsed.hash)
    }

    /// Whether `phc` was made with other parameters than `cost` and is better made again at the next sign-in.
    public static func needsRehash(_ phc: String, cost: Cost = .standard) -> Bool {
        guard let parsed = PHCString(phc) else { return true }
        return parsed.cost != cost || parsed.salt.count != saltBytes || parsed.hash.count != hashBytes
    }

    /// A string that looks like a hash of `cost` and that no password matches.
    ///
    /// Verifying against it takes as long as against a real one: for unknown users, so that time does not tell them
    /// from known ones. Cheap: nothing is hashed.
    public static func unmatchable(cost: Cost = .standard) -> String {
        PHCString(cost: cost, salt: SecureRandom.bytes(saltBytes), hash: SecureRandom.bytes(hashBytes)).text
    }

    private static let saltBytes = 16
    private static let hashBytes = 32

    /// Source: RFC 7914, section 6.
    static func derive(_ password: [UInt8], salt: [UInt8], cost: Cost, count: Int) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: count)
        // 128 · N · r for the large array, as much again as slack for the small ones (128 · r · p and less).
        let memoryMax = UInt64(128 << cost.logN) * UInt64(cost.r) + (2 << 20)
        let result = password.withUnsafeBytes { bytes in
            EVP_PBE_scrypt(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, salt, salt.count,
                1 << UInt64(cost.logN), UInt64(cost.r), UInt64(cost.p), memoryMax, &output, count)
        }
        guard result == 1 else {
            ERR_clear_error()
            return nil
        }
        return output
    }
}
