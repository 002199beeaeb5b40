package import SonaCrypto
package import SonaDatabase
package import SonaMedia
internal import SonaText

/// The durable plane: accounts, people and rooms in the data folder, for as long as this process holds it.
///
/// Everything here waits for a disk or a slow hash, on threads of its own; nothing here is called from an event loop
/// except `accounts.authenticate` and `accounts.guest`, which say so.
package final class Model: Sendable {
    package let accounts: Accounts
    package let people: People
    package let photos: Photos
    package let rooms: RoomStore
    package let roomStorage: RoomStorage
    package let journal: Journal
    /// What sweeps the database now and then.
    package let upkeep: Upkeep

    private let folder: DataFolder
    private let database: DatabasePool
    private let passwordWorkers: WorkerThreads
    private let photoWorkers: WorkerThreads

    /// How a model is opened. Every field has a default.
    package struct Options: Sendable {
        /// What one new password hash costs.
        package var passwordCost = PasswordHash.Cost.standard
        /// The calendar, for tests to move.
        package var clock = WallClock.system
        /// Who is let in by a Firebase project's tokens; `nil` for nobody.
        package var firebase: FirebaseTokens?
        /// How long after an answer things happen that it must not tell of, in milliseconds.
        package var quietMilliseconds = 500...3_000
        /// How long a search or a page of what was said or played may take in the database before it is given up.
        package var readLimit = Duration.milliseconds(500)
        /// How many times the budgets of `AccountBudgets.table` each account has.
        package var budgetFactor = 1
        /// Carries mail; `nil` where there is none. On any thread; must not wait.
        package var mail: (@Sendable (AccountMail) -> Void)?
        /// Make photos of what people send, in processes of their own; `nil` where none are taken.
        package var pictures: PictureWorkers?
        /// Told what an operator should know of the database; on any thread, must not wait.
        package var log: (@Sendable (DatabaseEvent) -> Void)?

        /// Told what else an operator should know, in a sentence without its full stop, while the folder is opened.
        package var notice: (@Sendable (String) -> Void)?
        /// Keys that are gone, though there is a database, are made anew.
        package var makesLostKeys = false

        package init() {}
    }

    /// Opens the data folder, making whatever of it is not there yet.
    ///
    /// A new folder gets mode 0700 and all files 0600, whatever the umask. At most one process holds a folder at a time.
    ///
    /// - Parameter dataFolder: A path on a local file system.
    package static func open(
        dataFolder: String, _ options: Options = Options()
    ) async throws(ModelError) -> Model {
        let folder = try DataFolder(path: dataFolder, notice: options.notice)
        try folder.openKeys(makesLostKeys: options.makesLostKeys)
        // Its tables are read when the first such letter comes: not in somebody's request.
        _ = SearchKey("ł")
        let key = try folder.signingKey()
        let journalKey = try folder.journalKey()
        let inviteKey = try folder.inviteKey()
        let refreshKey = try folder.refreshKey()
        let (database, daos) = try await folder.openDatabase(log: options.log)
        do {
            let journal = try await Journal.open(
                daos.journal, key: journalKey.key, clock: options.clock, anchorPath: journalKey.anchorPath)
            let passwordWorkers = WorkerThreads(
                "passwords", threads: WorkerThreads.hashingThreads(cost: options.passwordCost), queueMax: 96)
            // Each of these threads waits for a process.
            let photoWorkers = WorkerThreads("photos", threads: PictureWorkers.countMax, queueMax: 8)
            let parts = try await accountParts(
                daos, journal, (AccessTokens(key: key), refreshKey), passwordWorkers, options)
            let roomStorage = RoomStorage(
                daos, key: inviteKey, journal: journal, clock: options.clock, readLimit: options.readLimit)
            return Model(
                accounts: Accounts(parts),
                people: People(daos, clock: options.clock, readLimit: options.readLimit),
                photos: Photos(
                    daos.photos, workers: photoWorkers, pictures: options.pictures, clock: options.clock,
                    budgets: parts.budgets),
                rooms: RoomStore(daos.rooms, clock: options.clock), roomStorage: roomStorage, journal: journal,
                upkeep: Upkeep(daos, roomStorage: roomStorage, clock: options.clock),
                folder: folder, database: database, passwordWorkers: passwordWorkers, photoWorkers: photoWorkers)
        } catch {
            await database.close()
            throw error
        }
    }

    private static func accountParts(
        _ daos: SonaDAOs, _ journal: Journal, _ keys: (tokens: AccessTokens, refresh: RefreshKey),
        _ workers: WorkerThreads, _ options: Options
    ) async throws(ModelError) -> Accounts.Parts {
        let now = options.clock.nowMilliseconds()
        let revoked = RevokedFamilies(try await daos.revokedFamilies.current(now: now))
        let known: (changed: [UserRecord], bans: [BanRecord])
        do throws(Refusal) {
            known = try await daos.users.notes(
                changedSince: now - Int64(Accounts.accessTokenSeconds) * 1_000 - 1_000, now: now)
        } catch {
            throw ModelError(error)
        }
        return Accounts.Parts(
            daos: daos, journal: journal, tokens: keys.tokens, refreshKey: keys.refresh,
            budgets: AccountBudgets(factor: options.budgetFactor), revoked: revoked,
            notes: AccountNotes(changed: known.changed, bans: known.bans, now: now), workers: workers,
            cost: options.passwordCost, firebase: options.firebase, mail: options.mail, clock: options.clock,
            quietMilliseconds: options.quietMilliseconds)
    }

    private init(
        accounts: Accounts, people: People, photos: Photos, rooms: RoomStore, roomStorage: RoomStorage,
        journal: Journal,
        upkeep: Upkeep, folder: DataFolder, database: DatabasePool, passwordWorkers: WorkerThreads,
        photoWorkers: WorkerThreads
    ) {
        self.accounts = accounts
        self.people = people
        self.photos = photos
        self.rooms = rooms
        self.roomStorage = roomStorage
        self.journal = journal
        self.upkeep = upkeep
        self.folder = folder
        self.database = database
        self.passwordWorkers = passwordWorkers
        self.photoWorkers = photoWorkers
    }

    /// Figures of this moment, for metrics. Any thread; two locks, no disk.
    package var storageStatus: DatabaseStatus { database.status }

    /// Finishes what was begun, closes the database and gives the folder free. May be called twice.
    package func close() async {
        passwordWorkers.close()
        photoWorkers.close()
        // What it says is a convenience: it can be made anew from the journal.
        try? await journal.anchor()
        await database.close()
        folder.unlock()
    }
}
