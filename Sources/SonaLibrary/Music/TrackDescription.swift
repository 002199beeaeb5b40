internal import SonaMedia
internal import SonaText
internal import SonaTranscode
internal import SonaWire

/// A track in words: what its file says of itself, made fit to be shown, with the edits on top.
struct TrackDescription: Equatable, Sendable {
    var title: String
    var artists: [String] = []
    var album: String?
    var albumArtists: [String] = []
    /// Whether the file says that its album is one of various artists.
    var isCompilation = false
    var genres: [String] = []
    var year: Int?
    var disc: Int?
    var place: Int?
    /// MusicBrainz's identifier of the release.
    var release: String?
    /// Names by which to sort, where the file says so.
    var titleSort: String?
    var artistSort: String?

    /// The keys of the texts above: computed apart from the transaction that writes them, which others wait for.
    struct Keys: Equatable, Sendable {
        let artist: String
        let titleKey: String
        let artistKey: String
        let albumKey: String
        let titleSort: [UInt8]
        let artistSort: [UInt8]
        let albumSort: [UInt8]

        init(_ track: TrackDescription) {
            artist = TrackDescription.line(track.artists.joined(separator: ", ")) ?? ""
            let album = track.album ?? ""
            titleKey = SearchKey(track.title).text
            artistKey = SearchKey(artist).text
            albumKey = SearchKey(album).text
            titleSort = SortNames.key(track.titleSort ?? track.title)
            artistSort = artist.isEmpty ? SortNames.last : SortNames.key(track.artistSort ?? track.artists[0])
            albumSort = album.isEmpty ? SortNames.last : SortNames.key(album)
        }
    }

    /// - Parameters:
    ///   - tags: Untrusted.
    ///   - name: The file's name without its ending: the title of a track without one.
    init(_ tags: SoundTags, name: String) {
        title = Self.line(tags["TITLE"]) ?? Self.line(name) ?? "?"
        artists = Self.names(tags, ["ARTISTS", "ARTIST"])
        album = Self.line(tags["ALBUM"])
        albumArtists = Self.names(tags, ["ALBUMARTISTS", "ALBUMARTIST"])
        isCompilation = tags["COMPILATION"].map { $0.first == "1" } ?? false
        genres = Self.names(tags, ["GENRE"], separators: [";", ",", "/"])
        year = Self.number(tags["DATE"] ?? tags["YEAR"] ?? tags["ORIGINALDATE"], in: 1...9_999)
        disc = Self.number(tags["DISCNUMBER"], in: 1...999)
        place = Self.number(tags["TRACKNUMBER"], in: 1...9_999)
        release = Self.line(tags["MUSICBRAINZ_ALBUMID"])
        titleSort = Self.line(tags["TITLESORT"])
        artistSort = Self.line(tags["ARTISTSORT"])
    }

    mutating func apply(_ edits: TrackEdits) {
        if let title = edits.title {
            self.title = title
            titleSort = nil
        }
        if let artists = edits.artists {
            self.artists = artists
            artistSort = nil
        }
        if let album = edits.album {
            self.album = album.isEmpty ? nil : album
            release = nil
        }
        if let albumArtists = edits.albumArtists {
            self.albumArtists = albumArtists
            isCompilation = false
            release = nil
        }
        if let genres = edits.genres { self.genres = genres }
        if let year = edits.year { self.year = year == 0 ? nil : year }
        if let disc = edits.disc { self.disc = disc == 0 ? nil : disc }
        if let place = edits.place { self.place = place == 0 ? nil : place }
    }

    // MARK: Reading tags

    /// All values of the first of several names that has any; each may hold several names of its own.
    private static func names(
        _ tags: SoundTags, _ keys: [String], separators: Set<Character> = [";"]
    ) -> [String] {
        for key in keys {
            var names: [String] = []
            for value in tags.values where value.name == key {
                for part in value.text.split(whereSeparator: { separators.contains($0) }) {
                    guard let name = line(String(part)), !names.contains(name) else { continue }
                    names.append(name)
                }
            }
            if !names.isEmpty { return Array(names.prefix(Limits.musicNamesMax)) }
        }
        return []
    }

    /// The leading number of "3/12" or "1999-05-01".
    private static func number(_ text: String?, in range: ClosedRange<Int>) -> Int? {
        guard let digits = text?.drop(while: { $0 == " " }).prefix(while: { $0.isASCII && $0.isNumber }).prefix(6),
            let number = Int(digits), range.contains(number)
        else { return nil }
        return number
    }

    /// A text as one line that can be shown: control characters and separators of lines become spaces, spaces at the
    /// ends go, and what is too long is cut between characters.
    static func line(_ text: String?, bytesMax: Int = Limits.musicTextBytesMax) -> String? {
        guard let text else { return nil }
        var scalars = String.UnicodeScalarView()
        var bytes = 0
        var isAfterSpace = true
        for scalar in text.unicodeScalars {
            let isSpace =
                scalar.value <= 0x20 || (0x7F...0xA0).contains(scalar.value)
                || scalar.value == 0x2028 || scalar.value == 0x2029
            if isSpace, isAfterSpace { continue }
            isAfterSpace = isSpace
            bytes += isSpace ? 1 : UTF8.width(scalar)
            if bytes > bytesMax { break }
            scalars.append(isSpace ? " " : scalar)
        }
        while scalars.last == " " { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }
}
