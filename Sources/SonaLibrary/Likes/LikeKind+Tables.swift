internal import SonaDatabase
internal import SonaModel
internal import SonaWire

extension LikeKind {
    /// The table of the accounts' opinions of such things.
    var opinions: SQL {
        switch self {
        case .track: "track_opinions"
        case .album: "album_opinions"
        case .artist: "artist_opinions"
        case .playlist: "playlist_opinions"
        }
    }

    /// The column of that table that names the thing.
    var column: SQL {
        switch self {
        case .track: "track"
        case .album: "album"
        case .artist: "artist"
        case .playlist: "playlist"
        }
    }

    /// The table of the things, with the columns `number` and `id`.
    var things: SQL {
        switch self {
        case .track: "tracks"
        case .album: "albums"
        case .artist: "artists"
        case .playlist: "playlists"
        }
    }

    /// The refusal of somebody who asks for a thing that is not there, or not for them.
    var missing: Refusal {
        switch self {
        case .track: Refusal(.trackNotFound)
        case .album: Refusal(.albumNotFound)
        case .artist: Refusal(.artistNotFound)
        case .playlist: Refusal(.playlistNotFound)
        }
    }

    /// A condition for the thing of a number: whether a listener sees it, or a track of it.
    func isSeen(_ number: Int64, by listener: Listener) -> SQL {
        let condition = Access.condition(for: listener)
        return switch self {
        case .track: "SELECT 1 FROM tracks t WHERE t.number = \(number) AND \(condition)"
        case .album: "SELECT 1 FROM tracks t WHERE t.album = \(number) AND \(condition)"
        case .artist:
            """
            SELECT 1 FROM track_artists j JOIN tracks t ON t.number = j.track
            WHERE j.artist = \(number) AND \(condition)
            """
        case .playlist:
            "SELECT 1 FROM playlists p WHERE p.number = \(number) AND \(Self.isSeenPlaylist(by: listener))"
        }
    }

    /// The condition for `playlists p` that somebody sees: their own, those they edit, and others that are not private,
    /// unless something hides the owner. `OpenPlaylist` decides the same for one playlist.
    static func isSeenPlaylist(by listener: Listener) -> SQL {
        let uid = listener.uid
        return """
            (p.owner_uid IS \(uid)
                OR EXISTS (SELECT 1 FROM playlist_collaborators c WHERE c.playlist = p.number AND c.uid IS \(uid))
                OR p.visibility <> 'private') AND \(OpenPlaylist.showsOwner(to: listener))
            """
    }
}
