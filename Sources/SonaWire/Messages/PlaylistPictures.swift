extension Limits {
    /// The feature that announces pictures of playlists.
    public static let playlistPicturesFeature = "playlist_pictures"
    /// The beginning of the path a playlist's picture is sent to. The playlist's identifier follows. See
    /// `Playlist.pictureUploadPath`.
    public static let playlistsPathPrefix = "/v1/playlists/"
}

extension Playlist {
    /// The path that an image is sent to with POST to become the playlist's picture: `/v1/playlists/<id>/picture`.
    public static func pictureUploadPath(_ id: MusicID) -> String {
        "\(Limits.playlistsPathPrefix)\(id.rawValue)/picture"
    }
}

/// `playlist.remove_picture`: takes away a playlist's own picture, so that its covers are shown again. Without one, nothing
/// happens.
///
/// Source: Protocol/spec/playlists.md, "playlist.remove_picture".
public struct PlaylistRemovePicture: DeclaredRequest {
    public typealias Response = PlaylistResult
    public static let type = "playlist.remove_picture"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID

    public init(playlist: MusicID) { self.playlist = playlist }

    public static let declaration = Declaration(Member("playlist", \Self.playlist, .musicID), make: Self.init)
}
