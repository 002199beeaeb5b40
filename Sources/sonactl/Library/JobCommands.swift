internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct JobCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Shows work that the server does in the background, and begins or ends it.",
        subcommands: [JobListCommand.self, JobShowCommand.self, JobRetryCommand.self, JobCancelCommand.self])
}

struct JobListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists jobs, the newest first.",
        discussion: "A line for each: number, time, kind, state, how far it is, the track, the error.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Jobs of everybody and of the server itself. For administrators.") var all = false
    @Option(help: "Only jobs in this state.") var state: JobState?
    @Option(help: "Only jobs of this kind: measure, rendition, preview.") var kind: String?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"jobs\": […]}.") var json = false

    func validate() throws {
        if let kind, !Limits.jobWordBytes.contains(kind.utf8.count) { throw ValidationError("--kind takes a word.") }
    }

    func run() async throws {
        let (jobs, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.jobPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    JobsList(state: state, kind: kind, isAll: all, before: cursor.flatMap { Int64($0) }, limit: limit))
                return (page.jobs, page.nextBefore.map { String($0) })
            }
        }
        if json { return Console.out { $0.member("jobs", jobs) } }
        for job in jobs { Console.out(job.line) }
        list.tell(hasMore: hasMore)
    }
}

/// The number of a job.
struct JobArgument: ParsableArguments {
    @Argument(help: "The job's number, as sonactl jobs list shows it.") var number: Int64

    func validate() throws {
        guard number >= 1 else { throw ValidationError("A job has a number from 1 on.") }
    }
}

struct JobShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one job.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var job: JobArgument
    @Flag(help: "Print the job as one JSON object.") var json = false

    func run() async throws {
        let found = try await global.asOperator { try await $0.call(JobsGet(id: job.number)) }.job
        if json { return Console.out(String(decoding: found.encoded(), as: UTF8.self)) }
        Console.out(found.line)
        if let detail = found.detail { Console.out(Console.printable(detail)) }
    }
}

struct JobRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Begins a job again that failed or was cancelled.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var job: JobArgument

    func run() async throws {
        let result = try await global.asOperator { try await $0.call(JobsRetry(id: job.number)) }
        Console.out(result.job.line)
    }
}

struct JobCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Ends a job that waits or runs.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var job: JobArgument

    func run() async throws {
        let result = try await global.asOperator { try await $0.call(JobsCancel(id: job.number)) }
        Console.out(result.job.line)
    }
}

extension Job {
    fileprivate var line: String {
        let share = total > 0 ? "\(done * 100 / total)%" : nil
        let again = nextMilliseconds.map { "again at \(UTC.text(milliseconds: $0))" }
        let parts = ["\(id)", UTC.text(milliseconds: createdMilliseconds), kind, state.rawValue]
        return Console.printable(
            (parts + [share, track?.rawValue, error, again].compactMap { $0 }).joined(separator: "  "))
    }
}
