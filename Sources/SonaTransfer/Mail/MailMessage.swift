/// A mail as a message for mail programs. ASCII only, every line far below the 998 bytes that a line may have.
///
/// Source: RFC 5322 (message, section 3.6), RFC 2045 (MIME), RFC 3834 (Auto-Submitted: nobody's holiday answer).
struct MailMessage {
    let lines: [String]

    init(_ mail: Mail) {
        let header =
            Self.sender(mail)
            + Self.field("To: ", [mail.to.text])
            + Self.field("Subject: ", HeaderText.encode(mail.subject))
            + [
                "Date: " + MailDate.text(mail.time),
                "Message-ID: " + mail.messageID,
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
                "Auto-Submitted: auto-generated",
            ]
        lines = header + [""] + QuotedPrintable.lines(of: mail.text)
    }

    /// - Parameter lineEnd: CRLF for SMTP, LF for programs, which take a text as this system writes it.
    func bytes(lineEnd: String) -> [UInt8] { Array(lines.map { $0 + lineEnd }.joined().utf8) }

    private static func sender(_ mail: Mail) -> [String] {
        guard !mail.fromName.isEmpty else { return field("From: ", [mail.from.text]) }
        return field("From: ", HeaderText.phrase(mail.fromName) + ["<\(mail.from.text)>"])
    }

    /// A part on each line: a header goes on where a line begins with a blank.
    private static func field(_ name: String, _ parts: [String]) -> [String] {
        parts.enumerated().map { ($0.offset == 0 ? name : " ") + $0.element }
    }
}
