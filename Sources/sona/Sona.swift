import ArgumentParser
import SonaBase
import SonaSandbox
import SonaServer

/// The server's program.
@main
struct Sona: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sona",
        abstract: "The self-hosted social listening server.",
        discussion: """
            Somebody plays music; everybody in the room hears the same moment of it. One process, one data folder.

            Try it:
              sona serve --demo
              sonactl listen @demo --output demo.opus

            Exit codes: 0 ok, 1 failure, 64 usage, 65 damaged or newer database, or lost keys, 74 folder or socket not usable, 75 port or data \
            folder in use, 77 not permitted, 78 configuration.
            """,
        version: "sona \(ServerVersion.text)",
        subcommands: [
            Serve.self, Drain.self, SetupLink.self, ConfigCommands.self, UserCommands.self, AddressCommands.self,
            RegistrationCommands.self,
            JournalCommands.self, BackupCommands.self, Restore.self, Migrate.self, Doctor.self, Worker.self,
        ])

    static func main() async {
        LimitedProgram.becomeIfAsked(CommandLine.arguments)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as OperatorFailure {
            ConsoleLine.write(to: 2, "sona: \(failure)")
            exit(withError: ExitCode(failure.exitCode))
        } catch {
            let code = exitCode(for: error)
            let text = fullMessage(for: error)
            // As in the other programs: a message begins with the program's name.
            guard code != .success, text.hasPrefix("Error: ") else { exit(withError: error) }
            ConsoleLine.write(to: 2, "sona: " + text.dropFirst("Error: ".count))
            exit(withError: code)
        }
    }
}
