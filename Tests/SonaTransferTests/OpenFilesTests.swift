import Glibc
import SonaTestSupport
import Testing

@testable import SonaTransfer

extension TransferTests {
    struct OpenFilesTests {
        /// In a process of its own, where nobody else opens files.
        @Test func `transfers of every kind and outcome leave no open file, thread or process`() async {
            await #expect(processExitsWith: .success) {
                try await OpenFilesTests.transferAll()
                // The runtime opens a few of its own when it first needs them; a leak would be ten at least.
                let most = try OpenFilesTests.entries("/proc/self/fd") + 4
                for _ in 1...10 { try await OpenFilesTests.transferAll() }
                // Threads end a little after their transfers and clients; ten seconds are more than enough.
                for _ in 1...2_000 where try OpenFilesTests.entries("/proc/self/fd") > most { usleep(5_000) }
                for _ in 1...2_000 where try OpenFilesTests.transferThreads() > 0 { usleep(5_000) }
                let leavesNone =
                    try OpenFilesTests.entries("/proc/self/fd") <= most
                    && OpenFilesTests.transferThreads() == 0 && waitpid(-1, nil, Int32(WNOHANG)) == -1
                    && errno == ECHILD
                exit(leavesNone ? 0 : 1)
            }
        }

        private static func transferAll() async throws {
            let folder = TemporaryFolder()
            let limits = TransferLimits(total: .milliseconds(100))
            let answering = HTTPTestServer { _, peer in peer.write(HTTPTestServer.answer(body: "x")) }
            _ = try await HTTPDocument.get(answering.url)
            let silent = HTTPTestServer { _, peer in peer.hang() }
            _ = try? await HTTPDocument.get(silent.url, limits: limits)
            _ = try? await UnixSocketHTTP.post(socketPath: folder.file("none"), path: "/", body: [])
            let mail = try Mail(
                from: MailAddress("sona@radio.example"), to: MailAddress("ann@example.org"), subject: "s", text: "t")
            let taking = SMTPTestServer()
            try await Mailer(SMTPServer(url: taking.url, startTLS: .never)).send(mail)
            let refusing = SMTPTestServer { command, _ in command.hasPrefix("RCPT") ? .reply("550 no") : nil }
            _ = try? await Mailer(SMTPServer(url: refusing.url, startTLS: .never)).send(mail)
            try await SendmailCommand(path: "/bin/cat", arguments: []).send(mail)
            _ = try? await SendmailCommand(path: folder.file("none")).send(mail)
            _ = try? await SendmailCommand(path: "/bin/sleep", arguments: ["9"], timeout: limits.total).send(mail)
        }

        private static func entries(_ path: String) throws -> Int {
            let folder = try #require(opendir(path))
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            return count
        }

        private static func transferThreads() throws -> Int {
            let folder = try #require(opendir("/proc/self/task"))
            defer { closedir(folder) }
            var count = 0
            while let entry = readdir(folder) {
                let thread = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                let name = TemporaryFolder.bytes(ofFile: "/proc/self/task/\(thread)/comm") ?? []
                if name.elementsEqual("transfers\n".utf8) || name.elementsEqual("mails\n".utf8) { count += 1 }
            }
            return count
        }
    }
}
