package import SonaDatabase

/// The migrations of this module, as `ModelSchema` has those of the accounts and rooms: append-only.
package enum LibrarySchema {
    package static let timeline = [
        Migration("2026-11 library", createLibrary),
        Migration("2026-11 cover colors", addCoverColors),
        Migration("2026-11 likes", createLikes),
        Migration("2026-11 playlists", createPlaylists),
        Migration("2026-11 plays", createPlays),
        Migration("2026-11 playlist likes", createPlaylistLikes),
        Migration("2026-11 submissions", createSubmissions),
        Migration("2026-11 players", createPlayers),
        Migration("2026-11 lyrics", createLyrics),
        Migration("2026-11 playlist pictures", createPlaylistPictures),
        Migration("2026-11 bookmarks", createBookmarks),
        Migration("2026-11 scrobbling", createScrobbling),
    ]
}
