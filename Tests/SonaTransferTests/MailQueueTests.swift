import Synchronization
import Testing

@testable import SonaTransfer

extension TransferTests {
    struct MailQueueTests {
        /// The events that a queue reported.
        private final class Events: Sendable {
            private let events = Mutex<[MailQueue.Event]>([])

            var all: [MailQueue.Event] { events.withLock { $0 } }
            var text: String { all.map(\.description).joined(separator: "\n") }

            func add(_ event: MailQueue.Event) { events.withLock { $0.append(event) } }

            var delayedTries: [Int] {
                all.compactMap { if case .delayed(_, let tries, _) = $0 { tries } else { nil } }
            }
            var gaveUpTries: [Int] {
                all.compactMap { if case .gaveUp(_, let tries) = $0 { tries } else { nil } }
            }
            var leftUnsent: [Int] {
                all.compactMap { if case .leftUnsent(let count) = $0 { count } else { nil } }
            }
        }

        private let events = Events()

        private func queue(
            _ server: SMTPTestServer, mailsMax: Int = 100, sendingMax: Int = 2,
            delays: [Duration] = [.milliseconds(1), .milliseconds(2), .milliseconds(3), .milliseconds(4)]
        ) throws -> MailQueue {
            let mailer = try Mailer(SMTPServer(url: server.url, startTLS: .never))
            return MailQueue(mailer, mailsMax: mailsMax, sendingMax: sendingMax, delays: delays, report: events.add)
        }

        private func mail(_ subject: String = "Secret subject") throws -> Mail {
            try Mail(
                from: MailAddress("sona@radio.example"), to: MailAddress("ann@example.org"), subject: subject,
                text: "Secret text.\n")
        }

        @Test func `mails that the server takes are gone after draining`() async throws {
            let server = SMTPTestServer()
            let queue = try queue(server)
            for number in 1...20 { try queue.submit(mail("\(number)")) }
            await queue.drain()
            #expect(queue.count == 0)
            let subjects = server.texts.compactMap { try? MailReader($0).value("Subject") }
            #expect(Set(subjects) == Set((1...20).map(String.init)))
            #expect(server.texts.count == 20)
            #expect(events.all.isEmpty)
            await queue.close()
            #expect(events.all.isEmpty)
        }

        @Test func `one at a time, mails go in their order`() async throws {
            let server = SMTPTestServer()
            let queue = try queue(server, sendingMax: 1)
            for number in 1...10 { try queue.submit(mail("\(number)")) }
            await queue.drain()
            #expect(server.texts.compactMap { try? MailReader($0).value("Subject") } == (1...10).map(String.init))
        }

        @Test func `a mail that is refused for now is tried again, as the same mail`() async throws {
            let server = SMTPTestServer { command, connection in
                switch (command, connection) {
                case ("greeting", 1): .reply("421 ann@example.org later")
                case (".", 2): .reply("451 Secret text")
                case ("DATA", 3): .close
                default: nil
                }
            }
            let queue = try queue(server)
            try queue.submit(mail())
            await queue.drain()
            #expect(server.connections == 4)
            #expect(events.delayedTries == [1, 2, 3])
            #expect(events.gaveUpTries.isEmpty)
            // Taken at the second try to be refused, and at the fourth.
            #expect(server.texts.count == 2)
            #expect(server.texts.first == server.texts.last)
            #expect(!events.text.contains("@") && !events.text.contains("Secret"))
        }

        @Test func `five tries are all`() async throws {
            let server = SMTPTestServer { command, _ in command.hasPrefix("RCPT") ? .reply("450 later") : nil }
            let queue = try queue(server)
            try queue.submit(mail())
            await queue.drain()
            #expect(server.connections == 5)
            #expect(events.delayedTries == [1, 2, 3, 4])
            #expect(events.gaveUpTries == [5])
        }

        @Test func `a refusal for good is not tried again`() async throws {
            let server = SMTPTestServer { command, _ in
                command.hasPrefix("RCPT") ? .reply("550 ann@example.org unknown") : nil
            }
            let queue = try queue(server)
            try queue.submit(mail())
            await queue.drain()
            #expect(server.connections == 1)
            #expect(events.delayedTries.isEmpty)
            #expect(events.gaveUpTries == [1])
            #expect(!events.text.contains("@") && !events.text.contains("Secret"))
        }

        @Test func `a server that is not there is temporary`() async throws {
            let server = LoopbackServer { _, _ in }
            server.stop()
            while server.isListening { try await Task.sleep(for: .milliseconds(5)) }
            let mailer = try Mailer(SMTPServer(url: "smtp://127.0.0.1:\(server.port)", startTLS: .never))
            let queue = MailQueue(mailer, delays: [.zero], report: events.add)
            try queue.submit(mail())
            await queue.drain()
            #expect(events.delayedTries == [1])
            #expect(events.gaveUpTries == [2])
        }

        @Test func `a mail that waits for another try does not hold up the next`() async throws {
            let server = SMTPTestServer { command, connection in
                connection == 1 && command == "greeting" ? .reply("421 later") : nil
            }
            let queue = try queue(server, sendingMax: 1, delays: [.seconds(3_600)])
            try queue.submit(mail("first"))
            try queue.submit(mail("second"))
            while queue.count > 1 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(server.texts.compactMap { try? MailReader($0).value("Subject") } == ["second"])
            await queue.close()
            #expect(events.leftUnsent == [1])
        }

        @Test func `a full queue refuses, and takes again when there is room`() async throws {
            let (reached, told) = AsyncStream.makeStream(of: Void.self)
            let gate = Mutex(false)
            let server = SMTPTestServer { command, _ in
                guard command == "DATA" else { return nil }
                told.yield()
                return gate.withLock { $0 } ? nil : .hang
            }
            let queue = try queue(server, mailsMax: 3)
            for _ in 1...3 { try queue.submit(mail()) }
            let error = #expect(throws: TransferError.self) { try queue.submit(mail()) }
            #expect(error?.code == .busy)
            #expect(error?.isTemporary == true)
            #expect(queue.count == 3)
            for await _ in reached.prefix(1) { gate.withLock { $0 = true } }
            await queue.close()
            #expect(events.leftUnsent == [3])
            #expect(queue.count == 0)
        }

        @Test func `a closed queue takes nothing, and its grace lets mails leave`() async throws {
            let server = SMTPTestServer { command, connection in
                connection == 1 && command == "greeting" ? .reply("421 later") : nil
            }
            let queue = try queue(server)
            for _ in 1...5 { try queue.submit(mail()) }
            await queue.close(grace: .seconds(50))
            #expect(server.texts.count == 5)
            #expect(events.leftUnsent.isEmpty)
            let error = #expect(throws: TransferError.self) { try queue.submit(mail()) }
            #expect(error?.code == .closed)
        }

        @Test func `a caller that waits for a queue to drain can give up`() async throws {
            let server = SMTPTestServer { command, _ in command == "greeting" ? .hang : nil }
            let queue = try queue(server)
            try queue.submit(mail())
            let waiting = Task { await queue.drain() }
            waiting.cancel()
            await waiting.value
            #expect(queue.count == 1)
            await queue.close()
            #expect(events.leftUnsent == [1])
            await queue.drain()
        }

        @Test func `the delays grow and allow five tries`() {
            #expect(MailQueue.defaultDelays.count == 4)
            #expect(zip(MailQueue.defaultDelays, MailQueue.defaultDelays.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}
