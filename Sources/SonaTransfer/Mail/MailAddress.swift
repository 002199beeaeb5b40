/// A mail address in the form that every mail server accepts: `local@domain`, in ASCII, without quotes, comments or a
/// display name.
///
/// No character of it has a special meaning in a header or in SMTP, so it is written into both unchanged. A domain in
/// another script is written in its ASCII form (`xn--…`). The text itself is never in an error or a description.
///
/// Source: RFC 5321, section 4.1.2 (Dot-string, Domain) and 4.5.3.1 (lengths; 254 is what its path of 256 leaves).
public struct MailAddress: Sendable, Hashable {
    /// Most bytes of an address.
    public static let bytesMax = 254

    /// The whole address: local part, `@`, domain.
    public let text: String
    /// The part after the `@`.
    var domain: Substring { text[text.index(after: separator)...] }
    private let separator: String.Index

    /// - Throws: `badInput`.
    public init(_ text: String) throws(TransferError) {
        guard text.utf8.count <= Self.bytesMax, let separator = text.firstIndex(of: "@"),
            Self.isLocalPart(text[..<separator].utf8), Self.isDomain(text[text.index(after: separator)...].utf8)
        else { throw TransferError(.badInput, "What should be a mail address is none") }
        self.text = text
        self.separator = separator
    }

    private static func isLocalPart(_ part: Substring.UTF8View) -> Bool {
        part.count <= 64
            && part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || atomMarks.contains($0) }
            }
    }

    private static func isDomain(_ part: Substring.UTF8View) -> Bool {
        part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            1...63 ~= label.count && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    /// RFC 5322, section 3.2.3.
    private static let atomMarks = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Leaves out the address, which would otherwise get into logs by an interpolation.
extension MailAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same words for every address, so that none reaches a log.
    public var description: String { "a mail address" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` prints no address.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
