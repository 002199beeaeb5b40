internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Ends the server in order, or replaces it without a pause. For the operator.",
        discussion: """
            The server begins nothing more, tells its clients when to come back, writes everything down, and ends. With \
            --replace it starts the program anew as it is on the disk, which takes over its ports, its clients and what they \
            hear. Returns at once; the server's log says how it went.

              sonactl drain --replace --server unix:/var/lib/sona
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Hand over to the program as it is on the disk now.") var replace = false

    func run() async throws {
        _ = try await global.ofOperatorAlone(OperatorDrain(isReplaced: replace))
        Console.say(replace ? "The successor starts." : "The server ends.")
    }
}
