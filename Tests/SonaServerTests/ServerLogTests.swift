import Foundation
import SonaBase
import SonaDatabase
import SonaEventLoop
import SonaTestSupport
import Testing

@testable import SonaServer

struct ServerLogTests {
    private func written(
        level: LogLine.Level = .info, _ format: LogFormat = .text, _ body: (ServerLog) -> Void
    ) async -> (lines: [String], log: ServerLog) {
        let lines = Monitor([String]())
        let log = ServerLog(level: level, format: format) { line in lines.withLock { $0.append(line) } }
        body(log)
        await log.close()
        return (lines.withLock { $0 }, log)
    }

    @Test func `a line for people has time, level, sentence, event and fields`() async {
        let (lines, _) = await written { log in
            log.log(.authFailed, "A password was wrong.", [.address("203.0.113.7"), .code("auth.credentials_invalid")])
            log.log(.serverStarted, "Sona serves.")
        }
        #expect(lines.count == 2)
        #expect(
            lines[0].wholeMatch(
                of:
                    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ warning  A password was wrong\. \(auth\.failed, address 203\.0\.113\.7, code auth\.credentials_invalid\)/
            ) != nil, "\(lines)")
        #expect(lines[1].hasSuffix("Z info     Sona serves. (server.started)"))
    }

    @Test func `a line for programs is one JSON object`() async throws {
        let (lines, _) = await written(.json) { log in
            log.log(.requestFailed, "A \"fault\"\nof ours.", [.connection(12), .request("7")])
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: String])
        #expect(object["level"] == "error" && object["event"] == "request.failed" && object["connection"] == "12")
        #expect(object["message"] == "A \"fault\"\nof ours." && object["request"] == "7")
        #expect(!lines[0].contains("\n") && object["time"]?.hasSuffix("Z") == true)
    }

    @Test func `words of strangers do not control the terminal`() async {
        let (lines, _) = await written { $0.log(.roomUnreadable, "The room \u{1B}[31m\nred") }
        #expect(lines[0].contains("The room  [31m red ("))
    }

    @Test func `lines below the level are not written, and the level can change`() async {
        let (lines, log) = await written(level: .warning) { log in
            log.log(.serverStarted, "no")
            log.log(.authFailed, "yes")
            log.setLevel(.debug)
            log.log(.requestReceived, "yes")
        }
        #expect(lines.count == 2 && log.figures.written == [.warning: 1, .debug: 1])
    }

    /// Each kind of line, and each address, has a share of its own.
    @Test func `repeats of a line are bounded and counted`() async {
        let (lines, log) = await written { log in
            for _ in 0..<100 { log.log(.mailFailed, "The mail server is gone.") }
            for _ in 0..<100 { log.log(.authFailed, "Wrong.", [.address("203.0.113.7")]) }
            log.log(.authFailed, "Wrong.", [.address("203.0.113.8")])
        }
        #expect(lines.count { $0.contains("mail.failed") } == ServerLog.linesPerMinuteMax)
        #expect(lines.count { $0.contains("203.0.113.7") } == ServerLog.failuresPerMinuteMax)
        #expect(lines.count { $0.contains("203.0.113.8") } == 1)
        #expect(log.figures.leftOut == 130)
    }

    @Test func `nobody waits for whoever reads the log`() async {
        let gate = Monitor(false)
        let log = ServerLog(level: .debug, format: .text) { _ in gate.wait { $0 ? () : nil } }
        // Some lines are taken out of the queue before the first one is waited for.
        for _ in 0..<(2 * ServerLog.queueMax + 1) { log.log(.requestReceived, "A request has come.") }
        let figures = log.figures
        #expect(figures.leftOut > 0 && figures.written[.debug] ?? 0 >= ServerLog.queueMax)
        gate.notify { $0 = true }
        await log.close()
    }

    @Test func `the page of the log lists each event with its level`() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../deploy/log.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").compactMap { $0.firstMatch(of: /^\| `([a-z_.]+)` \| ([a-z]+) \|/) }
        #expect(rows.map { "\($0.1)" } == LogEvent.allCases.map(\.rawValue))
        #expect(rows.map { "\($0.2)" } == LogEvent.allCases.map(\.level.rawValue))
    }

    @Test func `a server is ready unless it stops, can't store or has an expired certificate`() {
        let storage = StorageWatch()
        var configuration = ServerConfiguration(dataFolder: "nowhere")
        func readiness(isDraining: Bool = false) -> Readiness {
            Readiness(isDraining: isDraining, storage: storage, configuration: configuration, nowSeconds: 0)
        }
        #expect(readiness().response.status == 200 && readiness().warnings == ["no mail is sent"])
        configuration.mailing.from = "sona@sona.example"
        configuration.mailing.sendmailPath = "/usr/sbin/sendmail"
        #expect(readiness().warnings.isEmpty && String(decoding: readiness().response.body, as: UTF8.self) == "ready\n")
        storage.heard(.writeFailed(.init(kind: .full)))
        #expect(readiness(isDraining: true).reasons == ["the server is stopping", "the disk is full"])
        #expect(readiness().response.status == 503)
        storage.heard(.writesResumed)
        #expect(readiness().reasons.isEmpty && storage.failures == [.full: 1])
    }

    @Test func `readiness is JSON for whoever accepts that`() throws {
        let configuration = ServerConfiguration(dataFolder: "nowhere")
        let readiness = Readiness(
            isDraining: true, storage: StorageWatch(), configuration: configuration, nowSeconds: 0)
        let answer = readiness.response(accept: "text/html, application/json;q=0.9")
        #expect(answer.status == 503 && answer.contentType == "application/json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        #expect(object["ready"] as? Bool == false && object["reasons"] as? [String] == ["the server is stopping"])
        #expect(object["warnings"] as? [String] == ["no mail is sent"])
        for accept in [nil, "*/*", "text/plain"] {
            #expect(readiness.response(accept: accept).body == readiness.response.body)
        }
    }

    @Test func `systemd's journal is told the level of each line`() async {
        let lines = Monitor([String]())
        let log = ServerLog(level: .debug, format: .json, hasPriorities: true) { line in
            lines.withLock { $0.append(line) }
        }
        for event in [LogEvent.requestReceived, .serverStarted, .mailMissing, .requestFailed] { log.log(event, "x") }
        await log.close()
        #expect(lines.withLock { $0.map { String($0.prefix(4)) } } == ["<7>{", "<6>{", "<4>{", "<3>{"])
    }

    @Test func `the journal reads a descriptor if the variable names that very one`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        #expect(JournalStream.isBehind(descriptor, "\(status.st_dev):\(status.st_ino)"))
        #expect(!JournalStream.isBehind(descriptor, "\(status.st_dev):\(status.st_ino + 1)"))
        #expect(!JournalStream.isBehind(descriptor, nil) && !JournalStream.isBehind(-1, "1:1"))
    }

    @Test(arguments: [
        (0, CertificateAge.expired), (1, .expiring(days: 0)), (14 * 86_400 - 1, .expiring(days: 13)),
        (14 * 86_400, .fine),
    ])
    func `the age of a certificate`(secondsLeft: Int, age: CertificateAge) {
        #expect(CertificateAge(endSeconds: 1_000_000 + secondsLeft, nowSeconds: 1_000_000) == age)
    }
}
