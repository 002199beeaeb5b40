internal import COpenSSL

/// A hash of bytes that come in pieces, such as those of a large file.
///
/// Not for two threads at once; each may have its turn.
public final class HashStream: @unchecked Sendable {
    // Safe as long as its calls do not overlap, which the owner sees to: libcrypto's context may go from thread to
    // thread.

    /// The hashes that are offered, by the names that clients use.
    public enum Algorithm: String, CaseIterable, Sendable {
        case sha1, sha256

        /// Bytes of a digest.
        public var digestBytes: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            }
        }
    }

    private let context: OpaquePointer
    private let algorithm: Algorithm

    /// Source: FIPS 180-4; EVP_DigestInit(3).
    public init(_ algorithm: Algorithm) {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory.") }
        let kind = algorithm == .sha1 ? EVP_sha1() : EVP_sha256()
        let result = EVP_DigestInit_ex(context, kind, nil)
        precondition(result == 1, "libcrypto refused \(algorithm.rawValue).")
        self.context = context
        self.algorithm = algorithm
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        let result = EVP_DigestUpdate(context, base, bytes.count)
        precondition(result == 1, "libcrypto refused to hash.")
    }

    /// The digest of all bytes. Called once, at the end.
    public func finish() -> [UInt8] {
        var output = [UInt8](repeating: 0, count: algorithm.digestBytes)
        var written: UInt32 = 0
        let result = EVP_DigestFinal_ex(context, &output, &written)
        precondition(result == 1 && Int(written) == output.count, "libcrypto refused to end a hash.")
        return output
    }
}
