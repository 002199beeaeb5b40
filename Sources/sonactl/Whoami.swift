internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Whoami: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows who is signed in.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let me = try await global.withClient(.account) { try await $0.call(UserMe()) }
        if json { return Console.out(json: me) }
        let name = me.user.username?.rawValue ?? (me.user.isGuest ? "guest" : "(no username yet)")
        let email = me.email.map { " <\(Console.printable($0))>" } ?? ""
        Console.out("\(name)\(email) \(me.user.uid)")
    }
}
