internal import Glibc
internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase

/// The key that seals the journal: 32 random bytes in a file beside the database.
///
/// An attacker who can write the database but not read this file cannot alter the journal unnoticed. One who can read
/// it can.
package struct JournalKey: Sendable {
    /// The reason why a key file was not used.
    package enum FileError: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed.
        case system(operation: String, errno: Int32)
        /// Others may read or write the file, so it is not secret.
        case permissionsTooOpen(mode: UInt32)
        /// The file does not have 32 bytes.
        case notAKey

        /// The reason as a text for the person who started the server.
        package var sentence: String {
            switch self {
            case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
            case .permissionsTooOpen(let mode):
                "others may read it (mode \(String(mode, radix: 8))); make a new one, or chmod 600 if nobody has"
            case .notAKey: "it does not have the \(JournalKey.bytes) bytes of a key"
            }
        }
    }

    package static let bytes = 32

    /// Identifies the key without revealing it: the first 8 bytes of its SHA-256, in 16 hex digits.
    package let id: String
    private let secret: [UInt8]
    /// The last head that was sealed or checked. Each line needs it again, and a comparison is cheaper than a hash.
    private let lastSealed = Monitor<JournalHeadRecord?>(nil)

    private init(_ secret: [UInt8]) {
        self.secret = secret
        id = Digest.sha256(secret).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Makes a new key that exists only in memory.
    package static func random() -> JournalKey { JournalKey(SecureRandom.bytes(bytes)) }

    /// Reads the key at `path`, or makes one if there is no such file.
    ///
    /// A new file has mode 0600 whatever the umask is, and appears complete. If two processes make it at once, the
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
/// anchor   'A'  the same fields as head
/// ```
/// Numbers are big-endian. A text is one byte (0: NULL, 1: text); after a 1, 4 bytes of length and the UTF-8 follow. So
/// two different lines never have the same encoding, and no line has that of a head.
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

    /// Makes a sealed head row.
    ///
    /// - Parameter since: The first line under this seal.
    func head(count: Int64, mac: [UInt8], since: Int64) -> JournalHeadRecord {
        let head = JournalHeadRecord(
            id: JournalHeadRecord.only, count: count, mac: mac, keyID: id, since: since,
            seal: headSeal(count: count, mac: mac, since: since))
        lastSealed.withLock { $0 = head }
        return head
    }

    /// HMAC-SHA-256 over an anchor: 32 bytes.
    func anchorSeal(count: Int64, mac: [UInt8], since: Int64) -> [UInt8] {
        seal(UInt8(ascii: "A"), count: count, mac: mac, since: since)
    }

    /// Whether the seal of the head is valid for this key.
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
