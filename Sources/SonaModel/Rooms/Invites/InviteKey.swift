internal import SonaBase
internal import SonaCrypto
internal import SonaWire

/// What signs the codes of invites: 32 random bytes in a file beside the database.
///
/// A code is `id(16) ‖ base64url(HMAC-SHA-256(key, room ‖ id) cut to 16 bytes)(22)`: 34 characters. Room and identifier
/// have fixed lengths, so no two pairs have one message. Who guesses a code has one chance in 2^128, and costs no disk.
struct InviteKey: Sendable {
    static let bytes = 32
    /// Characters of the identifiers we make: ASCII letters and digits.
    static let idCount = 12
    /// RFC 2104, section 5: no less than half of the hash.
    private static let tagBytes = 16

    private let secret: [UInt8]

    private init(_ secret: [UInt8]) { self.secret = secret }

    /// A new key that exists in memory only.
    static func random() -> InviteKey { InviteKey(SecureRandom.bytes(bytes)) }

    /// Reads the key at `path`, or makes one there if there is no such file. Of two who make it at once the first one's
    /// counts.
    ///
    /// - Throws: `notSuchAFile` also for a file that has not the bytes of a key.
    static func loadOrCreate(atPath path: String) throws(SecretFile.Failure) -> InviteKey {
        let secret = try SecretFile.readOrCreate(path, bytesMax: bytes) { SecureRandom.bytes(bytes) }
        guard secret.count == bytes else { throw .notSuchAFile }
        return InviteKey(secret)
    }

    static func newID() -> InviteID {
        guard let id = InviteID(SecureRandom.alphanumeric(idCount)) else {
            preconditionFailure("Letters and digits are the identifier of an invite.")
        }
        return id
    }

    func code(_ id: InviteID, _ room: RoomID) -> String { id.rawValue + tag(id, room) }

    /// The invite that a code is for, in a time that tells nothing of how much of it was right.
    ///
    /// - Returns: `nil` for what was not made with this key for this room.
    func verify(_ code: String, _ room: RoomID) -> InviteID? {
        let bytes = Array(code.utf8)
        guard bytes.count > Self.idCount,
            let id = InviteID(String(decoding: bytes.prefix(Self.idCount), as: UTF8.self)),
            Digest.constantTimeEquals(Array(bytes.dropFirst(Self.idCount)), Array(tag(id, room).utf8))
        else { return nil }
        return id
    }

    private func tag(_ id: InviteID, _ room: RoomID) -> String {
        Base64.encode(Digest.hmacSHA256(key: secret, (room.rawValue + id.rawValue).utf8).prefix(Self.tagBytes))
    }
}
