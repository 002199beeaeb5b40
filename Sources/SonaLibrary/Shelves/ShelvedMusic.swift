package import SonaWire

/// A track with what players of other makers show of it besides.
package struct ShelvedTrack: Sendable {
    package let track: MusicTrack
    /// Bytes of its file; 0 if that is not there.
    package var size: Int64 = 0
    /// The ending of its file's name, in lower case; empty if it has none.
    package var suffix = ""
    /// When the caller liked it, ms since 1970.
    package var likedMilliseconds: Int64?
    /// The artists of its album.
    package var albumArtists: [MusicName] = []

    package init(_ track: MusicTrack) { self.track = track }
}

/// An album with what players of other makers show of it besides.
package struct ShelvedAlbum: Sendable {
    package let album: MusicAlbum
    /// All artists as one line. Empty for various artists.
    package var artist = ""
    /// Milliseconds since 1970, as the next one.
    package var addedMilliseconds: Int64 = 0
    package var likedMilliseconds: Int64?
    /// Of all its tracks that the caller sees, by everybody.
    package var plays: Int64 = 0
    /// The most frequent first.
    package var genres: [String] = []

    package init(_ album: MusicAlbum) { self.album = album }
}

/// An artist as a list of all artists has it.
package struct ShelvedArtist: Sendable {
    package let id: MusicID
    package let name: String
    /// The letter of `library.outline` under which it stands.
    package var letter = ""
    /// Albums of the artist of which the caller sees a track.
    package var albumCount = 0
    package var likedMilliseconds: Int64?
    package var rating: Int?
}

/// A genre with the music of it that the caller sees.
package struct ShelvedGenre: Sendable {
    package let name: String
    package let trackCount: Int
    package let albumCount: Int
}

/// The orders of a shelf of albums.
package enum AlbumOrder: Sendable, Equatable {
    case name, artist, newest, random
    /// By the caller's ratings, those without one left out.
    case rated
    /// By how often, and by when, the caller has heard of them last. Others are left out.
    case frequent, recent
    /// Those that the caller likes, the last like first.
    case liked
    /// From one year to another, both included; from the later to the earlier if the first is greater.
    case years(from: Int, to: Int)
    case genre(String)
}

/// The tracks of a shelf, and their order.
package enum TrackOrder: Sendable, Equatable {
    case title
    case genre(String)
    /// At random, of a genre and of years if they are given.
    case random(genre: String?, from: Int?, to: Int?)
    /// Of an artist of this name, those that are heard most first.
    case top(artist: String)
}

/// A page of a shelf.
package struct ShelfPage: Sendable {
    package var offset: Int
    package var limit: Int
    /// The number of a folder, or 0 for uploads; `nil`: all music.
    package var folder: Int64?
    /// The end of the page before, if it is known: then nothing is skipped. For `AlbumOrder.name` and `TrackOrder.title`.
    package var after: ShelfMark?

    /// - Parameters:
    ///   - offset: Less than 0 counts as 0.
    ///   - limit: At most `limitMax`.
    package init(offset: Int = 0, limit: Int, folder: Int64? = nil) {
        self.offset = max(0, offset)
        self.limit = min(max(0, limit), Self.limitMax)
        self.folder = folder
    }

    /// Items in one page.
    package static let limitMax = 500
}

/// The end of a page of a shelf: the sort key of its last item, and its number.
package struct ShelfMark: Sendable, Equatable {
    let key: [UInt8]
    let number: Int64
}
