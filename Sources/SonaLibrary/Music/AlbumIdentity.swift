internal import SonaText

/// Which album a track is on: MusicBrainz's release if the file names it, else name, album artist and year within one
/// folder, else name and directory.
struct AlbumIdentity {
    /// Where a file lies.
    struct Place {
        /// The number of the folder; for uploads that of nothing, and the owner's identifier in `directory`.
        var folder: Int64
        /// The directory from the folder on.
        var directory: [UInt8]
    }

    let text: String
    /// Whether the album is one of various artists.
    let isVarious: Bool
    /// Whether it is told from others by its directory.
    let isByPlace: Bool

    init(_ track: TrackDescription, in place: Place) {
        isVarious = track.isCompilation && track.albumArtists.isEmpty
        let name = SearchKey(track.album ?? "").text
        if let release = track.release {
            text = "release \(release.lowercased())"
            isByPlace = false
        } else if !track.albumArtists.isEmpty {
            let artists = track.albumArtists.map { SearchKey($0).text }.joined(separator: "\u{1F}")
            text = "\(place.folder)\u{1E}\(name)\u{1E}\(artists)\u{1E}\(track.year ?? 0)"
            isByPlace = false
        } else {
            text = "\(place.folder)\u{1E}\(name)\u{1E}\(Self.album(of: place.directory))"
            isByPlace = true
        }
    }

    /// The directory of an album: that above "CD 1" or "Disc 2", which hold parts of it.
    private static func album(of directory: [UInt8]) -> String {
        let parts = directory.split(separator: UInt8(ascii: "/"))
        guard let last = parts.last else { return "" }
        let name = String(decoding: last, as: UTF8.self).lowercased()
        let isDisc = ["cd", "disc", "disk"].contains { word in
            guard name.hasPrefix(word) else { return false }
            let rest = name.dropFirst(word.count).drop { $0 == " " || $0 == "_" || $0 == "-" }
            return !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
        }
        return parts.dropLast(isDisc ? 1 : 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
}
