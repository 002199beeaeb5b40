import Testing

@testable import SonaTransfer

struct MailTests {
    private func mail(
        fromName: String = "", subject: String = "Hello", text: String = "Text.\n", time: Int = 1_700_000_000
    ) throws -> Mail {
        try Mail(
            from: MailAddress("sona@radio.example"), fromName: fromName, to: MailAddress("ann@example.org"),
            subject: subject, text: text, time: time)
    }

    private func lines(_ mail: Mail) -> [String] {
        let text = String(decoding: MailMessage(mail).bytes(lineEnd: "\r\n"), as: UTF8.self)
        #expect(text.utf8.allSatisfy { $0 < 128 })
        #expect(text.hasSuffix("\r\n"))
        let lines = text.unicodeScalars.split(separator: "\r\n".unicodeScalars, omittingEmptySubsequences: false)
            .map { String($0) }
        #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0 == "\r" || $0 == "\n" } })
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        return Array(lines.dropLast())
    }

    @Test func `a message has the fields that it needs, each once`() throws {
        let message = try MailReader(lines(mail()))
        #expect(
            message.fields.map(\.name) == [
                "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding", "Auto-Submitted",
            ])
        #expect(message.value("From") == "sona@radio.example")
        #expect(message.value("To") == "ann@example.org")
        #expect(message.value("Subject") == "Hello")
        #expect(message.value("Date") == "Tue, 14 Nov 2023 22:13:20 +0000")
        #expect(message.text == "Text.\n")
        let identifier = try #require(message.value("Message-ID"))
        #expect(identifier.hasPrefix("<") && identifier.hasSuffix("@radio.example>"))
        #expect(try identifier != MailReader(lines(mail())).value("Message-ID"))
    }

    @Test func `a mail keeps its Message-ID and Date when it is tried again`() throws {
        let mail = try mail()
        #expect(lines(mail) == lines(mail))
    }

    @Test(arguments: [
        (0, "Thu, 1 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 +0000"),
    ])
    func `a date is written as RFC 5322 has it`(time: Int, expected: String) {
        #expect(MailDate.text(time) == expected)
    }

    @Test(arguments: [
        "", "x", "Grüße aus Köln", "Привет, это очень длинная тема письма, которая не помещается в одну строку",
        String(repeating: "🎧", count: 100), String(repeating: "a", count: 64), String(repeating: "a", count: 65),
        String(repeating: "word ", count: 199), " blanks ", "=?UTF-8?Q?not_encoded?=", "a=?b",
        "e\u{301}" + String(repeating: "\u{302}", count: 100), String(repeating: "ß", count: 500),
    ])
    func `a subject can be read back`(subject: String) throws {
        let mail = try mail(subject: subject)
        let value = try #require(try MailReader(lines(mail)).value("Subject"))
        #expect(try MailReader.decoded(value).unicodeScalars.elementsEqual(subject.unicodeScalars))
    }

    @Test(arguments: ["Sona", "Radio Köln", "Sona, \"the\" <station>", "x@y.example", "=?UTF-8?B?eA==?="])
    func `a sender's name can be read back and never becomes an address`(name: String) throws {
        let value = try #require(try MailReader(lines(mail(fromName: name))).value("From"))
        #expect(value.hasSuffix(" <sona@radio.example>"))
        #expect(value.filter { $0 == "<" || $0 == "@" || $0 == "," || $0 == "\"" } == "<@")
        #expect(try MailReader.decoded(String(value.dropLast(21))) == name)
    }

    @Test(arguments: [
        "", "one\n", ".\n", "..\n.dot\n", "\n\n", "Grüße\n", "a=b\n", "From here\nFrom \nfrom x\n",
        "tab\t\nblank \n \n",
        "\u{1}\u{7F}\n", String(repeating: "x", count: 10_000) + "\n", String(repeating: "ü", count: 5_000) + "\n",
        String(repeating: "x", count: 75) + "\n", String(repeating: "x", count: 76) + "\n",
        String(repeating: "x", count: 74) + " \n", "日本語のテキスト\n",
    ])
    func `a text can be read back`(text: String) throws {
        let lines = try lines(mail(text: text))
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
        #expect(lines.allSatisfy { !$0.hasPrefix("From ") && !$0.hasSuffix("\t") })
        #expect(try MailReader(lines, isStuffed: false).text == text)
    }

    @Test func `every kind of line end is one, and the last line needs none`() throws {
        let text = try MailReader(lines(mail(text: "a\r\nb\rc\nd\r\r\ne"))).text
        #expect(text == "a\nb\nc\nd\n\ne\n")
    }

    @Test(arguments: [
        "a\r\nBcc: eve@example.org", "a\nb", "a\rb", "a\0b", "\u{85}", "a\u{2028}b", "a\u{2029}b", "\u{1B}[31m", "\t",
    ])
    func `a line break or a control character in a header is refused`(text: String) throws {
        let subject = #expect(throws: TransferError.self) { try mail(subject: text) }
        #expect(subject?.code == .badInput)
        let name = #expect(throws: TransferError.self) { try mail(fromName: text) }
        #expect(name?.code == .badInput)
        #expect(throws: TransferError.self) { try MailAddress(text + "@example.org") }
        #expect(throws: TransferError.self) { try MailAddress("ann@example.org" + text) }
    }

    @Test func `texts at their limits are taken, one byte more is not`() throws {
        let longest = String(repeating: "s", count: Mail.subjectBytesMax)
        _ = try mail(subject: longest)
        #expect(throws: TransferError.self) { try mail(subject: longest + "s") }
        let name = String(repeating: "n", count: Mail.nameBytesMax)
        _ = try mail(fromName: name)
        #expect(throws: TransferError.self) { try mail(fromName: name + "n") }
        let text = String(repeating: "t", count: Mail.textBytesMax)
        _ = try mail(text: text)
        #expect(throws: TransferError.self) { try mail(text: text + "t") }
        #expect(throws: TransferError.self) { try mail(text: "a\0b") }
    }

    @Test func `nothing of a mail or an address gets into a description`() throws {
        let mail = try mail(fromName: "Secret", subject: "Secret", text: "Secret")
        for text in ["\(mail)", String(reflecting: mail), "\(mail.to)", String(reflecting: mail.to), "\([mail.to])"] {
            #expect(!text.contains("Secret") && !text.contains("@"))
        }
        var dumped = ""
        dump(mail, to: &dumped)
        #expect(!dumped.contains("Secret") && !dumped.contains("@"))
    }
}
