import ArgumentParser
import SonaBase
import SonaWire

/// `sona address`: bans of network addresses, by the person at the machine.
struct AddressCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Ban network addresses, and lift these bans.",
        discussion: """
            Works on the data folder, whether a server runs on it or not. RANGE is an address, or a range of them like \
            203.0.113.0/24 or 2001:db8::/48.
            """,
        subcommands: [AddressList.self, AddressBanning.self, AddressUnban.self])
}

struct AddressList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the bans in force, the newest first.")

    @OptionGroup var operate: OperatorOptions

    func run() async throws { operate.show(try await operate.ask(AddressesList())) }
}

struct AddressBanning: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ban", abstract: "Bans a range, at once: connections from there end.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The range.") var range: String
    @Option(help: "Duration of the ban; for good if left out.") var seconds: Int64?
    @Option(help: "The reason, for administrators.") var reason: String?

    func validate() throws {
        if let seconds, !Limits.banSeconds.contains(seconds) {
            throw ValidationError("A ban lasts 1 to \(Limits.banSeconds.upperBound) seconds.")
        }
    }

    func run() async throws {
        operate.show(try await operate.ask(AddressesBan(range: range, seconds: seconds, reason: reason)))
    }
}

struct AddressUnban: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unban", abstract: "Lifts a ban.")

    @OptionGroup var operate: OperatorOptions
    @Argument(help: "The range, as in the ban.") var range: String

    func run() async throws { _ = try await operate.ask(AddressesUnban(range: range)) }
}

extension OperatorOptions {
    fileprivate func show(_ found: AddressBanResult) {
        for ban in found.bans {
            if json {
                write(ban)
                continue
            }
            let end = ban.untilMilliseconds.map { "until \(UTC.text(milliseconds: $0))" } ?? "for good"
            ConsoleLine.write(to: 1, "\(ban.range)  \(end)\(ban.reason.map { "  \($0)" } ?? "")")
        }
    }
}
