internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

/// Where entries go.
struct TargetOptions: ParsableArguments {
    @Option(help: "To this place, from 1.") var at: Int?
    @Option(help: "Before this entry.") var before: MusicID?
    @Option(help: "After this entry.") var after: MusicID?

    func validate() throws {
        guard [at != nil, before != nil, after != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("--at, --before and --after exclude each other.")
        }
        if let at, !(1...Limits.playlistEntriesMax ~= at) { throw ValidationError("--at takes 1 to 10000.") }
    }

    var target: PlaylistTarget { PlaylistTarget(before: before, after: after, place: at.map { $0 - 1 }) }
}

struct PlaylistAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds tracks, or an album, and prints the identifiers of the entries.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Argument(help: "Tracks, in their order.") var tracks: [MusicID] = []
    @Option(help: "An album, whose tracks come after the others.") var album: MusicID?
    @OptionGroup var target: TargetOptions
    @Flag(help: "Leave out tracks that are in the list already.") var noDuplicates = false

    func validate() throws {
        guard !tracks.isEmpty || album != nil else { throw ValidationError("Name tracks, or an album with --album.") }
        guard tracks.count <= Limits.playlistBatch.upperBound else {
            throw ValidationError("At most \(Limits.playlistBatch.upperBound) tracks at once.")
        }
    }

    func run() async throws {
        let edit = try await global.withClient(.account) { client in
            try await client.call(
                PlaylistAdd(
                    playlist: playlist.playlist, tracks: tracks, album: album, target: target.target,
                    isWithoutDuplicates: noDuplicates))
        }
        for place in edit.added { Console.out(place.id.rawValue) }
        edit.tellSkipped()
    }
}

struct PlaylistRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Takes entries out.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Argument(help: "Entries, as show prints them first.") var entries: [MusicID]

    func run() async throws {
        try await global.withClient(.account) { client in
            try await client.call(PlaylistRemove(playlist: playlist.playlist, entries: entries))
        }.tellSkipped()
    }
}

struct PlaylistMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Moves entries, which then stand together; to the end, if nothing else is said.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Argument(help: "Entries, as show prints them first.") var entries: [MusicID]
    @OptionGroup var target: TargetOptions

    func run() async throws {
        try await global.withClient(.account) { client in
            try await client.call(
                PlaylistMove(playlist: playlist.playlist, entries: entries, target: target.target))
        }.tellSkipped()
    }
}

extension PlaylistEdit {
    fileprivate func tellSkipped() {
        for id in skipped { Console.say("Not done: \(id.rawValue)") }
    }
}

// MARK: - People

struct PlaylistInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Makes a link by which others may edit a playlist of yours, or ends it.",
        discussion: "Prints the code and the path of the page. A new link ends the one before.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Option(help: ArgumentHelp("The link works for so many seconds.", valueName: "s"))
    var seconds = Limits.playlistInviteSecondsDefault
    @Flag(help: "End the link; those who came by it stay.") var revoke = false

    func validate() throws {
        guard Limits.playlistInviteSeconds.contains(Int64(seconds)) else {
            throw ValidationError("--seconds takes 60 to 2592000.")
        }
    }

    func run() async throws {
        let made = try await global.withClient(.account) { client in
            try await client.call(
                PlaylistInvite(playlist: playlist.playlist, expiresSeconds: seconds, isRevoked: revoke))
        }
        if let code = made.code { Console.out(code) }
        if let path = made.path { Console.out(path) }
    }
}

struct PlaylistAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Joins those who edit a playlist, by the code of its link.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Argument(help: "The code: 22 letters and digits.") var code: String

    func run() async throws {
        let joined = try await global.withClient(.account) { client in
            try await client.call(PlaylistAccept(playlist: playlist.playlist, code: code))
        }
        [joined.playlist].show()
    }
}

struct PlaylistCollaboratorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collaborators", abstract: "Lists who may edit a playlist besides its owner.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument

    func run() async throws {
        let found = try await global.withClient(.account) { client in
            try await client.call(PlaylistCollaborators(playlist: playlist.playlist))
        }
        for user in found.people {
            Console.out(Console.printable(user.username.map { "@\($0.rawValue)" } ?? user.uid.rawValue))
        }
    }
}

struct PlaylistLeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Ends your part in a playlist, or that of somebody in one of yours.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Option(help: "Whose part, if not yours: @ada, ada, or an identifier.") var user: String?

    func run() async throws {
        let user = try user.map(UserArgument.reference)
        _ = try await global.withClient(.account) { client in
            try await client.call(PlaylistLeave(playlist: playlist.playlist, user: user))
        }
    }
}

// MARK: - Files

struct PlaylistExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints a playlist as the text of a file.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Option(help: "m3u8, xspf or jspf.") var format = PlaylistFormat.m3u8

    func run() async throws {
        let file = try await global.withClient(.anybody) { client in
            try await client.call(PlaylistExport(playlist: playlist.playlist, format: format))
        }
        // Its last line ends itself.
        for line in file.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            Console.out(String(line))
        }
    }
}

struct PlaylistImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Adds the tracks of a playlist file, and tells which were not found.",
        discussion: "Reads M3U8, XSPF and JSPF. Prints the identifier of the playlist.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The file.", completion: .file()) var file: String
    @Option(help: "Into this playlist; else into a new one.") var into: MusicID?
    @Option(help: "The title of a new one; else that of the file.") var title: String?
    @Option(help: "m3u8, xspf or jspf; else told by the text.") var format: PlaylistFormat?
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(file, bytesMax: Limits.playlistFileBytesMax)
        } catch {
            switch error {
            case .system(let operation, _): throw Failure(66, "Cannot \(operation) \(file): \(error).")
            case .tooLong: throw Failure(65, "\(file) is too large for a playlist.")
            }
        }
        let done = try await global.signIn().upload(playlist: bytes, into: into, title: title, format: format)
        if json { return Console.out(json: done) }
        Console.out(done.playlist.id.rawValue)
        Console.say("Added \(done.addedCount), not found \(done.missingCount).")
        for missing in done.missing { Console.say("\(missing.place)  \(Console.printable(missing.text))") }
    }
}
