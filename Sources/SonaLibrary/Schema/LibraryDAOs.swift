package import SonaDatabase

/// The DAOs of this module. The tables of a DAO are set up because it is listed here.
package struct LibraryDAOs: DAOs {
    let music: MusicDAO
    let folders: FolderDAO
    let jobs: JobDAO
    let media: MediaDAO
    let uploads: UploadDAO
    let likes: LikeDAO
    let plays: PlayDAO
    let scrobbles: ScrobbleDAO
    let player: PlayerDAO
    let bookmarks: BookmarkDAO
    let playlists: PlaylistDAO
    let submissions: SubmissionDAO

    package init(_ database: any DatabaseWriter) {
        music = MusicDAO(database)
        folders = FolderDAO(database)
        jobs = JobDAO(database)
        media = MediaDAO(database)
        uploads = UploadDAO(database)
        likes = LikeDAO(database)
        plays = PlayDAO(database)
        scrobbles = ScrobbleDAO(database)
        player = PlayerDAO(database)
        bookmarks = BookmarkDAO(database)
        playlists = PlaylistDAO(database)
        submissions = SubmissionDAO(database)
    }
}
