internal import ArgumentParser

/// The code of an invite, for people who could not enter without one.
struct InviteOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Code of an invite to the room. (default: the part after the # of the room's link)",
            valueName: "code"))
    var invite: String?

    func code(for room: RoomArgument) -> String? { invite ?? room.inviteCode() }
}
