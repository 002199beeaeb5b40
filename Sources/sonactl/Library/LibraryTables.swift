internal import SonaBase
internal import SonaWire

extension [MusicTrack] {
    /// A line for each: identifier, length, artist, title, album.
    func show() {
        var table = Table()
        for track in self {
            table.add(
                track.id.rawValue, "track", length(ofMilliseconds: track.durationMilliseconds), track.artistLine,
                track.title, track.album?.name ?? "")
        }
        table.show()
    }
}

extension [MusicAlbum] {
    func show() {
        var table = Table()
        for album in self {
            let artists = album.artists.isEmpty ? "Various artists" : album.artists.map(\.name).joined(separator: ", ")
            table.add(
                album.id.rawValue, "album", album.trackCount == 1 ? "1 track" : "\(album.trackCount) tracks", artists,
                album.name, album.year.map(String.init) ?? "")
        }
        table.show()
    }
}

extension [MusicGroup] {
    func show(as kind: String) {
        var table = Table()
        for group in self {
            table.add(
                group.id.rawValue, kind, group.trackCount == 1 ? "1 track" : "\(group.trackCount) tracks", group.name)
        }
        table.show()
    }
}

extension MusicTrack {
    var artistLine: String {
        artists.isEmpty ? "Unknown artist" : artists.map(\.name).joined(separator: ", ")
    }

    /// All there is to know of the track.
    func show() {
        var table = Table()
        table.add("identifier", id.rawValue)
        table.add("title", title)
        table.add("artists", artistLine)
        if let album { table.add("album", "\(album.name) (\(album.id.rawValue))") }
        if let place { table.add("place", disc.map { "\(place) on disc \($0)" } ?? "\(place)") }
        if let year { table.add("year", "\(year)") }
        if !genres.isEmpty { table.add("genres", genres.map(\.name).joined(separator: ", ")) }
        table.add("length", length(ofMilliseconds: durationMilliseconds))
        table.add("format", "\(kind), \(bitrate) kb/s, \(sampleRate) Hz, \(channels) channels")
        if let loudness { table.add("loudness", "\(Double(loudness) / 100) LUFS") }
        table.add("you hear", access.rawValue)
        if let owner { table.add("uploaded by", owner.rawValue) }
        if let status { table.add("status", status.rawValue) }
        if isEdited { table.add("edited", "yes") }
        table.add("heard", plays == 1 ? "once" : "\(plays) times")
        table.show()
    }
}

/// Minutes and seconds, as on a sleeve.
func length(ofMilliseconds milliseconds: Int64) -> String {
    let seconds = (milliseconds + 500) / 1_000
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
}

extension [Playlist] {
    func show() {
        var table = Table()
        for list in self {
            let size =
                list.rule != nil ? "smart" : list.entryCount == 1 ? "1 track" : "\(list.entryCount) tracks"
            table.add(
                list.id.rawValue, "playlist", size, list.visibility.rawValue,
                list.owner.username.map { "@\($0.rawValue)" } ?? list.owner.uid.rawValue, list.title)
        }
        table.show()
    }
}
