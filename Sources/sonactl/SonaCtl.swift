internal import ArgumentParser
internal import Glibc
internal import SonaBase
internal import SonaSandbox

@main
struct SonaCtl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonactl",
        abstract: "Broadcasts, listens, and looks after rooms and accounts on a Sona server.",
        discussion: """
            A room is a broadcast: its owner plays files into it, everybody else hears them at the same moment. \
            Listening needs no account in public rooms; broadcasting does.

              sonactl signup --email ada@example.org --username ada
              sonactl broadcast evening.opus --title "Evening set"
              sonactl listen @ada --output evening-copy.opus

            ROOM is an identifier of 20 letters and digits, a link that ends in /r/IDENTIFIER, or @username for the \
            room that user plays in. USER is @username, an identifier of 28 letters and digits, or a username without \
            its @. What administrators do needs no account at the server's machine: --server unix:DATA names its data \
            folder. --server, --token and --ca-cert may stand before or after the command; without them SONA_SERVER, \
            SONA_TOKEN and SONA_CA_CERT are used, then http://127.0.0.1:8337 and what signup or login has kept. A \
            server at https://… must prove who it is, to the system's certificates or those of --ca-cert.

            Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 failure, 64 wrong \
            usage, 65 unusable data, 66 no such file, room or user, 69 server not reached or unwilling, 74 cannot \
            write, 75 try again later, 77 not allowed, 78 damaged configuration, 130 ended with Ctrl-C.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Account",
                subcommands: [
                    Signup.self, Login.self, Logout.self, Whoami.self, UsernameCommands.self, PasswordCommands.self,
                    EmailCommands.self, AppPasswordCommands.self, AccountCommands.self, NotificationCommands.self,
                ]),
            CommandGroup(
                name: "Room",
                subcommands: [
                    Broadcast.self, Listen.self, Play.self, Pause.self, Seek.self, Position.self, Chat.self,
                    History.self, Recap.self, Queue.self, Rooms.self, WebhookCommands.self, SpeakerCommands.self,
                ]),
            CommandGroup(
                name: "Music",
                subcommands: [
                    LibraryCommands.self, PlaylistCommands.self, LikeCommands.self, PlaysCommands.self,
                    PlayerCommands.self, ScrobbleCommands.self,
                    SubmissionCommands.self, JobCommands.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [
                    ProfileCommands.self, SettingsCommands.self, PeopleCommands.self, ShareCommand.self,
                    FeedbackCommand.self,
                ]),
            CommandGroup(
                name: "Admin",
                subcommands: [
                    ServerCommand.self, StatsCommand.self, StorageCommand.self, DrainCommand.self, UsersCommands.self,
                    PlanCommands.self,
                    AddressCommands.self,
                    TakeDownCommands.self,
                    ReportCommands.self, RegistrationCommands.self, WordCommands.self,
                    JournalCommands.self,
                ]),
        ])

    static let version = "0.1.0"

    static func main() async {
        LimitedProgram.becomeIfAsked(CommandLine.arguments)
        Interruption.install()
        let arguments = GlobalOptions.takeLeading(Array(CommandLine.arguments.dropFirst()))
        Glibc.exit(await run(arguments))
    }

    /// Parses and runs, and gives the exit code.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            if let failure = Failure(error) {
                if !failure.message.isEmpty { Console.say("sonactl: \(failure.message)") }
                return failure.exitCode
            }
            if let stranger = unknownCommand(arguments) {
                Console.say("sonactl: \(stranger)")
                return 64
            }
            let code = exitCode(for: error).rawValue
            let text = fullMessage(for: error)
            if code == 0 {
                Console.out(text)
            } else {
                Console.say("sonactl: " + (text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text))
            }
            return code
        }
    }

    /// The error for a command that does not exist, with a similar one as a suggestion. `nil`: all commands exist.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = Self.self
        var path: [String] = []
        for word in arguments {
            guard !word.hasPrefix("-") else { return nil }
            let configuration = command.configuration
            let known = configuration.subcommands
            guard !known.isEmpty else { return nil }
            if let next = known.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            // What follows a command with a default may be its argument.
            guard configuration.defaultSubcommand == nil, word != "help" else { return nil }
            let place = (["sonactl"] + path).joined(separator: " ")
            let near = Spelling.nearest(to: word, among: known.map { $0._commandName })
            return "\(place) has no command \"\(Console.printable(word))\""
                + (near.map { "; did you mean \"\($0)\"?" } ?? ".")
                + " \(place) --help lists them."
        }
        return nil
    }
}
