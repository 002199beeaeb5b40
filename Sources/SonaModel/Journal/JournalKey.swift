internal import Glibc
internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase

/// What seals the journal: 32 random bytes in a file beside the database, not in it.
///
/// Whoever can write the database and can't read this file can't alter the journal unnoticed. Whoever can read it can.
package struct JournalKey: Sendable {
    /// Why a key file was not used.
    package enum FileError: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed.
        case system(operation: String, errno: Int32)
        /// Others may read or write the file: it is no secret any more.
        case permissionsTooOpen(mode: UInt32)
        /// The file has not 32 bytes.
        case notAKey

        /// For the person who started the server.
        package var sentence: String {
            switch self {
            case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
            case .permissionsTooOpen(let mode):
                "others may read it (mode \(String(mode, radix: 8))); make a new one, or chmod 600 if nobody has"
            case .notAKey: "it has not the \(JournalKey.bytes) bytes of a key"
            }
        }
    }

    package static let bytes = 32

    /// Tells keys apart and nothing of them: the first 8 bytes of their SHA-256, in 16 hex digits.
    package let id: String
    private let secret: [UInt8]
    /// The head that was sealed last, or found to be: each line asks for it again, and a comparison is cheaper than a hash.
    private let lastSealed = Monitor<JournalHeadRecord?>(nil)

    private init(_ secret: [UInt8]) {
        self.secret = secret
        id = Digest.sha256(secret).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// A new key that exists in memory only.
    package static func random() -> JournalKey { JournalKey(SecureRandom.bytes(bytes)) }

    /// Reads the key at `path`, or makes one there if there is no such file.
    ///
    /// A new file has mode 0600 whatever the umask, and is complete or not there at all. Of two who make it at once the
    /// first one's counts.
    package static func loadOrCreate(atPath path: String) throws(FileError) -> JournalKey {
        let secret: [UInt8]
        do {
            secret = try SecretFile.readOrCreate(path, bytesMax: bytes) { SecureRandom.bytes(bytes) }
        } catch {
            throw FileError(error)
        }
        guard secret.count == bytes else { throw .notAKey }
        return JournalKey(secret)
    }
}

extension JournalKey.FileError {
    fileprivate init(_ failure: SecretFile.Failure) {
        switch failure {
        case .system(let operation, let errno): self = .system(operation: operation, errno: errno)
        case .permissionsTooOpen(let mode): self = .permissionsTooOpen(mode: mode)
        case .notSuchAFile: self = .notAKey
        }
    }
}

// MARK: Sealing

/// ```
/// line     'L'  id 8  at_ms 8  kind  actor  subject  detail  mac of the line before 32
/// head     'H'  count 8  mac of the last line 32  since 8
/// anchor   'A'  the same
/// ```
/// Numbers are big-endian. A text is a byte (0 for NULL, 1) and, after a 1, 4 bytes of length and its UTF-8. So no two
/// lines have one encoding, and no line has that of a head.
extension JournalKey {
    /// HMAC-SHA-256 over a line and the mac of the line before it: 32 bytes.
    func mac(_ line: JournalLine, after previous: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160 + line.detail.utf8.count)
        bytes.append(UInt8(ascii: "L"))
        Self.append(line.id, to: &bytes)
        Self.append(line.atMilliseconds, to: &bytes)
        Self.append(line.kind, to: &bytes)
        Self.append(line.actor, to: &bytes)
        Self.append(line.subject, to: &bytes)
        Self.append(line.detail, to: &bytes)
        bytes.append(contentsOf: previous)
        return Digest.hmacSHA256(key: secret, bytes)
    }

    /// - Parameter since: The first line under this key.
    func head(count: Int64, mac: [UInt8], since: Int64) -> JournalHeadRecord {
        let head = JournalHeadRecord(
            id: JournalHeadRecord.only, count: count, mac: mac, keyID: id, since: since,
            seal: headSeal(count: count, mac: mac, since: since))
        lastSealed.withLock { $0 = head }
        return head
    }

    func anchorSeal(count: Int64, mac: [UInt8], since: Int64) -> [UInt8] {
        seal(UInt8(ascii: "A"), count: count, mac: mac, since: since)
    }

    /// Whether the head is one that this key has sealed.
    func seals(_ head: JournalHeadRecord) -> Bool {
        if lastSealed.withLock({ $0 == head }) { return true }
        let seal = headSeal(count: head.count, mac: head.mac, since: head.since)
        guard head.keyID == id, Digest.constantTimeEquals(head.seal, seal) else { return false }
        lastSealed.withLock { $0 = head }
        return true
    }

    private func headSeal(count: Int64, mac: [UInt8], since: Int64) -> [UInt8] {
        seal(UInt8(ascii: "H"), count: count, mac: mac, since: since)
    }

    private func seal(_ use: UInt8, count: Int64, mac: [UInt8], since: Int64) -> [UInt8] {
        var bytes = [use]
        bytes.reserveCapacity(64)
        Self.append(count, to: &bytes)
        bytes.append(contentsOf: mac)
        Self.append(since, to: &bytes)
        return Digest.hmacSHA256(key: secret, bytes)
    }

    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard let text else { return bytes.append(0) }
        bytes.append(1)
        withUnsafeBytes(of: UInt32(clamping: text.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: text.utf8)
    }
}
