internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct JournalCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Reads and checks the journal of changes to accounts.",
        discussion: "Without a subcommand it is listed, with the options of list: --kind, --user, --limit, --json.",
        subcommands: [JournalListCommand.self, JournalVerifyCommand.self],
        defaultSubcommand: JournalListCommand.self)
}

struct JournalListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the journal, the newest line first.",
        discussion: "A line for each: number, time, what, by whom, to whom, details.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "Only entries of this kind, such as sign_in or banned.") var kind: String?
    @Option(help: "Only what concerns this user: @ada, ada, or an identifier, also one of nobody any more.")
    var user: String?
    @Option(help: ArgumentHelp("At most so many lines.", valueName: "n")) var limit = 50
    @Flag(help: "Print one JSON object: {\"entries\": […]}.") var json = false

    func validate() throws {
        guard 1...1_000_000 ~= limit else { throw ValidationError("--limit takes 1 to 1000000.") }
    }

    func run() async throws {
        let reference = try user.map { try UserArgument.reference($0) }
        // One more than is wanted, to know whether there is.
        let found = try await global.asOperator { try await read($0, reference, limit + 1) }
        let lines = Array(found.prefix(limit))
        if json { return Console.out { $0.member("entries", lines) } }
        var table = Table()
        for line in lines {
            table.add(
                "\(line.id)", Console.date(milliseconds: line.atMilliseconds), line.kind, line.actor ?? "-",
                line.subject ?? "-",
                line.detail == .emptyObject ? "" : String(decoding: line.detail.encoded(), as: UTF8.self))
        }
        table.show()
        if lines.isEmpty { Console.say("There are no such lines.") }
        if found.count > limit { Console.say("There are more; ask for them with --limit.") }
    }

    private func read(_ client: any Asking, _ user: UserReference?, _ wanted: Int) async throws -> [JournalLine] {
        var lines: [JournalLine] = []
        var before: Int64?
        repeat {
            let count = min(Int(Limits.journalPageCount.upperBound), wanted - lines.count)
            let page = try await client.call(JournalList(before: before, limit: count, kind: kind, user: user))
            lines += page.entries
            before = page.nextBefore
        } while before != nil && lines.count < wanted
        return lines
    }
}

struct JournalVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks that no line of the journal was altered, removed, added or moved.",
        discussion: "Ends with 1 if one was.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        // Time grows with the journal.
        let result = try await global.asOperator { client in
            try await client.call(JournalVerify(), timeout: .seconds(600))
        }
        if json {
            Console.out(json: result)
        } else if result.isIntact {
            Console.out("intact, \(result.entryCount) lines")
        } else {
            let place = result.firstFault.map { " at line \($0)" } ?? ""
            Console.out("not intact\(place): \(Console.printable(result.reason ?? "the seals do not match"))")
        }
        if !result.isIntact { throw Failure(1, "") }
    }
}
