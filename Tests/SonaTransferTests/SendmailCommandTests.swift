import Glibc
import SonaTestSupport
import Testing

@testable import SonaTransfer

extension TransferTests {
    struct SendmailCommandTests {
        private let folder = TemporaryFolder()

        /// A shell script that stands where a mail program would.
        private func program(_ lines: String) -> String {
            let path = folder.file("sendmail")
            TemporaryFolder.write(Array("#!/bin/sh\n\(lines)\n".utf8), toFile: path, mode: 0o700)
            return path
        }

        private func mail(text: String = "Text.\n") throws -> Mail {
            try Mail(
                from: MailAddress("sona@radio.example"), to: MailAddress("ann@example.org"), subject: "Grüße",
                text: text)
        }

        private func failure(_ program: String, timeout: Duration = .seconds(20)) async throws -> TransferError {
            let command = try SendmailCommand(path: program, timeout: timeout)
            let mail = try mail(text: String(repeating: "A line of a long mail.\n", count: 10_000))
            let error = try #require(await #expect(throws: TransferError.self) { try await command.send(mail) })
            #expect(!error.description.contains("@"))
            return error
        }

        private func lines(_ name: String) throws -> [String] {
            let bytes = try #require(TemporaryFolder.bytes(ofFile: folder.file(name)))
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
        }

        @Test func `the program gets the message and its arguments as they are`() async throws {
            let path = program(#"cat > "$(dirname "$0")/mail"; printf '%s\n' "$@" > "$(dirname "$0")/arguments""#)
            let text = ".\nFrom x\n" + String(repeating: "Zeile mit ä.\n", count: 10_000)
            let command = try SendmailCommand(path: path, arguments: ["-t", "-i", "$(touch nothing)", "a b"])
            try await command.send(mail(text: text))
            #expect(try lines("arguments") == ["-t", "-i", "$(touch nothing)", "a b", ""])
            let written = try lines("mail")
            #expect(!written.contains { $0.contains("\r") })
            let message = try MailReader(Array(written.dropLast()), isStuffed: false)
            #expect(message.text == text)
            #expect(message.value("To") == "ann@example.org")
            #expect(try MailReader.decoded(message.value("Subject") ?? "") == "Grüße")
        }

        @Test func `the program sees little of this process`() async throws {
            let path = program(
                """
                cd "$(dirname "$0")"
                cat > /dev/null
                /usr/bin/env | cut -d= -f1 > environment
                ls /proc/$$/fd > files
                grep -E 'SigBlk|SigIgn' /proc/self/status > signals
                """)
            try await SendmailCommand(path: path).send(mail())
            let known: Set = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "PWD", "OLDPWD", "SHLVL", "_", ""]
            #expect(try Set(lines("environment")).isSubset(of: known))
            // The shell keeps files of its own from 10 on.
            #expect(try lines("files").compactMap { Int($0) }.filter { $0 < 10 }.sorted() == [0, 1, 2])
            for line in try lines("signals").dropLast() {
                let mask = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
                // From 32 on they belong to the C library.
                #expect(mask & 0x7FFF_FFFF == 0)
            }
        }

        @Test(arguments: [(1, false), (64, false), (67, false), (71, true), (74, true), (75, true), (77, false)])
        func `the exit status says whether to try again`(status: Int, isTemporary: Bool) async throws {
            let error = try await failure(program("cat > /dev/null; echo ann@example.org >&2; exit \(status)"))
            #expect(error.code == .refused)
            #expect(error.reply == status)
            #expect(error.isTemporary == isTemporary)
        }

        @Test func `a program that ends before it has read the mail has not sent it`() async throws {
            #expect(try await failure(program("exit 0")).code == .refused)
            let error = try await failure(program("exec 0<&-; sleep 0.1; exit 75"))
            #expect(error.reply == 75)
            #expect(error.isTemporary)
        }

        @Test func `a program that is killed is worth another try`() async throws {
            let error = try await failure(program("kill -9 $$"))
            #expect(error.code == .refused)
            #expect(error.isTemporary)
        }

        @Test func `a program that hangs is ended with all that it started`() async throws {
            let path = program(
                """
                cd "$(dirname "$0")"
                trap '' TERM
                sleep 1000 &
                echo $! $$ > processes
                wait
                while :; do sleep 1000; done
                """)
            let error = try await failure(path, timeout: .milliseconds(500))
            #expect(error.code == .timedOut)
            #expect(error.isTemporary)
            let processes = try #require(lines("processes").first).split(separator: " ").compactMap { pid_t($0) }
            #expect(processes.count == 2)
            // The script was waited for; its orphan is gone as soon as the system's first process has taken notice.
            #expect(kill(processes[1], 0) != 0)
            while isRunning(processes[0]) { try await Task.sleep(for: .milliseconds(10)) }
        }

        /// Not a zombie: in a container nobody may wait for orphans.
        private func isRunning(_ process: pid_t) -> Bool {
            guard let bytes = TemporaryFolder.bytes(ofFile: "/proc/\(process)/stat") else { return false }
            return !String(decoding: bytes, as: UTF8.self).contains(") Z ")
        }

        @Test func `a cancelled task ends the program`() async throws {
            let path = program("cd \"$(dirname \"$0\")\"; echo $$ > process; mv process started; exec sleep 1000")
            let command = try SendmailCommand(path: path, timeout: .seconds(3_600))
            let mail = try mail()
            let sending = Task { try await command.send(mail) }
            while TemporaryFolder.bytes(ofFile: folder.file("started")) == nil {
                try await Task.sleep(for: .milliseconds(5))
            }
            sending.cancel()
            let error = await #expect(throws: TransferError.self) { try await sending.value }
            #expect(error?.code == .cancelled)
            let process = try #require(lines("started").first.flatMap { pid_t($0) })
            #expect(kill(process, 0) != 0)
        }

        @Test func `a program that is not there or not to be run is an error of this machine`() async throws {
            for path in [folder.file("none"), folder.path] {
                let error = try await failure(path)
                #expect(error.code == .system)
                #expect(!error.isTemporary)
                #expect([ENOENT, EACCES].contains(error.errno))
            }
        }

        @Test func `a program without its whole path is refused`() {
            for path in ["", "sendmail", "./sendmail", "/usr/sbin/send\0mail"] {
                #expect(throws: TransferError.self) { try SendmailCommand(path: path) }
            }
            #expect(throws: TransferError.self) { try SendmailCommand(arguments: ["-t\0"]) }
        }
    }
}
