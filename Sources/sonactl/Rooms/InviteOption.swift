internal import ArgumentParser

/// The way in for those who would not come in without: the code of an invite.
struct InviteOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Code of an invite to the room. (default: what stands behind the # of the room's link)",
            valueName: "code"))
    var invite: String?

    func code(for room: RoomArgument) -> String? { invite ?? room.inviteCode() }
}
