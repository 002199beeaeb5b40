import Testing

@testable import SonaTransfer

extension TransferTests {
    struct TLSTests {
        private let files = [
            "document": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nCache-Control: max-age=60\r\n\r\nhi",
            "down": "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
        ]

        private func get(
            _ server: TLSTestServer, _ name: String, host: String = "127.0.0.1", trusts: Bool
        ) async throws(TransferError) -> HTTPDocument {
            try await HTTPDocument.get(
                "https://\(host):\(server.port)/\(name)", limits: TransferLimits(),
                authorities: trusts ? server.certificate : nil)
        }

        @Test func `a certificate has to be one to trust and for the host that was asked`() async throws {
            let server = try await TLSTestServer(files: files)
            let unknown = await #expect(throws: TransferError.self) {
                try await get(server, "document", trusts: false)
            }
            #expect(unknown?.code == .insecure)
            #expect(unknown?.isTemporary == false)
            let misnamed = await #expect(throws: TransferError.self) {
                try await get(server, "document", host: "localhost", trusts: true)
            }
            #expect(misnamed?.code == .insecure)
            // Only so do the failures above say something.
            let document = try await get(server, "document", trusts: true)
            #expect(document.body == Array("hi".utf8))
            #expect(document.maxAgeSeconds == 60)
        }

        @Test func `a redirect from https to http is refused`() async throws {
            let server = try await TLSTestServer(files: files)
            let error = await #expect(throws: TransferError.self) { try await get(server, "down", trusts: true) }
            #expect(error?.code == .badRedirect)
        }

        @Test func `TLS before 1_2 is refused`() async throws {
            let server = try await TLSTestServer(files: files, options: "-tls1_1 -cipher DEFAULT@SECLEVEL=0")
            let error = await #expect(throws: TransferError.self) { try await get(server, "document", trusts: true) }
            #expect(error?.code == .insecure)
            let newer = try await TLSTestServer(files: files, options: "-tls1_2")
            #expect(try await get(newer, "document", trusts: true).status == 200)
        }

        @Test func `a mail server with a certificate that nobody vouches for gets no mail`() async throws {
            let server = try await TLSTestServer()
            let mailer = Mailer(try SMTPServer(url: "smtps://127.0.0.1:\(server.port)", user: "sona", password: "x"))
            let mail = try Mail(
                from: MailAddress("sona@radio.example"), to: MailAddress("ann@example.org"), subject: "s", text: "t")
            let error = await #expect(throws: TransferError.self) { try await mailer.send(mail) }
            #expect(error?.code == .insecure)
            #expect(error?.isTemporary == false)
        }
    }
}
