internal import ArgumentParser
internal import SonaAudio
internal import SonaClient
internal import SonaWire

struct Broadcast: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Plays sound files, or sound from a pipe, into a room, for everybody at the same moment.",
        discussion: """
            Prints the room's identifier once it is live. Without --room an idle room of yours is used (of the same \
            title if --title is given), or a new one made. The owner may pause, play and seek it meanwhile. When the \
            files are over the room stays, idle. Retries a lost server for 60 seconds.

            Ogg Opus is played as it is. Whatever else ffmpeg decodes (MP3, AAC and ALAC in MP4, FLAC, Ogg Vorbis, WAV, \
            AIFF, WavPack, APE, WMA, …) is encoded before the broadcast begins, in about a hundredth of the time it \
            plays; ffmpeg must be installed for that.

            With --queue the files are what there is to choose from, and the room's queue (sonactl queue) says what is \
            played: entries whose source is the name of a file without its ending, or whose title and artist are those \
            of its tags. A folder stands for the sound files in it.

              sonactl broadcast --queue ~/Music/party --title Party

            With - in place of files the sound comes on standard input, as WAV or, with --raw, as bare samples: integers \
            of 16, 24 or 32 bits or floats, 8 to 192 kHz, 1 to 8 channels. It is encoded here and sent while it comes; \
            the broadcast ends with the input.

              arecord -f cd | sonactl broadcast -
              ffmpeg -i film.mkv -f wav - | sonactl broadcast - --bitrate 160

            Sound that comes faster than it plays, and that of a file, can wait: it is sent by the server's clock, and \
            whoever writes the pipe is held back. Sound that comes just as fast as it plays is live: it is sent at once, \
            and the room follows its clock. Which it is, the first second shows; --live and --paced say it beforehand. \
            When live sound stops coming, silence is sent in its place, and what was held up and comes too late is left \
            out; while the room is paused it is thrown away. When other sound stops coming, everybody hears a pause.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(
        help: ArgumentHelp(
            "Sound files, played one after the other without a gap; or - for sound on standard input.",
            valueName: "file"))
    var files: [String]
    @OptionGroup(title: "Options for standard input") var sound: SoundOptions
    @Option(help: "Title of the room, at most 200 bytes.") var title: String?
    @Option(
        help: ArgumentHelp(
            "Picture shown with the tracks: an http or https address, or a path of the server.", valueName: "address"))
    var artwork: String?
    @Option(
        help: ArgumentHelp(
            "PNG, JPEG or WebP file shown with the tracks: the server keeps it for the room.", valueName: "file"))
    var cover: String?
    @Option(help: "Track of the server's library that the files are: who hears them has heard it.") var music: MusicID?
    @Option(help: "Room to play in, which must be yours.") var room: String?
    @Flag(name: .customLong("private"), help: "A room that only you can find and enter.") var isPrivate = false
    @Flag(help: "Begin again after the last file, until interrupted.") var loop = false
    @Flag(help: "Agree to be recorded: the room's replay has the sound (sonactl rooms replays).") var record = false
    @Flag(help: "Play those of these files that the room's queue names, until interrupted.") var queue = false
    @Option(help: "How audio leaves the server: party (default, cheaper) or interactive (no gathering).")
    var delivery: Delivery?
    @Option(help: ArgumentHelp("For tests: go by a clock that is off and drifts.", valueName: "offset-us,ppm"))
    var simulateClock: SimulatedClock?
    @Option(help: ArgumentHelp("How far ahead audio is sent, 150 to 10000 ms. (default: 600)", valueName: "n"))
    var leadMs: Int?

    func validate() throws {
        if let title {
            guard Limits.titleBytes.contains(title.utf8.count), Console.printable(title) == title else {
                throw ValidationError("A title is one line of 1 to \(Limits.titleBytes.upperBound) bytes.")
            }
        }
        if let artwork, !Track.isArtwork(artwork) {
            throw ValidationError(
                "--artwork takes an http or https address, or a path that begins with /, of at most "
                    + "\(Limits.artworkBytes.upperBound) bytes.")
        }
        if cover != nil, artwork != nil {
            throw ValidationError("--cover and --artwork both say which picture is shown: give one of them.")
        }
        if let leadMs, !Limits.leadMilliseconds.contains(Int64(leadMs)) {
            throw ValidationError("--lead-ms takes 150 to 10000.")
        }
        if queue, loop { throw ValidationError("With --queue the queue says what comes again (sonactl queue repeat).") }
        if files.contains("-"), files.count > 1 || loop || queue {
            throw ValidationError("Standard input stands alone: without files, --loop and --queue.")
        }
    }

    func run() async throws {
        if files == ["-"] { return try await broadcastSound() }
        var playlist = try PreparedFiles.playlist(files, isLoop: loop, bitrate: sound.bitrate)
        for item in playlist.items where item.stream == 0 && item.file.isTruncated {
            Console.say("\(item.path) is cut off; what is there is played.")
        }
        let (signIn, client, room) = try await enter()
        let address = signIn.address
        let artwork = try await picture(signIn, client, room)
        for index in playlist.items.indices {
            playlist.items[index].track.artwork = artwork
            playlist.items[index].track.music = music
        }
        let broadcast = FileBroadcast(
            playlist: playlist, followsQueue: queue, records: record, room: room.id, client: client,
            open: { comeback throws(ClientError) in try await signIn.open(.account, comeback: comeback) },
            report: { Self.show($0, address) })
        Interruption.handle { broadcast.interrupt() }
        switch try await broadcast.run() {
        case .finished: Console.say("Everything was sent.")
        case .interrupted: throw Interruption.failure
        }
    }

    private func broadcastSound() async throws {
        let (source, isLive) = try await sound.open()
        let (signIn, client, room) = try await enter()
        let address = signIn.address
        let artwork = try await picture(signIn, client, room)
        let track =
            title == nil && artwork == nil && music == nil
            ? nil : Track(title: title, artwork: artwork, music: music)
        let broadcast: PCMBroadcast
        do {
            broadcast = try PCMBroadcast(
                source: source, isLive: isLive, settings: sound.settings(track), records: record, room: room.id,
                client: client,
                open: { comeback throws(ClientError) in try await signIn.open(.account, comeback: comeback) },
                report: { Self.show($0, address) })
        } catch {
            await client.close()
            throw SoundOptions.failure(error)
        }
        Console.say(isLive ? "The sound is live." : "The sound can wait; it is sent by the server's clock.")
        Interruption.handle { broadcast.interrupt() }
        do {
            switch try await broadcast.run() {
            case .finished: Console.say("Everything was sent.")
            case .interrupted: throw Interruption.failure
            }
        } catch let error as HostError {
            if case .audio(let error) = error { throw SoundOptions.failure(error) }
            throw error
        }
    }

    /// What the tracks name as their artwork: the address that was given, or the cover, once the server has it.
    private func picture(_ signIn: SignIn, _ client: Client, _ room: Room) async throws -> String? {
        guard let cover else { return artwork }
        do {
            return try await signIn.upload(cover: try ImageFile.read(cover), of: room.id)
        } catch {
            await client.close()
            throw error
        }
    }

    /// Signs in and chooses the room.
    private func enter() async throws -> (SignIn, Client, Room) {
        let link = try room.map { try RoomArgument.link($0) }
        var signIn = try global.signIn(link: link)
        signIn.localClock = simulateClock?.clock ?? .machine
        let client = try await signIn.open(.account)
        do {
            return (signIn, client, try await chooseRoom(client, link))
        } catch {
            await client.close()
            throw error
        }
    }

    /// The room asked for, an idle one of the user's own that is like it, or a new one.
    private func chooseRoom(_ client: Client, _ link: RoomLink?) async throws -> Room {
        if let link {
            let room = try await client.call(RoomGet(room: link.reference)).room
            if let title, title != room.settings.title {
                Console.say("The room keeps its title \"\(room.printableTitle)\" (see sonactl rooms update).")
            }
            return room
        }
        let visibility: Visibility = isPrivate ? .private : .public
        for room in try await client.allRooms(mine: true) {
            let settings = room.settings
            if !room.isLive, settings.visibility == visibility, title == nil || settings.title == title,
                delivery == nil || settings.delivery == delivery, leadMs == nil || settings.leadMilliseconds == leadMs
            {
                return room
            }
        }
        let settings = RoomSettings(
            title: title ?? "", visibility: visibility, delivery: delivery ?? .party,
            leadMilliseconds: leadMs ?? Limits.leadMillisecondsDefault)
        return try await client.call(RoomCreate(settings)).room
    }

    private static func show(_ report: HostReport, _ address: ServerAddress) {
        switch report {
        case .live(let room):
            Console.out(room.id.rawValue)
            Console.say("\"\(room.printableTitle)\" is live: \(address)/r/\(room.id)")
        case .track(let track): Console.say("Playing \(track.line)")
        case .waiting(let room):
            Console.out(room.id.rawValue)
            Console.say(
                "\"\(room.printableTitle)\" is open. The queue is empty. Waiting for something to play: "
                    + "\(address)/r/\(room.id)")
        case .queueEmpty: Console.say("The queue is empty. Waiting for something to play.")
        case .paused(let position): Console.say("Paused at \(Console.time(position))")
        case .playing(let position): Console.say("Playing from \(Console.time(position))")
        case .away(let error):
            Console.say("\(Console.printable(error.description)) Looking for the server again.")
        case .back: Console.say("The server is back.")
        case .warning(let text): Console.say(Console.printable(text))
        }
    }
}

extension Track {
    /// One line for a person.
    var line: String {
        let name = title ?? "an untitled track"
        return Console.printable(artist.map { "\(name) by \($0)" } ?? name)
    }
}

extension Room {
    /// The title as a terminal may have it.
    var printableTitle: String { Console.printable(settings.title) }
}

extension Client {
    /// Every room of a list, page after page; at most 10 000.
    func allRooms(mine: Bool) async throws -> [Room] {
        var rooms: [Room] = []
        var cursor: String?
        repeat {
            let page = try await call(RoomList(limit: 200, cursor: cursor, isMine: mine))
            rooms += page.rooms
            cursor = page.nextCursor
        } while cursor != nil && rooms.count < 10_000
        return rooms
    }
}
