internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct SubmissionCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submissions", abstract: "Submits music to everybody, and decides about what was submitted.",
        discussion: """
            An upload is its owner's alone until a curator has approved it.

              sonactl submissions send 01K9F3Z6T3Q1V8M5N7R2X4C6B0
              sonactl submissions list --all --state pending
              sonactl submissions approve 12
            """,
        subcommands: [
            SubmissionSend.self, SubmissionWithdraw.self, SubmissionListCommand.self, SubmissionApprove.self,
            SubmissionReject.self,
        ])
}

struct SubmissionSend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Submits tracks of your own.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Tracks, by identifier.") var tracks: [MusicID]

    func run() async throws {
        try await global.withClient(.account) { client in
            for track in tracks { Console.out(try await client.call(TrackSubmit(track: track)).submission.line) }
        }
    }
}

struct SubmissionWithdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Takes tracks back: they are yours alone again.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Tracks, by identifier.") var tracks: [MusicID]

    func run() async throws {
        try await global.withClient(.account) { client in
            for track in tracks { _ = try await client.call(TrackWithdraw(track: track)) }
        }
    }
}

struct SubmissionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists submissions: those that wait the oldest first, all others the newest first.",
        discussion: "A line for each: number, time, state, user, track, title, artists, the reason.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Submissions of everybody. For curators and administrators.") var all = false
    @Option(help: "Only submissions in this state.") var state: TrackStatus?
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"submissions\": […]}.") var json = false

    func run() async throws {
        let (submissions, hasMore) = try await global.withClient(.account) { client in
            try await list.collect(pageMax: Int(Limits.submissionPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(
                    SubmissionsList(state: state, isAll: all, after: cursor.flatMap { Int64($0) }, limit: limit))
                return (page.submissions, page.nextAfter.map { String($0) })
            }
        }
        if json { return Console.out { $0.member("submissions", submissions) } }
        for submission in submissions { Console.out(submission.line) }
        list.tell(hasMore: hasMore)
    }
}

/// The number of a submission.
struct SubmissionArgument: ParsableArguments {
    @Argument(help: "The submission's number, as sonactl submissions list shows it.") var number: Int64

    func validate() throws {
        guard number >= 1 else { throw ValidationError("A submission has a number from 1 on.") }
    }
}

struct SubmissionApprove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Lets everybody find a track that was submitted.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var submission: SubmissionArgument

    func run() async throws {
        let result = try await global.withClient(.account) {
            try await $0.call(SubmissionsApprove(id: submission.number))
        }
        Console.out(result.submission.line)
    }
}

struct SubmissionReject: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Leaves a track that was submitted to its owner alone.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var submission: SubmissionArgument
    @Option(help: "Why: one line, which whoever submitted it is told.") var reason: String?

    func validate() throws {
        if let reason, !Limits.submissionReasonBytes.contains(reason.utf8.count) {
            throw ValidationError("A reason is one line of at most \(Limits.submissionReasonBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        let result = try await global.withClient(.account) {
            try await $0.call(SubmissionsReject(id: submission.number, reason: reason))
        }
        Console.out(result.submission.line)
    }
}

extension Submission {
    fileprivate var line: String {
        let artists = track.artists.map(\.name).joined(separator: ", ")
        let user = owner.username.map { "@\($0.rawValue)" } ?? owner.uid.rawValue
        let parts = [
            "\(id)", UTC.text(milliseconds: submittedMilliseconds), state.rawValue, user, track.id.rawValue,
            track.title,
            artists.isEmpty ? nil : artists, reason,
        ]
        return Console.printable(parts.compactMap { $0 }.joined(separator: "  "))
    }
}
