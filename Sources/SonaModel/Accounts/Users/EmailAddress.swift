internal import SonaTransfer
internal import SonaWire

/// An e-mail address as somebody typed it at sign-up or sign-in.
///
/// There are two forms of it. What is looked up may be any address that somebody could have here: older servers took more
/// than mail can reach. What is taken for an account (`deliverable`) is an address that our own mailer sends to.
///
/// Spaces around it are dropped. It has one `@` with something on both sides, at most 254 bytes, and no spaces or
/// control characters; whether mail arrives there is another question. Two addresses are the same if their keys are:
/// A–Z folded to a–z and every other byte as it is.
struct EmailAddress: Sendable, Equatable {
    let text: String
    let key: String

    /// An address that mail can be sent to, by the rule of whoever sends it: `SonaTransfer.MailAddress`.
    static func deliverable(_ typed: String) -> EmailAddress? {
        guard let address = EmailAddress(typed), (try? MailAddress(address.text)) != nil else { return nil }
        return address
    }

    init?(_ typed: String) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        // No address has that many spaces around it.
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
