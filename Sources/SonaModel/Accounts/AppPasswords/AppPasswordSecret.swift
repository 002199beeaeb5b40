internal import SonaCrypto
internal import SonaWire

/// What an app password says: random, made by the server only.
///
/// Four groups of five of 32 lower-case letters and digits, 100 bits, with a hyphen between them. It is typed on phones,
/// so no two characters look alike and none is a capital.
enum AppPasswordSecret {
    private static let groups = 4
    private static let groupCount = 5
    /// Crockford's 32, in lower case: without i, l, o and u.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    static func random() -> String {
        let bytes = SecureRandom.bytes(groups * groupCount)
        var text: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            if place > 0, place % groupCount == 0 { text.append(UInt8(ascii: "-")) }
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a password is sealed for: its row.
    static func context(_ id: Int64, _ uid: UserID) -> [UInt8] { Array("app password \(id) \(uid.rawValue)".utf8) }
}
