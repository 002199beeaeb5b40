internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// The queue of a room of the account as a jukebox: whoever is in the room hears it.
extension Call {
    /// The account's room that is live, else its newest.
    private func ownRoom() async throws -> Room {
        let rooms = try await ask(RoomList(limit: Int(Limits.roomListCount.upperBound), isMine: true)).rooms
        let newest = rooms.max { $0.createdMilliseconds < $1.createdMilliseconds }
        guard let room = rooms.first(where: \.isLive) ?? newest else {
            throw SubsonicError(.notFound, "You have no room. Make one at this server's page.")
        }
        return room
    }

    func jukebox() async throws -> Element {
        let room = try await ownRoom()
        let reference = RoomReference.id(room.id)
        switch try parameters.required("action") {
        case "get": return Element("jukeboxPlaylist", try await jukeboxElement(room, showsEntries: true))
        case "status": break
        case "start": try await setPlaying(true, reference)
        case "stop": try await setPlaying(false, reference)
        case "add": try await addToQueue(try parameters.ids("id"), reference)
        case "set":
            _ = try await ask(QueueClear(room: reference))
            try await addToQueue(try parameters.ids("id"), reference)
        case "clear": _ = try await ask(QueueClear(room: reference))
        case "shuffle": _ = try await ask(QueueShuffle(room: reference))
        case "remove": _ = try await ask(QueueRemove(id: try await entry(reference).id, room: reference))
        case "skip":
            let entries = try await waiting(reference)
            if let index = try parameters.number("index"), index > entries.playing {
                let wanted = try await entry(reference)
                _ = try await ask(QueueMove(id: wanted.id, to: .first, room: reference))
                _ = try await ask(QueueNext(room: reference))
            } else if try parameters.number("index") ?? 1 > 0 || entries.playing == 0 {
                _ = try await ask(QueueNext(room: reference))
            }
        case "setGain":
            throw SubsonicError(.generic, "Everybody in a room sets how loud it is for themselves.")
        default: throw SubsonicError(.generic, "There is no such action.")
        }
        return Element("jukeboxStatus", try await jukeboxElement(try await ownRoom(), showsEntries: false))
    }

    /// What plays, if something of the queue does, and what waits.
    ///
    /// - Returns: The entries, and how many of them play: 0 or 1.
    private func waiting(_ room: RoomReference) async throws -> (entries: [QueuedTrack], playing: Int) {
        var (entries, offset, playing): ([QueuedTrack], Int?, Int) = ([], 0, 0)
        while let from = offset {
            let page = try await ask(QueueGet(offset: from, limit: Int(Limits.queuePageCount.upperBound), room: room))
            if from == 0, let now = page.now { (entries, playing) = ([now.entry], 1) }
            entries += page.entries.filter(\.isApproved)
            offset = page.nextOffset
        }
        return (entries, playing)
    }

    private func entry(_ room: RoomReference) async throws -> QueuedTrack {
        guard let index = try parameters.number("index") else { throw SubsonicError.missing("index") }
        let (entries, playing) = try await waiting(room)
        guard entries.indices.contains(index), index >= playing else { throw SubsonicError.notFound }
        return entries[index]
    }

    private func addToQueue(_ ids: [MusicID], _ room: RoomReference) async throws {
        let tracks = try await finder.shelvedTracks(ids, for: listener)
        guard tracks.count == ids.count else { throw SubsonicError.notFound }
        for start in stride(from: 0, to: tracks.count, by: Limits.queueAddCount.upperBound) {
            let piece = tracks[start..<min(start + Limits.queueAddCount.upperBound, tracks.count)].map { shelved in
                QueueReference(
                    track: Track(title: shelved.track.title, artist: shelved.track.artists.line),
                    source: shelved.track.id.rawValue)
            }
            _ = try await ask(QueueAdd(tracks: piece, room: room))
        }
    }

    /// A room that plays by itself begins and ends by that.
    private func setPlaying(_ isOn: Bool, _ room: RoomReference) async throws {
        let now = try await ask(AutoplayGet(room: room)).autoplay
        guard now.isOn != isOn else { return }
        _ = try await ask(AutoplaySet(room: room, isOn: isOn, playlist: now.playlist, jingles: now.jingles))
    }

    private func jukeboxElement(_ room: Room, showsEntries: Bool) async throws -> Element {
        let reference = RoomReference.id(room.id)
        let result = try await ask(PlaybackGet(room: reference))
        let position =
            result.serverMicroseconds.map(result.playback.position(at:)) ?? result.playback.positionMicroseconds
        let (entries, playing) = try await waiting(reference)
        let ids = entries.map { entry in entry.track.music ?? entry.source.flatMap { MusicID($0) } }
        let shelved = Dictionary(
            try await finder.shelvedTracks(Array(Set(ids.compactMap(\.self))), for: listener).map { ($0.track.id, $0) }
        ) { first, _ in first }
        var told = Element()
        told.set("currentIndex", playing == 1 ? 0 : -1)
        told.set("playing", room.isLive && result.playback.state == .playing)
        // The page of the specification calls it gain, its schema volume.
        told.set("gain", 1.0)
        told.set("volume", 1.0)
        told.set("position", position / 1_000_000)
        if showsEntries {
            told.set(
                "entry",
                zip(entries, ids).map { entry, id in
                    if let known = id.flatMap({ shelved[$0] }) { return known.element }
                    // What a host plays from elsewhere has a name only.
                    var song = Element()
                    song.set("id", "entry-\(entry.id)")
                    song.set("isDir", false)
                    song.set("title", entry.track.title ?? "Unknown")
                    song.set("artist", entry.track.artist)
                    return song
                })
        }
        return told
    }
}
