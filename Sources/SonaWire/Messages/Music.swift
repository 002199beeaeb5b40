extension Limits {
    /// Bytes of a title or a name in the library. Longer ones of files are cut.
    public static let musicTextBytesMax = 500
    static let musicTextBytes = 1...musicTextBytesMax
    /// Artists of a track, and genres. Further ones of files are left out.
    public static let musicNamesMax = 16
}

// MARK: - Words

/// What an account may hear of a track.
///
/// Source: Protocol/spec/tracks.md, "Access".
public enum TrackAccess: String, CaseIterable, Sendable {
    /// All of it.
    case full
    /// 30 seconds.
    case preview
    /// Nothing; the track is not shown.
    case none
}

/// Where an uploaded track stands. One without a status is its owner's alone.
///
/// Source: Protocol/spec/tracks.md, "Status".
public enum TrackStatus: String, CaseIterable, Sendable {
    case pending, approved, rejected
}

// MARK: - Objects

/// An artist, album or genre by name, where it is mentioned.
public struct MusicName: DeclaredObject, Hashable {
    public var id: MusicID
    public var name: String

    public init(id: MusicID, name: String) {
        self.id = id
        self.name = name
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID), Member("name", \Self.name, .musicText), make: Self.init)
}

/// A track of the library.
///
/// Source: Protocol/spec/tracks.md, "Track of the library".
public struct MusicTrack: DeclaredObject, Hashable {
    public var id: MusicID
    public var title: String
    /// Empty if they are unknown.
    public var artists: [MusicName]
    public var album: MusicName?
    public var disc: Int?
    /// The place on the disc.
    public var place: Int?
    public var year: Int?
    public var genres: [MusicName]
    public var durationMilliseconds: Int64
    /// The format of the file: `mp3`, `flac`, …
    public var kind: String
    /// kb/s; 0 if unknown.
    public var bitrate: Int
    /// Samples a second; 0 if unknown.
    public var sampleRate: Int
    /// 0 if unknown.
    public var channels: Int
    /// Hundredths of LUFS; `nil` until measured.
    public var loudness: Int?
    /// `nil` if there is none.
    public var cover: MusicCover?
    /// What the caller may hear.
    public var access: TrackAccess
    /// Who uploaded it; `nil` for tracks of the server's folders.
    public var owner: UserID?
    public var status: TrackStatus?
    /// Whether somebody changed what the file says of itself.
    public var isEdited: Bool
    /// How often it was heard.
    public var plays: Int64
    /// Milliseconds since 1970, UTC.
    public var addedMilliseconds: Int64
    /// Whether the caller likes it; `nil` for guests, who like nothing.
    public var isLiked: Bool?
    /// The caller's rating, 1 to 5; `nil` if there is none.
    public var rating: Int?
    /// Whether its words are known, if the caller may hear all of it; `nil` if not.
    public var lyrics: LyricsKind?
    /// By how much it is made louder or softer so that all tracks are about as loud, and all albums, hundredths of dB;
    /// `nil` until measured.
    public var gain: Int?
    public var albumGain: Int?

    public init(
        id: MusicID, title: String, artists: [MusicName], album: MusicName?, disc: Int?, place: Int?, year: Int?,
        genres: [MusicName], durationMilliseconds: Int64, kind: String, bitrate: Int, sampleRate: Int, channels: Int,
        loudness: Int?, cover: MusicCover?, access: TrackAccess, owner: UserID?, status: TrackStatus?, isEdited: Bool,
        plays: Int64, addedMilliseconds: Int64, isLiked: Bool? = nil, rating: Int? = nil,
        lyrics: LyricsKind? = nil, gain: Int? = nil, albumGain: Int? = nil
    ) {
        self.id = id
        self.title = title
        self.artists = artists
        self.album = album
        self.disc = disc
        self.place = place
        self.year = year
        self.genres = genres
        self.durationMilliseconds = durationMilliseconds
        self.kind = kind
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
        self.loudness = loudness
        self.cover = cover
        self.access = access
        self.owner = owner
        self.status = status
        self.isEdited = isEdited
        self.plays = plays
        self.addedMilliseconds = addedMilliseconds
        self.isLiked = isLiked
        self.rating = rating
        self.lyrics = lyrics
        self.gain = gain
        self.albumGain = albumGain
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("title", \Self.title, .musicText),
        Member("artists", \Self.artists, .objects(count: 0...Limits.musicNamesMax)),
        Member(nullable: "album", \Self.album, .object),
        Member(nullable: "disc", \Self.disc, .count),
        Member(nullable: "place", \Self.place, .count),
        Member(nullable: "year", \Self.year, .count),
        Member("genres", \Self.genres, .objects(count: 0...Limits.musicNamesMax)),
        Member("duration_ms", \Self.durationMilliseconds, .count),
        Member("kind", \Self.kind, .line(bytes: 1...16)),
        Member("bitrate", \Self.bitrate, .count),
        Member("sample_rate", \Self.sampleRate, .count),
        Member("channels", \Self.channels, .count),
        Member(nullable: "loudness", \Self.loudness, .loudness),
        Member(nullable: "cover", \Self.cover, .object),
        Member("access", \Self.access, .word),
        Member(nullable: "owner", \Self.owner, .userID),
        Member(nullable: "status", \Self.status, .word),
        Member("edited", \Self.isEdited, .flag),
        Member("plays", \Self.plays, .count),
        Member("added_ms", \Self.addedMilliseconds, .wallTime),
        Member(optional: "liked", \Self.isLiked, .flag),
        Member(optional: "rating", \Self.rating, .rating),
        Member(optional: "lyrics", \Self.lyrics, .word),
        Member(optional: "gain", \Self.gain, .gain),
        Member(optional: "album_gain", \Self.albumGain, .gain),
        make: Self.init)
}

/// An album of the library.
public struct MusicAlbum: DeclaredObject, Hashable {
    public var id: MusicID
    public var name: String
    /// Empty for various artists.
    public var artists: [MusicName]
    public var year: Int?
    /// Tracks that the caller sees.
    public var trackCount: Int
    public var durationMilliseconds: Int64
    /// The cover of its first track that has one; `nil` if there is none.
    public var cover: MusicCover?
    /// Whether the caller likes it; `nil` for guests, who like nothing.
    public var isLiked: Bool?
    /// The caller's rating, 1 to 5; `nil` if there is none.
    public var rating: Int?

    public init(
        id: MusicID, name: String, artists: [MusicName], year: Int?, trackCount: Int, durationMilliseconds: Int64,
        cover: MusicCover?, isLiked: Bool? = nil, rating: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.artists = artists
        self.year = year
        self.trackCount = trackCount
        self.durationMilliseconds = durationMilliseconds
        self.cover = cover
        self.isLiked = isLiked
        self.rating = rating
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("name", \Self.name, .musicText),
        Member("artists", \Self.artists, .objects(count: 0...Limits.musicNamesMax)),
        Member(nullable: "year", \Self.year, .count),
        Member("tracks", \Self.trackCount, .count),
        Member("duration_ms", \Self.durationMilliseconds, .count),
        Member(nullable: "cover", \Self.cover, .object),
        Member(optional: "liked", \Self.isLiked, .flag),
        Member(optional: "rating", \Self.rating, .integer(Limits.ratings)),
        make: Self.init)
}

/// An artist of the library, or a genre.
public struct MusicGroup: DeclaredObject, Hashable {
    public var id: MusicID
    public var name: String
    /// Tracks that the caller sees.
    public var trackCount: Int
    /// The cover of the track of theirs that was heard most, or of another one; `nil` if there is none.
    public var cover: MusicCover?
    /// Whether the caller likes the artist; `nil` for genres, and for guests.
    public var isLiked: Bool?
    /// The caller's rating of the artist, 1 to 5; `nil` if there is none.
    public var rating: Int?
    /// How often tracks of the artist were heard, by whomever; `nil` for genres.
    public var plays: Int64?

    public init(
        id: MusicID, name: String, trackCount: Int, cover: MusicCover? = nil, isLiked: Bool? = nil, rating: Int? = nil,
        plays: Int64? = nil
    ) {
        self.id = id
        self.name = name
        self.trackCount = trackCount
        self.cover = cover
        self.isLiked = isLiked
        self.rating = rating
        self.plays = plays
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID), Member("name", \Self.name, .musicText),
        Member("tracks", \Self.trackCount, .count), Member(nullable: "cover", \Self.cover, .object),
        Member(optional: "liked", \Self.isLiked, .flag),
        Member(optional: "rating", \Self.rating, .integer(Limits.ratings)),
        Member(optional: "plays", \Self.plays, .count),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == MusicID {
    static var musicID: Form {
        .parsed(.musicID, "an identifier of music", MusicID.init) { $0.rawValue }
    }
}

extension Form where Value == Int {
    /// Hundredths of dB.
    static var gain: Form { .integer(Limits.gains) }
    /// Hundredths of LUFS.
    fileprivate static var loudness: Form { .integer(-100_00...100_00) }
    fileprivate static var rating: Form { .integer(Limits.ratings) }
}

extension Form where Value == String {
    /// A title or a name in the library.
    static var musicText: Form { line(bytes: Limits.musicTextBytes) }
}

extension Schema {
    package static let musicID = ascii(
        MusicID.count...MusicID.count, pattern: "^[0-7]", without: "[^0-9A-HJKMNP-TV-Z]"
    ).described("A ULID in capitals.").named("music_id")
}
