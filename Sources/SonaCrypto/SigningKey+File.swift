internal import SonaBase

extension SigningKey {
    /// Why a key file was not used.
    public enum FileError: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed.
        case system(operation: String, errno: Int32)
        /// Others may read or write the file: it is no secret any more.
        case permissionsTooOpen(mode: UInt32)
        /// The file is no unencrypted Ed25519 key in PEM.
        case notAKey
    }

    /// Reads the key at `path`, or makes one there if there is no such file.
    ///
    /// A new file has mode 0600 whatever the umask, and is complete or not there at all (`SecretFile`). If two processes
    /// make it at once, both get the key of the first.
    public static func loadOrCreate(atPath path: String) throws(FileError) -> SigningKey {
        let bytes: [UInt8]
        do throws(SecretFile.Failure) {
            bytes = try SecretFile.readOrCreate(path, bytesMax: fileBytesMax) { SigningKey().pem }
        } catch {
            throw FileError(error)
        }
        return try key(bytes)
    }

    /// Reads the key at `path`.
    ///
    /// - Returns: `nil` if there is no such file.
    public static func load(fromPath path: String) throws(FileError) -> SigningKey? {
        let bytes: [UInt8]?
        do throws(SecretFile.Failure) {
            bytes = try SecretFile.read(path, bytesMax: fileBytesMax)
        } catch {
            throw FileError(error)
        }
        return if let bytes { try key(bytes) } else { nil }
    }

    /// An Ed25519 key has 119 bytes; a file with more than this is something else.
    private static let fileBytesMax = 4095

    private static func key(_ bytes: [UInt8]) throws(FileError) -> SigningKey {
        guard let key = SigningKey(pem: bytes) else { throw .notAKey }
        return key
    }
}

extension SigningKey.FileError {
    fileprivate init(_ failure: SecretFile.Failure) {
        switch failure {
        case .system(let operation, let errno): self = .system(operation: operation, errno: errno)
        case .permissionsTooOpen(let mode): self = .permissionsTooOpen(mode: mode)
        case .notSuchAFile: self = .notAKey
        }
    }
}
