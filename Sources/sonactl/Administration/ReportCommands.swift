internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct ReportCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Reports a room, a message or a user; for administrators, the inbox.",
        subcommands: [ReportRoom.self, ReportUser.self, ReportListCommand.self, ReportResolveCommand.self])
}

/// Why something is reported.
struct ReportReasonOptions: ParsableArguments {
    @Option(help: "Why: spam, abuse, rights (somebody's rights in music or pictures), illegal, or other.")
    var kind = "other"
    @Option(help: "What the administrators should know: at most 1000 bytes.") var text: String?

    func validate() throws {
        guard Limits.reportKindBytes.contains(kind.utf8.count) else { throw ValidationError("--kind takes a word.") }
        if let text, !Limits.reportTextBytes.contains(text.utf8.count) {
            throw ValidationError("--text takes at most \(Limits.reportTextBytes.upperBound) bytes.")
        }
    }
}

struct ReportRoom: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Reports a room, or a message in its chat.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Option(help: ArgumentHelp("The message's number, as sonactl chat --json shows it.", valueName: "number"))
    var message: Int64?
    @OptionGroup var reason: ReportReasonOptions

    func run() async throws {
        let link = try room.link()
        let request = ReportSend(kind: reason.kind, room: link.reference, message: message, text: reason.text)
        _ = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
        Console.say("Reported.")
    }
}

struct ReportUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Reports a user, or a guest who is there.",
        discussion: "A guest is named by identifier, as sonactl rooms members --json shows it.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var user: UserArgument
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The room that the user is in: it is told to the administrators.", valueName: "room"))
    var room: String?
    @OptionGroup var reason: ReportReasonOptions

    func run() async throws {
        let link = try room.map { try RoomArgument.link($0) }
        let request = ReportSend(
            kind: reason.kind, room: link?.reference, user: try user.reference(), text: reason.text)
        _ = try await global.withClient(.anybody, link: link) { try await $0.call(request) }
        Console.say("Reported.")
    }
}

struct ReportListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists reports, the newest first. For administrators.",
        discussion: "A line for each: number, time, kind, what it is about, what was said.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Decided reports as well.") var all = false
    @Option(help: "Only reports of this kind, such as feedback.") var kind: String?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"reports\": […]}.") var json = false

    func validate() throws {
        if let kind, !Limits.reportKindBytes.contains(kind.utf8.count) {
            throw ValidationError("--kind takes a word.")
        }
    }

    func run() async throws {
        let (reports, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.reportPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    ReportsList(
                        isOpen: all ? nil : true, kind: kind, before: cursor.flatMap { Int64($0) }, limit: limit))
                return (page.reports, page.nextBefore.map { String($0) })
            }
        }
        if json { return Console.out { $0.member("reports", reports) } }
        for report in reports { Console.out(report.line) }
        list.tell(hasMore: hasMore)
    }
}

struct ReportResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Notes that a report is decided. For administrators.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The report's number.") var number: Int64
    @Option(help: "What was decided: one line of at most 200 bytes.") var note: String?

    func run() async throws {
        let request = ReportsResolve(id: number, note: note)
        let result = try await global.asOperator { try await $0.call(request) }
        Console.out(result.report.line)
    }
}

extension Report {
    fileprivate var line: String {
        let about = [
            room.map { "room \($0.rawValue)" }, message.map { "message \($0)" }, user.map { "user \($0.rawValue)" },
        ]
        let words = [
            quote.map { "\"\($0)\"" }, text,
            note.map { "decided: \($0)" } ?? resolvedMilliseconds.map { _ in "decided" },
        ]
        let parts = ["\(id)", UTC.text(milliseconds: atMilliseconds), kind] + (about + words).compactMap { $0 }
        return Console.printable(parts.joined(separator: "  "))
    }
}
