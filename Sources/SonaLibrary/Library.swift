internal import SonaBase
internal import SonaDatabase
package import SonaMedia
package import SonaModel
package import SonaWire

/// The music of a server: folders of the operator, and what people upload.
///
/// Durable plane: everything here waits for a disk.
package final class Library: Sendable {
    package let finder: LibraryFinder
    package let folders: MusicFolders
    package let tracks: TrackStore
    package let submissions: Submissions
    package let jobs: Jobs
    package let media: MediaWork
    package let covers: CoverStore
    package let uploads: Uploads
    package let playlists: Playlists
    package let tokens: MediaTokens
    package let likes: Likes
    package let rooms: RoomMusic
    package let plays: Plays
    package let scrobbles: Scrobbles
    package let players: Players
    package let bookmarks: Bookmarks
    package let clock: WallClock
    let tables: LibraryDAOs
    private let counting: LibraryCounting

    /// Options for opening a library. Every field has a default.
    package struct Options: Sendable {
        /// The music folders by name, in the order of the configuration.
        package var folders: [(name: String, path: String)] = []
        package var uploads = UploadLimits()
        /// The program whose workers read foreign files. `nil`: nothing is scanned.
        package var program: WorkerProgram?
        /// What guests may hear of tracks that every account may hear.
        package var guestAccess = TrackAccess.preview
        package var clock = WallClock.system
        /// Makes covers of pictures. `nil`: there are none.
        package var pictures: PictureWorkers?
        /// Where derived files are kept. `nil`: none are made.
        package var mediaFolder: String?
        /// Bytes that all renditions together may have.
        package var renditionBytes: Int64 = 4 << 30
        /// The time limit of one search or one page in the database.
        package var readLimit = Duration.milliseconds(500)
        /// Called with facts that an operator should know: a sentence without its full stop.
        package var notice: (@Sendable (String) -> Void)?

        package init() {}
    }

    private let guestAccess: TrackAccess

    /// - Throws: `busy`, `storage`.
    package init(_ daos: LibraryDAOs, _ model: Model, _ options: Options) async throws(Refusal) {
        tables = daos
        counting = LibraryCounting(dao: daos.music)
        guestAccess = options.guestAccess
        clock = options.clock
        likes = Likes(daos.likes, clock: options.clock)
        scrobbles = Scrobbles(
            daos.scrobbles, key: model.accounts.sealingKey, notifications: model.notifications, clock: options.clock)
        plays = Plays(daos.plays, scrobbles: scrobbles, clock: options.clock)
        tokens = MediaTokens(key: model.accounts.mediaKey)
        let coverKeys = CoverKeys(key: model.accounts.coverKey)
        finder = LibraryFinder(dao: daos.music, readLimit: options.readLimit, covers: coverKeys)
        players = Players(daos.player, finder: finder, clock: options.clock)
        bookmarks = Bookmarks(daos.bookmarks, clock: options.clock)
        playlists = Playlists(
            daos.playlists, finder: finder, journal: model.journal, clock: options.clock)
        folders = try await MusicFolders(daos.folders, options)
        let contents = MediaContents(MediaFolder(dataFolder: model.dataFolder), daos.uploads.database)
        uploads = Uploads(
            contents, daos.uploads.database, program: options.program, clock: options.clock,
            limits: options.uploads, notice: options.notice)
        let files = TrackFiles(database: daos.music.database, folders: folders, uploads: contents.folder)
        tracks = TrackStore(
            daos.music, files, uploads: uploads, journal: model.journal, notifications: model.notifications,
            clock: options.clock)
        submissions = Submissions(
            daos.submissions, finder, journal: model.journal, notifications: model.notifications,
            webhooks: model.webhooks, clock: options.clock)
        jobs = Jobs(daos.jobs, clock: options.clock, notice: options.notice)
        covers = CoverStore(
            daos.music, files, coverKeys, jobs: jobs, options.pictures, folder: options.mediaFolder)
        media = MediaWork(daos.media, files, jobs: jobs, options)
        rooms = RoomMusic(finder, tracks, media, folders)
        await folders.onScanEnd { [media, covers] in
            await covers.findColors()
            await media.measure()
        }
        uploads.onTrack { [media, covers] track in
            await media.prepare(track)
            await covers.findColors()
        }
        do { try contents.folder.make() } catch { throw uploads.refusal(error) }
        model.accounts.addExportPart { uid, db in
            let export = try LibraryExport(of: uid, in: &db)
            return (key: "library", writeValue: { export.write(into: &$0) })
        }
        model.accounts.addExportPart { uid, db in
            let export = try PlaylistAccountExport(of: uid, in: &db)
            return (key: "playlists", writeValue: { export.write(into: &$0) })
        }
        model.accounts.addExportPart { uid, db in
            let jobs = try Jobs.exported(uid, &db)
            return (
                key: "jobs",
                writeValue: { writer in
                    writer.beginArray()
                    for job in jobs { job.encode(into: &writer) }
                    writer.endArray()
                }
            )
        }
        model.accounts.addExportPart { uid, db in
            let connections = try Scrobbles.list(of: uid, &db)
            return (
                key: "scrobbling",
                writeValue: { writer in
                    writer.beginArray()
                    for connection in connections { connection.encode(into: &writer) }
                    writer.endArray()
                }
            )
        }
        model.accounts.addRemovalPart { uid, now, db in try Plays.erase(uid, now: now, &db) }
        try await scrobbles.load()
        try await jobs.start(media.kinds + [CoverJob(covers: covers)])
    }

    /// What access depends on for an account.
    ///
    /// - Throws: `busy`, `storage`.
    package func listener(for account: Accounts.Account) async throws(Refusal) -> Listener {
        let sight = account.isGuest ? Sight.ordinary : Sight(account.role.permissions)
        let uid = account.isGuest ? nil : account.uid
        return Listener(
            uid: uid, guestAccess: guestAccess, sight: sight,
            folders: try await folders.numbers(for: uid), askedMilliseconds: clock.nowMilliseconds())
    }

    /// A guest, with the folders that guests see.
    ///
    /// - Throws: `busy`, `storage`.
    package func guest() async throws(Refusal) -> Listener {
        Listener(
            uid: nil, guestAccess: guestAccess, folders: try await folders.numbers(for: nil),
            askedMilliseconds: clock.nowMilliseconds())
    }

    /// Somebody of whom nothing is known.
    package var anyGuest: Listener {
        Listener(uid: nil, guestAccess: guestAccess, folders: [], askedMilliseconds: clock.nowMilliseconds())
    }

    /// How much music there is, a few seconds old at most in a small library.
    package func counts() async -> LibraryCounts { await counting.counts() }

    /// The hourly deletion of what nobody needs or can find any more.
    ///
    /// - Returns: The number of deleted rows of music.
    /// - Throws: `busy`, `storage`.
    @discardableResult
    package func tidy() async throws(Refusal) -> Int {
        let count = try await LibraryUpkeep(dao: tables.music).round(now: clock.nowMilliseconds())
        _ = try await plays.tidy()
        await media.tidy()
        await covers.tidy()
        try await jobs.tidy()
        try await scrobbles.tidy()
        return count
    }

    /// Ends running scans, leaves jobs, and lets no further upload begin.
    package func close() async {
        uploads.close()
        await folders.close()
        await jobs.close()
        covers.close()
    }
}
