extension OpenSubsonic {
    typealias Endpoint = @Sendable (Call) async throws -> Element
    typealias MediaEndpoint = @Sendable (Call) async throws -> Answer

    /// The endpoints that answer with a document, by name.
    static let endpoints: [String: Endpoint] = [
        "ping": { _ in Element() },
        "getLicense": { _ in license },
        "tokenInfo": { $0.tokenInfo },
        "getMusicFolders": { $0.musicFolders() },
        "getIndexes": { try await $0.indexes() },
        "getMusicDirectory": { try await $0.directory() },
        "getGenres": { try await $0.genres() },
        "getArtists": { try await $0.artists() },
        "getArtist": { try await $0.artist() },
        "getAlbum": { try await $0.album() },
        "getSong": { try await $0.song() },
        "getArtistInfo": { try await $0.artistInfo("artistInfo") },
        "getArtistInfo2": { try await $0.artistInfo("artistInfo2") },
        "getAlbumInfo": { try await $0.albumInfo() },
        "getAlbumInfo2": { try await $0.albumInfo() },
        "getTopSongs": { try await $0.topSongs() },
        "getSimilarSongs": { try await $0.similarSongs("similarSongs") },
        "getSimilarSongs2": { try await $0.similarSongs("similarSongs2") },
        "getAlbumList": { try await $0.albumList() },
        "getAlbumList2": { try await $0.albumList2() },
        "getRandomSongs": { try await $0.randomSongs() },
        "getSongsByGenre": { try await $0.songsByGenre() },
        "getStarred": { try await $0.starred("starred") },
        "getStarred2": { try await $0.starred("starred2") },
        "getNowPlaying": { try await $0.nowPlaying() },
        "search2": { try await $0.search("searchResult2") },
        "search3": { try await $0.search("searchResult3") },
        "getPlaylists": { try await $0.playlists() },
        "getPlaylist": { try await $0.playlist() },
        "createPlaylist": { try await $0.createPlaylist() },
        "updatePlaylist": { try await $0.updatePlaylist() },
        "deletePlaylist": { try await $0.deletePlaylist() },
        "getLyrics": { try await $0.lyrics() },
        "getLyricsBySongId": { try await $0.lyricsBySong() },
        "star": { try await $0.star(true) },
        "unstar": { try await $0.star(false) },
        "setRating": { try await $0.rate() },
        "scrobble": { try await $0.scrobble() },
        "getPlayQueue": { try await $0.playQueue() },
        "savePlayQueue": { try await $0.savePlayQueue() },
        "getPlayQueueByIndex": { try await $0.playQueueByIndex() },
        "savePlayQueueByIndex": { try await $0.savePlayQueueByIndex() },
        "getBookmarks": { try await $0.bookmarks() },
        "createBookmark": { try await $0.createBookmark() },
        "deleteBookmark": { try await $0.deleteBookmark() },
        "getInternetRadioStations": { try await $0.radioStations() },
        "jukeboxControl": { try await $0.jukebox() },
        "getUser": { try $0.user() },
        "getUsers": { try $0.users() },
        "getScanStatus": { try await $0.scanStatus() },
        "startScan": { try await $0.startScan() },
        "getPodcasts": { _ in Element("podcasts", Element("channel", [])) },
        "getNewestPodcasts": { _ in Element("newestPodcasts", Element("episode", [])) },
    ]

    /// The endpoints that answer with sound or pictures.
    static let media: [String: MediaEndpoint] = [
        "stream": { .sound(try await $0.stream()) },
        "download": { .sound(try $0.download()) },
        "getCoverArt": { try await $0.coverArt() },
        "getAvatar": { try await $0.avatar() },
    ]

    /// The names of all endpoints, also for figures.
    package static var names: Set<String> { allNames }

    private static let allNames = Set(endpoints.keys).union(media.keys).union(["getOpenSubsonicExtensions"])

    /// What this server has beyond Subsonic 1.16.1.
    static let extensions = Element(
        "openSubsonicExtensions",
        ["apiKeyAuthentication", "formPost", "indexBasedQueue", "songLyrics", "transcodeOffset"].map { name in
            var told = Element()
            told.set("name", name)
            told.set("versions", numbers: [1])
            return told
        })

    private static var license: Element {
        var license = Element()
        license.set("valid", true)
        return Element("license", license)
    }
}
