internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Whoami: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows who is signed in.", discussion: "Ends with 77 if nobody is.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let me = try await global.withClient(.account) { try await $0.call(UserMe()) }
        if json { return Console.out(json: me) }
        var table = Table()
        table.add("username", me.user.username?.rawValue ?? (me.user.isGuest ? "none, a guest" : "none yet"))
        table.add("identifier", me.user.uid.rawValue)
        if let email = me.email {
            table.add("e-mail", "\(email) (\(me.isEmailConfirmed ? "confirmed" : "not confirmed"))")
        }
        if let role = me.role { table.add("role", role.rawValue) }
        table.show()
        if me.user.isNameless { Console.say(User.howToChooseName) }
    }
}
