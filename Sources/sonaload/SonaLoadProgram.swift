internal import ArgumentParser
internal import Glibc
internal import SonaLoad

@main
struct SonaLoadProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonaload",
        abstract: "Finds out what a Sona server bears: many hosts and listeners from one process.",
        discussion: """
            Hosts broadcast real Opus packets into rooms that are made for the test; listeners join as guests and note \
            when each packet comes, which are missing, and which come twice. In the end stands how long packets took \
            (counted from when each should have been sent), how many were lost, and what it cost; rooms and accounts \
            of the test are removed again. The server under test runs beside it:

              sona serve --data trial &
              sonaload --rooms 20 --listeners 4000 --frame-ms 80 --server-pid $!

            Fails in a pipeline when the server has become worse:

              sonaload --listeners 500 --fail-if 'delay.p99>50ms' --fail-if 'lost>0' --fail-if 'listeners_missing>0'

            How many listeners does this machine bear, and what gives way first?

              sonaload limit --rooms 4 --server-pid PID

            "sonaload run --help" lists all options of a run; "run" itself may be left out.

            The same --seed and options repeat a run: who joins and leaves when, and which packets are sent. Storms of \
            several kinds, one after the other, are written down in a scenario file (--scenario, README).

            Exit codes: 0 done, 1 a --fail-if was missed or "sonaload limit" found no number, 64 wrong usage, 65 a file \
            that is no record of a run, 66 no such file, 69 server not reached or unwilling, 74 this machine or a file \
            gave out, 130 ended with Ctrl-C (a second one ends at once and leaves accounts behind).
            """,
        version: LoadVersion.text,
        subcommands: [Run.self, Limit.self, Report.self],
        defaultSubcommand: Run.self)

    static func main() {
        Interruption.install()
        Glibc.exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Parses and runs, and gives the exit code.
    private static func run(_ arguments: [String]) -> Int32 {
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
            return 0
        } catch let failure as Failure {
            if !failure.message.isEmpty { Console.say("sonaload: \(failure.message)") }
            return failure.exitCode
        } catch let error as LoadError {
            Console.say("sonaload: \(Console.printable(error.description))")
            return error.exitCode
        } catch {
            let code = exitCode(for: error).rawValue
            let text = fullMessage(for: error)
            if code == 0 {
                Console.out(text)
            } else {
                Console.say("sonaload: " + (text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text))
            }
            return code
        }
    }
}

/// How a command ends other than well.
struct Failure: Error {
    var exitCode: Int32
    /// Empty where everything has been said.
    var message: String

    init(_ exitCode: Int32, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }
}
