extension Limits {
    /// Bytes of the text of a list that is imported by a message.
    public static let playlistImportBytes = 1...60_000
    /// Bytes of a list that is imported by `POST /v1/playlists/import`.
    public static let playlistFileBytesMax = 4_194_304
    /// The path of imports by HTTP.
    public static let playlistImportPath = "/v1/playlists/import"
    /// Lines of an import that its report names.
    public static let playlistMissingMax = 500
}

/// The format of a playlist in a file.
///
/// Source: Protocol/spec/playlists.md, "Files".
public enum PlaylistFormat: String, CaseIterable, Sendable {
    case m3u8, xspf, jspf
}

/// `playlist.export`: a playlist as the text of a file.
///
/// Source: Protocol/spec/playlists.md, "playlist.export".
public struct PlaylistExport: DeclaredRequest {
    public typealias Response = PlaylistFile
    public static let type = "playlist.export"
    public static let permission: Permission? = .libraryListen

    public var playlist: MusicID
    public var format: PlaylistFormat

    public init(playlist: MusicID, format: PlaylistFormat = .m3u8) {
        self.playlist = playlist
        self.format = format
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID), Member("format", \Self.format, .word, default: .m3u8),
        make: Self.init)
}

/// The answer to `playlist.export`.
public struct PlaylistFile: DeclaredObject, Equatable {
    /// A name for the file, with its ending.
    public var name: String
    public var mediaType: String
    public var text: String

    public init(name: String, mediaType: String, text: String) {
        self.name = name
        self.mediaType = mediaType
        self.text = text
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: 1...200)),
        Member("media_type", \Self.mediaType, .line(bytes: 1...64)),
        Member("text", \Self.text, .text(bytes: 0...Int.max)),
        make: Self.init)
}

/// `playlist.import`: adds the tracks of a list in a file to a playlist, or makes one of them.
///
/// Source: Protocol/spec/playlists.md, "playlist.import".
public struct PlaylistImport: DeclaredRequest {
    public typealias Response = PlaylistImported
    public static let type = "playlist.import"
    public static let permission: Permission? = .libraryCollect

    /// `nil`: a new one.
    public var playlist: MusicID?
    /// The title of a new one. `nil`: that of the file, else "Imported playlist".
    public var title: String?
    /// `nil`: told by the text.
    public var format: PlaylistFormat?
    public var text: String
    /// A request of the same key adds nothing again.
    public var key: String?

    public init(
        playlist: MusicID? = nil, title: String? = nil, format: PlaylistFormat? = nil, text: String,
        key: String? = nil
    ) {
        self.playlist = playlist
        self.title = title
        self.format = format
        self.text = text
        self.key = key
    }

    public static let declaration = Declaration(
        Member(optional: "playlist", \Self.playlist, .musicID),
        Member(optional: "title", \Self.title, .playlistTitle),
        Member(optional: "format", \Self.format, .word),
        Member("text", \Self.text, .playlistFile),
        Member(optional: "key", \Self.key, .requestKey),
        make: Self.init)
}

/// What an import did.
public struct PlaylistImported: DeclaredObject, Equatable {
    public var playlist: Playlist
    /// Entries that were added.
    public var addedCount: Int
    /// Items of the file for which no track was found; the first 500.
    public var missing: [PlaylistMissing]
    /// All of them.
    public var missingCount: Int

    public init(playlist: Playlist, addedCount: Int, missing: [PlaylistMissing], missingCount: Int) {
        self.playlist = playlist
        self.addedCount = addedCount
        self.missing = missing
        self.missingCount = missingCount
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .object), Member("added", \Self.addedCount, .count),
        Member("missing", \Self.missing, .objects(count: 0...Limits.playlistMissingMax)),
        Member("missing_count", \Self.missingCount, .count), make: Self.init)
}

/// An item of an imported file for which no track was found.
public struct PlaylistMissing: DeclaredObject, Hashable {
    /// Its place in the file, from 1.
    public var place: Int
    /// What the file says of it: artist and title, or its path.
    public var text: String

    public init(place: Int, text: String) {
        self.place = place
        self.text = text
    }

    public static let declaration = Declaration(
        Member("place", \Self.place, .count), Member("text", \Self.text, .line(bytes: 0...Limits.musicTextBytesMax)),
        make: Self.init)
}

extension Form where Value == String {
    /// The contents of a playlist in a file. Refused with `upload.too_large` where they are too long for a message.
    fileprivate static var playlistFile: Form {
        let bytes = Limits.playlistImportBytes
        return Form(
            .string(bytes: bytes),
            read: { fields, key throws(WireError) in
                let text = try fields.stringIfPresent(key, bytes: bytes.lowerBound...Int.max)
                guard (text?.utf8.count ?? 0) <= bytes.upperBound else {
                    throw fields.invalid(
                        key, "may have \(bytes.upperBound) bytes in a message; send a longer file by HTTP",
                        code: .uploadTooLarge)
                }
                return text
            }, write: { $1.string($0) })
    }
}
