internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Rooms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds rooms; makes, changes and closes your own, and moderates the people in them.",
        discussion: """
            A room lasts until it is closed, whether or not anybody plays in it:

              sonactl rooms create --title "Late night" --tag ambient
              sonactl rooms update @ada --private --on-private leave
              sonactl rooms search noct
              sonactl rooms invite @ada --uses 10
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Finding",
                subcommands: [RoomsList.self, RoomsShow.self, RoomsSearch.self, RoomsWatch.self, RoomsMeter.self]),
            CommandGroup(
                name: "Owning",
                subcommands: [
                    RoomsCreate.self, RoomsUpdate.self, RoomsPicture.self, RoomsAutoplay.self, RoomsSchedule.self,
                    RoomsReplays.self, RoomsAudience.self, RoomsSongRequests.self,
                    RoomsAddresses.self, RoomsSource.self, RoomsClose.self,
                ]),
            CommandGroup(
                name: "Handing over",
                subcommands: [
                    RoomsTransferCommand.self, RoomsTransfersCommand.self, RoomsAcceptCommand.self,
                    RoomsRefuseCommand.self, RoomsMoveCommand.self,
                ]),
            CommandGroup(
                name: "Letting in",
                subcommands: [
                    RoomsInvite.self, RoomsInvites.self, RoomsRevoke.self, RoomsWaiting.self, RoomsAdmit.self,
                    RoomsDeny.self,
                ]),
            CommandGroup(
                name: "Moderation",
                subcommands: [
                    RoomsMembers.self, RoomsStanding.self, RoomsKick.self, RoomsBan.self, RoomsUnban.self,
                    RoomsBans.self, RoomsMute.self, RoomsUnmute.self,
                ]),
        ])
}

struct RoomsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists public rooms, or your own; the newest first.",
        discussion: roomColumns)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Your own rooms, private ones too.") var mine = false
    @Flag(help: "Print one JSON object: {\"rooms\": […]}.") var json = false

    func run() async throws {
        let rooms = try await global.withClient(mine ? .account : .anybody) { try await $0.allRooms(mine: mine) }
        if json { return Console.out { $0.member("rooms", rooms) } }
        rooms.show()
    }
}

struct RoomsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one room.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let link = try room.link()
        let signIn = try global.signIn(link: link)
        let room = try await signIn.open(.anybody).closing { client in
            try await client.call(RoomGet(room: link.reference)).room
        }
        room.show(signIn.address, json: json)
    }
}
