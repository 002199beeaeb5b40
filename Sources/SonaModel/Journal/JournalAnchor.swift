internal import SonaBase
internal import SonaCrypto

/// A recent end of the journal, stored outside of the database in `keys/journal.head`.
///
/// Without it, a database whose last lines *and* head row are from an earlier moment would look valid. The anchor shows
/// that lines are missing only if they existed when it was last written.
struct JournalAnchor: Sendable, Equatable {
    let count: Int64
    let mac: [UInt8]
    let since: Int64

    /// The result of reading the file.
    enum Found: Sendable, Equatable {
        case none
        case anchor(JournalAnchor)
        /// A file without a valid seal of this key.
        case foreign
    }

    private static let fileBytes = 8 + 32 + 8 + 32

    init(_ head: JournalHeadRecord) {
        count = head.count
        mac = head.mac
        since = head.since
    }

    /// ```
    /// offset 0: count, 8: mac of that line, 40: since, 48: seal (32 bytes); numbers big-endian
    /// ```
    private init?(_ bytes: [UInt8], key: JournalKey) {
        guard bytes.count == Self.fileBytes else { return nil }
        func number(_ start: Int) -> Int64 {
            Int64(bitPattern: bytes[start..<start + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        }
        count = number(0)
        mac = Array(bytes[8..<40])
        since = number(40)
        let seal = key.anchorSeal(count: count, mac: mac, since: since)
        guard Digest.constantTimeEquals(Array(bytes[48...]), seal) else { return nil }
    }

    static func read(_ path: String, key: JournalKey) throws(SecretFile.Failure) -> Found {
        do {
            guard let bytes = try SecretFile.read(path, bytesMax: fileBytes) else { return .none }
            return JournalAnchor(bytes, key: key).map(Found.anchor) ?? .foreign
        } catch {
            guard case .system = error else { return .foreign }
            throw error
        }
    }

    func write(_ path: String, key: JournalKey) throws(SecretFile.Failure) {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: count.bigEndian) { bytes.append(contentsOf: $0) }
        bytes += mac
        withUnsafeBytes(of: since.bigEndian) { bytes.append(contentsOf: $0) }
        bytes += key.anchorSeal(count: count, mac: mac, since: since)
        try SecretFile.replace(path, bytes)
    }
}
