internal import ArgumentParser
internal import SonaWire

/// The settings of a room that can be given when it is made and later.
struct RoomOptions: ParsableArguments {
    @Option(help: "Title, one line of at most 200 bytes.") var title: String?

    @Option(help: ArgumentHelp("A tag of at most 32 bytes; up to eight may stand.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("The same, all of them with commas between.", valueName: "tag,tag"))
    var tags: String?

    @Option(help: ArgumentHelp("A description of the room, at most 1000 bytes.", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "What those inside do when the room turns private: stay, or leave.", valueName: "stay|leave"))
    var onPrivate: PrivatePolicy?

    @Option(help: "How audio leaves the server: party (cheaper) or interactive (no gathering).")
    var delivery: Delivery?

    @Option(help: ArgumentHelp("How far ahead audio is sent, 150 to 10000 ms.", valueName: "n"))
    var leadMs: Int?

    /// nil if none were named.
    var allTags: [String]? {
        guard !tag.isEmpty || tags != nil else { return nil }
        let listed = tags?.split(separator: ",").map { String($0.drop { $0 == " " }) } ?? []
        return (tag + listed).filter { !$0.isEmpty }
    }

    var isEmpty: Bool {
        title == nil && allTags == nil && description == nil && onPrivate == nil && delivery == nil && leadMs == nil
    }

    func validate() throws {
        if let title, !Self.isLine(title, Limits.titleBytes) {
            throw ValidationError("A title is one line of 1 to \(Limits.titleBytes.upperBound) bytes.")
        }
        for tag in allTags ?? [] where !Self.isLine(tag, Limits.roomTagBytes) {
            throw ValidationError("A tag is one line of 1 to \(Limits.roomTagBytes.upperBound) bytes.")
        }
        if let allTags, !Limits.roomTagCount.contains(allTags.count) {
            throw ValidationError("A room has at most \(Limits.roomTagCount.upperBound) tags.")
        }
        if let description, description.utf8.count > Limits.roomDescriptionBytes.upperBound {
            throw ValidationError("A description has at most \(Limits.roomDescriptionBytes.upperBound) bytes.")
        }
        if let leadMs, !Limits.leadMilliseconds.contains(Int64(leadMs)) {
            throw ValidationError("--lead-ms takes 150 to 10000.")
        }
    }

    private static func isLine(_ text: String, _ bytes: ClosedRange<Int>) -> Bool {
        bytes.contains(text.utf8.count) && Console.printable(text) == text
    }
}

/// The people who may find and enter a room.
enum RoomVisibility: String, EnumerableFlag {
    case `public`
    case `private`

    static func help(for value: RoomVisibility) -> ArgumentHelp? {
        switch value {
        case .public: "Everybody may find and enter the room."
        case .private: "To others the room looks as if it did not exist."
        }
    }

    var visibility: Visibility { self == .public ? .public : .private }
}
