internal import SonaTransfer
internal import SonaWire

/// An e-mail address as somebody typed it at sign-up or sign-in.
///
/// There are two forms. `init` accepts every address that an account may have: older servers accepted more than mail
/// can reach. `deliverable` accepts only addresses that our own mailer sends to, and is used for new addresses.
///
/// Spaces around the address are dropped. It has one `@` with something on both sides, at most 254 bytes, and no spaces
/// or control characters. Whether mail arrives there is unknown. Two addresses are the same if their keys are: A–Z
/// folded to a–z, every other byte unchanged.
struct EmailAddress: Sendable, Equatable {
    let text: String
    let key: String

    /// Returns an address that mail can be sent to, by the rules of `SonaTransfer.MailAddress`. `nil` for any other.
    static func deliverable(_ typed: String) -> EmailAddress? {
        guard let address = EmailAddress(typed), (try? MailAddress(address.text)) != nil else { return nil }
        return address
    }

    init?(_ typed: String) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        // Bounds the work for a text of nothing but spaces.
        guard typed.utf8.count <= Limits.emailBytes.upperBound * 4 else { return nil }
        var bytes = Array(typed.utf8)[...]
        bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        guard Limits.emailBytes.contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
        key = String(decoding: bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
