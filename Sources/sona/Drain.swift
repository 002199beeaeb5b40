import ArgumentParser
import SonaBase
import SonaWire

/// `sona drain`.
struct Drain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ends the running server in order, or replaces it without a pause.",
        discussion: """
            The server begins nothing more, tells its clients when to come back, each at another moment, writes everything \
            down, and ends: as on SIGTERM. With --replace it starts the program anew as it is on the disk, which takes over \
            its ports, its clients and what they hear, and then ends: as on SIGUSR2. Returns at once; the log says how it \
            went.
            """)

    @OptionGroup var operate: OperatorOptions

    @Flag(help: "Hand over to the program as it is on the disk now.") var replace = false

    func run() async throws {
        _ = try await operate.ask(OperatorDrain(isReplaced: replace))
        ConsoleLine.write(to: 2, replace ? "sona: the successor starts" : "sona: the server ends")
    }
}
