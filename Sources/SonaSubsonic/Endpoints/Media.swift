internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Sound and pictures.
extension Call {
    /// The file as it is, or Ogg Opus.
    ///
    /// | asked for | sent |
    /// |---|---|
    /// | `format=raw` | the file |
    /// | `format=opus`, `ogg` or `oga` | Opus, unless the file has that format |
    /// | `maxBitRate` below that of the file | Opus |
    /// | `timeOffset` | Opus from there on, whatever else is said |
    /// | any other `format`, or nothing | the file |
    func stream() async throws -> OpenSubsonic.SoundWanted {
        let track = try await finder.track(try parameters.id(), for: listener)
        let most = try parameters.number("maxBitRate") ?? 0
        let isTooMuch = most > 0 && track.bitrate > most
        let asOpus =
            switch parameters.first("format")?.lowercased() {
            case "raw": false
            case "opus", "ogg", "oga": true
            default: isTooMuch
            }
        let offset = try parameters.number("timeOffset") ?? 0
        guard offset >= 0, offset < Self.offsetSecondsMax else {
            throw SubsonicError(.generic, "timeOffset must be a place in the song, in seconds.")
        }
        return OpenSubsonic.SoundWanted(
            track: track.id, account: account, isDownload: false, asOpus: asOpus, offsetSeconds: offset)
    }

    func download() throws -> OpenSubsonic.SoundWanted {
        guard account.role.permissions.contains(.libraryDownload) else {
            throw SubsonicError(.forbidden, "This account may not download.")
        }
        return OpenSubsonic.SoundWanted(
            track: try parameters.id(), account: account, isDownload: true, asOpus: false, offsetSeconds: 0)
    }

    /// A week.
    private static let offsetSecondsMax = 604_800

    /// The cover of a key, a track, an album, an artist, a playlist or a room.
    func coverArt() async throws -> OpenSubsonic.Answer {
        let text = try parameters.required("id")
        let size = try parameters.number("size")
        let cover: CoverSize = size.map { $0 <= 64 ? .small : $0 <= 256 ? .medium : .full } ?? .full
        let photo: PhotoSize = size.map { $0 <= 32 ? .small : $0 <= 64 ? .medium : .full } ?? .full
        if let id = MusicID(text) {
            guard let kind = try await finder.kind(of: id) else { throw SubsonicError.notFound }
            guard kind == .playlist else {
                guard let found = try await finder.cover(of: id, kind, for: listener) else {
                    throw SubsonicError.notFound
                }
                return .cover(key: found.key, cover)
            }
            let list = try await library.playlists.get(PlaylistGet(playlist: id, limit: 1), for: listener).playlist
            if let picture = list.picture { return .photo(picture.id, photo) }
            guard let first = list.covers.first else { throw SubsonicError.notFound }
            return .cover(key: first.key, cover)
        }
        if let id = RoomID(text) {
            guard let picture = try await ask(RoomGet(room: .id(id))).room.picture else { throw SubsonicError.notFound }
            return .photo(picture.id, photo)
        }
        return .cover(key: text, cover)
    }

    /// The photo of somebody.
    func avatar() async throws -> OpenSubsonic.Answer {
        guard let name = Username(try parameters.required("username")) else { throw SubsonicError.notFound }
        guard let photo = try await ask(UserGet(user: .username(name))).profile?.photo else {
            throw SubsonicError.notFound
        }
        return .photo(photo.id, .full)
    }
}
