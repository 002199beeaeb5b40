import ArgumentParser
import SonaWire

/// `sona setup-link`.
struct SetupLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup-link",
        abstract: "Prints a link with which one person makes the first administrator's account.",
        discussion: """
            It is good once, for 24 hours, and until the server starts again; the link before is good no longer. A server \
            without an administrator writes one to its log when it starts. Hand it to nobody else.
            """)

    @OptionGroup var operate: OperatorOptions

    func run() async throws { operate.show(try await operate.ask(OperatorSetupLink())) }
}
