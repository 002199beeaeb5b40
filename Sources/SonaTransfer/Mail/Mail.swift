internal import Glibc

/// One plain text mail to one person, checked when it is made.
///
/// It gets its Date and Message-ID here and keeps them however often it is tried: should a mail arrive twice since the
/// answer to the first try was lost, the reader's program can see that the two are one.
public struct Mail: Sendable {
    /// Most bytes of a subject, in UTF-8.
    public static let subjectBytesMax = 1_000
    /// Most bytes of the sender's display name, in UTF-8.
    public static let nameBytesMax = 100
    /// Most bytes of a text, in UTF-8.
    public static let textBytesMax = 256 << 10

    /// The sender's address, also the one that bounces go to.
    public let from: MailAddress
    /// The one recipient.
    public let to: MailAddress
    /// The subject in Unicode; it is encoded when the mail is written out.
    public let subject: String
    /// The plain text in Unicode.
    public let text: String
    let fromName: String
    /// Seconds since 1970.
    let time: Int
    /// The Message-ID with its angle brackets.
    let messageID: String

    /// - Parameters:
    ///   - fromName: Shown in place of the address of `from`; may be empty.
    ///   - subject: One line without control characters, at most `subjectBytesMax` bytes of UTF-8.
    ///   - text: Lines of any length, ended by LF or CRLF; at most `textBytesMax` bytes of UTF-8.
    /// - Throws: `badInput` for a control character in `subject` or `fromName`, a NUL in `text`, or one too long.
    public init(
        from: MailAddress, fromName: String = "", to: MailAddress, subject: String, text: String
    ) throws(TransferError) {
        try self.init(from: from, fromName: fromName, to: to, subject: subject, text: text, time: Glibc.time(nil))
    }

    init(
        from: MailAddress, fromName: String = "", to: MailAddress, subject: String, text: String, time: Int
    ) throws(TransferError) {
        try Self.check("The subject", subject, bytesMax: Self.subjectBytesMax)
        try Self.check("The sender's name", fromName, bytesMax: Self.nameBytesMax)
        guard text.utf8.count <= Self.textBytesMax, !text.utf8.contains(0) else {
            throw TransferError(.badInput, "The text of a mail is too long or holds a NUL")
        }
        self.from = from
        self.fromName = fromName
        self.to = to
        self.subject = subject
        self.text = text
        self.time = time
        messageID = "<\(Self.randomName())@\(from.domain)>"
    }

    /// A line break in a header would begin another header, or the text.
    private static func check(_ what: String, _ text: String, bytesMax: Int) throws(TransferError) {
        guard text.utf8.count <= bytesMax else { throw TransferError(.badInput, "\(what) of a mail is too long") }
        // Other kinds of line break too: some programs between here and the reader split lines at them.
        let isControl = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
        }
        guard !text.unicodeScalars.contains(where: isControl) else {
            throw TransferError(.badInput, "\(what) of a mail holds a control character or a line break")
        }
    }

    private static func randomName() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36) + "." + String(generator.next(), radix: 36)
    }
}

/// Leaves out addresses and text, which would otherwise get into logs by an interpolation.
extension Mail: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same words for every mail, so that no address or text reaches a log.
    public var description: String { "a mail" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` prints no address or text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
