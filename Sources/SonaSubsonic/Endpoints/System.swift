internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// The account, the server, and what is on.
extension Call {
    var tokenInfo: Element {
        var told = Element()
        told.set("username", username)
        return Element("tokenInfo", told)
    }

    private var userElement: Element {
        let permissions = account.role.permissions
        var told = Element()
        told.set("username", username)
        told.set("scrobblingEnabled", true)
        told.set("adminRole", account.role == .admin)
        told.set("settingsRole", true)
        told.set("downloadRole", permissions.contains(.libraryDownload))
        told.set("uploadRole", permissions.contains(.libraryUpload))
        told.set("playlistRole", permissions.contains(.libraryCollect))
        told.set("coverArtRole", false)
        told.set("commentRole", permissions.contains(.libraryCollect))
        told.set("podcastRole", false)
        told.set("streamRole", true)
        told.set("jukeboxRole", permissions.contains(.roomsControl))
        told.set("shareRole", false)
        told.set("videoConversionRole", false)
        return told
    }

    func user() throws -> Element {
        guard try parameters.required("username").lowercased() == username.lowercased() else {
            throw SubsonicError(.forbidden, "Accounts are told of themselves only.")
        }
        return Element("user", userElement)
    }

    func users() throws -> Element { Element("users", Element("user", [userElement])) }

    // MARK: Scans

    private func scanElement(_ isScanning: Bool) async -> Element {
        let counts = await library.counts()
        var told = Element()
        told.set("scanning", isScanning)
        told.set("count", counts.tracks.filter { $0.key != .missing }.values.reduce(0, +))
        return Element("scanStatus", told)
    }

    func scanStatus() async throws -> Element { await scanElement(service.host.isScanning) }

    func startScan() async throws -> Element {
        _ = try await ask(LibraryScan())
        return await scanElement(true)
    }

    // MARK: Rooms

    private func liveRooms() async throws -> [Room] {
        var (rooms, known) = ([Room](), Set<RoomID>())
        for isMine in [false, true] {
            var cursor: String?
            repeat {
                let page = try await ask(
                    RoomList(limit: Int(Limits.roomListCount.upperBound), cursor: cursor, isMine: isMine))
                for room in page.rooms where room.isLive && known.insert(room.id).inserted { rooms.append(room) }
                cursor = page.nextCursor
            } while cursor != nil && rooms.count < 1_000
        }
        return rooms
    }

    /// Rooms that are live: public ones, and the account's own.
    func radioStations() async throws -> Element {
        var stations: [Element] = []
        for room in try await liveRooms() {
            // A private room has an address for this account alone. One that has closed meanwhile is left out.
            guard let paths = try? await ask(ListenAddresses(room: .id(room.id))) else { continue }
            var told = Element()
            told.set("id", room.id.rawValue)
            told.set("name", room.settings.title)
            told.set("streamUrl", "\(request.origin)\(paths.opus)")
            told.set("homePageUrl", "\(request.origin)/r/\(room.id.rawValue)")
            if room.picture != nil { told.set("coverArt", room.id.rawValue) }
            stations.append(told)
        }
        return Element("internetRadioStations", Element("internetRadioStation", stations))
    }

    /// What live public rooms play, as far as it is of the library and the account sees it.
    func nowPlaying() async throws -> Element {
        let rooms = try await liveRooms().filter { $0.settings.visibility == .public }
        let heard = rooms.compactMap { room in room.track?.music.map { (room: room, track: $0) } }
        let shelved = Dictionary(
            try await finder.shelvedTracks(Array(Set(heard.map(\.track))), for: listener).map { ($0.track.id, $0) }
        ) { first, _ in first }
        let entries = heard.enumerated().compactMap { place, entry -> Element? in
            guard var told = shelved[entry.track]?.element else { return nil }
            let host = entry.room.host ?? entry.room.owner
            told.set("username", host.username?.rawValue ?? host.uid.rawValue)
            told.set("minutesAgo", 0)
            told.set("playerId", place + 1)
            told.set("playerName", entry.room.settings.title)
            return told
        }
        return Element("nowPlaying", Element("entry", entries))
    }
}
