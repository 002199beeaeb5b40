internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsWaiting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting", abstract: "Lists the people who wait to be let into a room, in the order they came.",
        discussion: "sonactl rooms admit and deny answer them; guests are named by their identifiers.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print one JSON object: {\"users\": […]}.") var json = false

    func run() async throws {
        let link = try room.link()
        let result = try await global.withClient(.account, link: link) {
            try await $0.call(RoomWaiting(room: link.reference))
        }
        if json { return Console.out(json: result) }
        var table = Table()
        for card in result.users { table.add(card.user.label, card.displayName ?? "") }
        table.show()
        if result.users.isEmpty { Console.say("Nobody waits.") }
    }
}

struct RoomsAdmit: RoomUserCommand {
    typealias Question = RoomAdmit
    static let configuration = CommandConfiguration(
        commandName: "admit", abstract: "Lets a waiting person into a room.",
        discussion: "An account becomes a member of the room and need not wait again.")
    static let done = "may come in."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
}

struct RoomsDeny: RoomUserCommand {
    typealias Question = RoomDeny
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Sends a waiting person away.")
    static let done = "was sent away."

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var user: UserArgument
}
