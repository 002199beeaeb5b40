internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a room of yours, and prints its identifier.",
        discussion: """
            Nobody plays in it yet: sonactl broadcast FILE --room IDENTIFIER does. Without options the room is public, \
            open to guests, and called after you. With --from-player it plays by itself what you play alone, from the \
            same place (sonactl player).
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomOptions
    @Flag(exclusivity: .exclusive) var visibility: RoomVisibility = .public
    @Flag(inversion: .prefixedNo, help: "Whether guests, who have no account, may enter.") var guests = true
    @Flag(help: "Have it play what you play alone, from the same place.") var fromPlayer = false
    @Flag(help: "Print the room as JSON.") var json = false

    func run() async throws {
        let settings = RoomSettings(
            title: room.title ?? "", visibility: visibility.visibility, delivery: room.delivery ?? .party,
            leadMilliseconds: room.leadMs ?? Limits.leadMillisecondsDefault, tags: room.allTags ?? [],
            about: room.description?.isEmpty == true ? nil : room.description, allowsGuests: guests,
            privatePolicy: room.onPrivate ?? .stay)
        let signIn = try global.signIn()
        let request = RoomCreate(settings, fromPlayer: fromPlayer ? PlayerPlace() : nil)
        let made = try await signIn.open(.account).closing { try await $0.call(request).room }
        if json { return Console.out(json: made) }
        Console.out(made.id.rawValue)
        Console.say("\"\(made.printableTitle)\" is at \(signIn.address)/r/\(made.id)")
    }
}
