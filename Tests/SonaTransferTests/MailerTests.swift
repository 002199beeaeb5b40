import Testing

@testable import SonaTransfer

extension TransferTests {
    struct MailerTests {
        private func mail(subject: String = "Hello", text: String = "Text.\n") throws -> Mail {
            try Mail(
                from: MailAddress("sona@radio.example"), to: MailAddress("ann@example.org"), subject: subject,
                text: text)
        }

        private func mailer(
            _ server: SMTPTestServer, user: String? = nil, password: String = "",
            startTLS: SMTPServer.StartTLS = .never,
            total: Duration = .seconds(20)
        ) throws -> Mailer {
            let server = try SMTPServer(
                url: server.url, user: user, password: password, startTLS: startTLS, clientName: "radio.example")
            return Mailer(server, limits: TransferLimits(total: total))
        }

        private func failure(_ mailer: Mailer) async throws -> TransferError {
            let mail = try mail()
            let error = try #require(await #expect(throws: TransferError.self) { try await mailer.send(mail) })
            #expect(!error.description.contains("@") && !error.description.contains("secret"))
            return error
        }

        @Test func `a mail arrives as it was written, dots and long lines with it`() async throws {
            let server = SMTPTestServer()
            let text = ".\n..\n.dot\nlong \(String(repeating: "x", count: 5_000))\nÄ\n.\n\nQUIT\n"
            try await mailer(server).send(mail(subject: "Bestätigung für Zoë 🎧", text: text))
            let lines = try #require(server.texts.first)
            #expect(server.texts.count == 1)
            #expect(lines.allSatisfy { $0.utf8.count <= 998 })
            #expect(lines.contains("..") && lines.contains("...") && lines.contains("..dot"))
            let message = try MailReader(lines)
            #expect(message.text == text)
            #expect(try MailReader.decoded(message.value("Subject") ?? "") == "Bestätigung für Zoë 🎧")
            let commands = server.commands.map { $0.split(separator: " SIZE=").first.map(String.init) ?? "" }
            #expect(
                commands.prefix(4) == [
                    "EHLO radio.example", "MAIL FROM:<sona@radio.example>", "RCPT TO:<ann@example.org>", "DATA",
                ])
        }

        @Test func `the user and the password go by AUTH PLAIN`() async throws {
            let server = SMTPTestServer(capabilities: ["AUTH PLAIN"])
            try await mailer(server, user: "sona", password: "secret").send(mail())
            // Base64 of "\0sona\0secret".
            #expect(server.commands.prefix(3).dropFirst() == ["AUTH PLAIN", "AHNvbmEAc2VjcmV0"])
            #expect(server.texts.count == 1)
        }

        @Test(arguments: [("535 5.7.8 no sona secret", false), ("454 4.7.0 later ann@example.org", true)])
        func `a refused password has an error of its own`(reply: String, isTemporary: Bool) async throws {
            let server = SMTPTestServer(capabilities: ["AUTH PLAIN"]) { command, _ in
                command.contains("AHNv") ? .reply(reply) : nil
            }
            let error = try await failure(mailer(server, user: "sona", password: "secret"))
            #expect(error.code == .refused)
            #expect(error.reply == Int(reply.prefix(3)))
            #expect(error.isTemporary == isTemporary)
            #expect(server.texts.isEmpty)
        }

        @Test func `a server whose ways to sign in we do not know gets no mail`() async throws {
            let server = SMTPTestServer(capabilities: ["AUTH X-UNHEARD-OF"])
            let error = try await failure(mailer(server, user: "sona", password: "secret"))
            #expect(error.code == .refused)
            #expect(!error.isTemporary)
            #expect(server.texts.isEmpty)
        }

        @Test(
            arguments: ["greeting", "MAIL", "RCPT", "DATA", "."],
            [
                ("450 4.2.0 ann@example.org is greylisted", true), ("421 later", true),
                ("550 5.1.1 ann@example.org is unknown", false),
            ])
        func `a refusal has the server's number at whatever step it comes`(
            step: String, refusal: (reply: String, isTemporary: Bool)
        ) async throws {
            let server = SMTPTestServer { command, _ in command.hasPrefix(step) ? .reply(refusal.reply) : nil }
            let error = try await failure(mailer(server))
            #expect(error.code == .refused)
            #expect(error.reply == Int(refusal.reply.prefix(3)))
            #expect(error.isTemporary == refusal.isTemporary)
        }

        @Test(arguments: ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "."])
        func `a server that closes early has an error of its own, which allows another try`(step: String) async throws {
            let server = SMTPTestServer { command, _ in command.hasPrefix(step) ? .close : nil }
            let error = try await failure(mailer(server))
            #expect(error.code == .brokenAnswer)
            #expect(error.isTemporary)
        }

        @Test(arguments: ["greeting", "EHLO", "RCPT", "DATA", "."])
        func `a server that hangs is left when the time is over`(step: String) async throws {
            let server = SMTPTestServer { command, _ in command.hasPrefix(step) ? .hang : nil }
            let error = try await failure(mailer(server, total: .milliseconds(300)))
            #expect(error.code == .timedOut)
            #expect(error.isTemporary)
        }

        /// libcurl by itself waits two minutes for the answer to QUIT, twice as long as this test may take.
        @Test func `a server that never answers QUIT holds up nobody`() async throws {
            let server = SMTPTestServer { command, _ in command == "QUIT" ? .hang : nil }
            let mailer = try mailer(server, total: .seconds(2))
            for _ in 1...4 { try await mailer.send(mail()) }
            #expect(server.texts.count == 4)
            let refusing = SMTPTestServer { command, _ in
                command == "QUIT" ? .hang : command.hasPrefix("RCPT") ? .reply("550 no") : nil
            }
            #expect(try await failure(self.mailer(refusing, total: .seconds(1))).reply == 550)
        }

        @Test func `an unintelligible server has an error of its own`() async throws {
            let server = SMTPTestServer { command, _ in command == "greeting" ? .reply("SSH-2.0-OpenSSH_9.2") : nil }
            #expect(try await failure(mailer(server, total: .seconds(2))).isTemporary)
        }

        @Test func `a server without TLS sees neither the password nor the mail when TLS is required`() async throws {
            let server = SMTPTestServer(capabilities: ["AUTH PLAIN"])
            let error = try await failure(mailer(server, user: "sona", password: "secret", startTLS: .required))
            #expect(error.code == .insecure)
            #expect(!error.isTemporary)
            #expect(!server.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
        }

        @Test(arguments: [SMTPServer.StartTLS.required, .ifOffered])
        func `a handshake that fails ends it before the password`(startTLS: SMTPServer.StartTLS) async throws {
            let server = SMTPTestServer(capabilities: ["STARTTLS", "AUTH PLAIN"]) { command, _ in
                command == "STARTTLS" ? .reply("220 go on") : nil
            }
            let error = try await failure(mailer(server, user: "sona", password: "secret", startTLS: startTLS))
            #expect(error.code == .insecure)
            #expect(!server.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
        }

        @Test func `a reply sent before the handshake is not taken for part of it`() async throws {
            let server = SMTPTestServer(capabilities: ["STARTTLS", "AUTH PLAIN"]) { command, _ in
                command == "STARTTLS" ? .reply("220 go on\r\n250-smuggled\r\n250 AUTH PLAIN") : nil
            }
            let error = try await failure(mailer(server, user: "sona", password: "secret", startTLS: .required))
            #expect(error.code == .brokenAnswer)
            #expect(!server.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
        }

        @Test func `TLS is left out where it is not offered and not required`() async throws {
            let server = SMTPTestServer()
            try await mailer(server, startTLS: .ifOffered).send(mail())
            #expect(server.texts.count == 1)
        }

        @Test func `smtps to a port without TLS fails`() async throws {
            let plain = SMTPTestServer()
            let server = try SMTPServer(url: plain.url.replacing("smtp:", with: "smtps:"))
            let error = try await failure(Mailer(server, limits: TransferLimits(total: .seconds(10))))
            #expect(error.code == .insecure)
            #expect(plain.texts.isEmpty)
        }

        @Test(arguments: ["greeting", "DATA", "."])
        func `a cancelled task stops waiting for a server that hangs`(step: String) async throws {
            let (reached, told) = AsyncStream.makeStream(of: Void.self)
            let server = SMTPTestServer { command, _ in
                guard command == step else { return nil }
                told.yield()
                return .hang
            }
            let mailer = try mailer(server, total: .seconds(3_600))
            let mail = try mail()
            let sending = Task { try await mailer.send(mail) }
            for await _ in reached.prefix(1) { sending.cancel() }
            let error = await #expect(throws: TransferError.self) { try await sending.value }
            #expect(error?.code == .cancelled)
        }

        @Test(arguments: [
            "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://a:b@mail.example.org",
            "smtp://mail.example.org/path", "smtp://mail.example.org/?x", "smtp://mail.example.org\r\nX",
            "smtp://x:99999",
        ])
        func `a URL that is not a mail server's is refused`(url: String) {
            let error = #expect(throws: TransferError.self) { try SMTPServer(url: url) }
            #expect(error?.code == .badInput)
        }

        @Test func `names and passwords that would end a line are refused`() {
            let url = "smtp://mail.example.org:587"
            #expect(throws: TransferError.self) { try SMTPServer(url: url, user: "a\r\nb", password: "x") }
            #expect(throws: TransferError.self) { try SMTPServer(url: url, user: "a", password: "x\0") }
            #expect(throws: TransferError.self) { try SMTPServer(url: url, user: "") }
            for name in ["", "a b", "a\r\nRSET", "a/b", "a%0d"] {
                #expect(throws: TransferError.self) { try SMTPServer(url: url, clientName: name) }
            }
        }

        @Test func `a server's description has no secret`() throws {
            let server = try SMTPServer(url: "smtp://mail.example.org:587", user: "sona", password: "secret")
            var dumped = ""
            dump(server, to: &dumped)
            for text in ["\(server)", String(reflecting: server), "\(Mailer(server))", dumped] {
                #expect(!text.contains("secret"))
            }
        }
    }
}
