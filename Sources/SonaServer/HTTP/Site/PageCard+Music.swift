internal import SonaWire

/// The cards of music that everybody may hear something of.
extension PageCard {
    /// - Parameter seconds: Where the link begins to play. A moment past the end is none.
    init(_ track: MusicTrack, at seconds: Int?, base: String?, path: String) {
        let artists = track.artists.map(\.name).joined(separator: ", ")
        var line = artists.isEmpty ? "A track" : "By \(artists)"
        if let album = track.album { line += ", on “\(album.name)”" }
        let seconds = seconds.flatMap { Int64($0) * 1_000 < track.durationMilliseconds ? $0 : nil }
        self.init(
            title: track.title + (seconds.map { " (from \(Self.clock($0)))" } ?? ""), description: line + ".",
            base: base,
            path: path + (seconds.map { "?\(SiteRoutes.momentKey)=\($0)" } ?? ""),
            picture: Self.picture(track.cover), pictureText: track.cover == nil ? nil : "Cover of the track")
    }

    /// `m:ss`, or `h:mm:ss` from an hour on.
    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = (seconds / 60, two(seconds % 60))
        return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(two(minutes % 60)):\(rest)"
    }

    init(_ album: MusicAlbum, base: String?, path: String) {
        let artists = album.artists.map(\.name).joined(separator: ", ")
        let tracks = album.trackCount == 1 ? "1 track" : "\(album.trackCount) tracks"
        let year = album.year.map { ", \($0)" } ?? ""
        self.init(
            title: album.name, description: "An album\(artists.isEmpty ? "" : " by \(artists)")\(year), \(tracks).",
            base: base, path: path, picture: Self.picture(album.cover),
            pictureText: album.cover == nil ? nil : "Cover of the album")
    }

    init(_ playlist: Playlist, base: String?, path: String) {
        let owner = playlist.owner.username.map { " of @\($0.rawValue)" } ?? ""
        let tracks =
            playlist.entryCount == 1 ? ", 1 track" : playlist.entryCount > 1 ? ", \(playlist.entryCount) tracks" : ""
        let about = playlist.about.isEmpty ? "" : " " + playlist.about
        self.init(
            title: playlist.title, description: "A playlist\(owner)\(tracks).\(about)", base: base, path: path,
            picture: playlist.picture?.path(.full) ?? Self.picture(playlist.covers.first),
            pictureText: playlist.picture != nil
                ? "Picture of the playlist" : playlist.covers.isEmpty ? nil : "Cover of an album in the playlist")
    }

    private static func picture(_ cover: MusicCover?) -> String? {
        cover.map { "\($0.path)/\(CoverSize.full.rawValue)" }
    }
}

extension SiteRoutes {
    /// Music whose page a path is.
    enum Music: Sendable, Equatable {
        case track(MusicID)
        case album(MusicID)
        case playlist(MusicID)
    }

    /// The key of the query that names a moment of a track, in seconds.
    ///
    /// Source: Protocol/spec/sharing.md, "Links".
    static let momentKey = "t"

    /// A moment as a query has it: 1 to 6 digits, and not the beginning.
    ///
    /// - Returns: Seconds from 1; `nil` for everything else.
    static func moment(_ text: String?) -> Int? {
        guard let text, 1...6 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text).flatMap { Limits.momentSeconds.contains(Int64($0)) ? $0 : nil }
    }

    static func music(_ path: String) -> Music? {
        let words = path.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 3, words[0].isEmpty, let id = MusicID(String(words[2])) else { return nil }
        return switch words[1] {
        case "track": .track(id)
        case "album": .album(id)
        case "playlists": .playlist(id)
        default: nil
        }
    }
}
