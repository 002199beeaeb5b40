internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Changes a room of yours.",
        discussion: """
            Options not given change nothing; tags named take the place of all there were, and an empty --description \
            removes it. Whoever is in the room, or looks at a list of rooms, sees the change at once. --delivery and \
            --lead-ms cannot be changed while the room plays.

            A room that turns private keeps its listeners until they go (--on-private stay), or puts all but its owner \
            and host out (--on-private leave); both may be said in one command:

              sonactl rooms update @ada --private --on-private leave
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @OptionGroup var room: RoomOptions
    @Flag(help: "Remove all tags.") var noTags = false
    @Flag(exclusivity: .exclusive) var visibility: RoomVisibility?
    @Flag(inversion: .prefixedNo, help: "Whether guests may enter. Guests inside stay.") var guests: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether those without an invite have to be let in.")
    var waitingRoom: Bool?
    @Option(
        help: ArgumentHelp(
            "Who may write: everyone, members, moderators or off.", valueName: "rule"))
    var chat: ChatRule?
    @Option(
        help: ArgumentHelp("Seconds between two messages of one person, 0 to 3600.", valueName: "s"))
    var slowMode: Int?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether replays are kept: what is heard from now on, with chat and reactions. Everybody inside is told.")
    var replays: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether listeners may take the sound at a lower bit rate.")
    var dataSaver: Bool?
    @Flag(help: "Print the room as JSON.") var json = false

    func validate() throws {
        if noTags, room.allTags != nil { throw ValidationError("Use either --tag, --tags or --no-tags.") }
        if let slowMode, !Limits.slowModeSeconds.contains(Int64(slowMode)) {
            throw ValidationError("--slow-mode takes 0 to \(Limits.slowModeSeconds.upperBound).")
        }
        if room.isEmpty, !noTags, visibility == nil, guests == nil, waitingRoom == nil, chat == nil, slowMode == nil,
            replays == nil, dataSaver == nil
        {
            throw ValidationError("Name something to change.")
        }
    }

    func run() async throws {
        let link = try argument.link()
        let request = RoomUpdate(
            room: link.reference, title: room.title, tags: noTags ? [] : room.allTags, about: room.description,
            visibility: visibility?.visibility, allowsGuests: guests, privatePolicy: room.onPrivate,
            delivery: room.delivery, leadMilliseconds: room.leadMs, hasWaitingRoom: waitingRoom,
            chatRule: chat, slowModeSeconds: slowMode, keepsReplays: replays, offersDataSaver: dataSaver)
        let signIn = try global.signIn(link: link)
        let changed = try await signIn.open(.account).closing { try await $0.call(request).room }
        changed.show(signIn.address, json: json)
    }
}
