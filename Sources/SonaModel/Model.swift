package import SonaCrypto
package import SonaDatabase
package import SonaMedia
internal import SonaText

/// The durable plane: accounts, people and rooms in the data folder. The process holds the folder until `close`.
///
/// Everything here waits for a disk or a slow hash, on threads of its own. Event loops may call only what says "Any
/// thread; no disk", such as `accounts.authenticate` and `accounts.guest`.
package final class Model: Sendable {
    package let accounts: Accounts
    package let people: People
    package let photos: Photos
    package let rooms: RoomStore
    package let roomStorage: RoomStorage
    package let roomTransfers: RoomTransferStore
    package let journal: Journal
    package let addressBans: AddressBans
    package let reports: Reports
    package let words: WordGuard
    package let notifications: Notifications
    package let plans: Plans
    package let webhooks: WebhookStore
    /// Deletes expired rows regularly.
    package let upkeep: Upkeep

    private let folder: DataFolder
    private let database: DatabasePool
    private let passwordWorkers: WorkerThreads
    private let photoWorkers: WorkerThreads

    /// Options for opening a model. Every field has a default.
    package struct Options: Sendable {
        /// The cost of a new password hash.
        package var passwordCost = PasswordHash.Cost.standard
        /// The wall clock. Tests pass their own.
        package var clock = WallClock.system
        /// Checks tokens of a Firebase project. `nil`: none are accepted.
        package var firebase: FirebaseTokens?
        /// The random delay of work that an answer must not reveal, in milliseconds.
        package var quietMilliseconds = 500...3_000
        /// The time limit of one search, or of one page of chat or history, in the database.
        package var readLimit = Duration.milliseconds(500)
        /// Multiplies the budgets of `AccountBudgets.table`.
        package var budgetFactor = 1
        /// Delivers mail. `nil`: no mail is sent. Called on any thread; must not block.
        package var mail: (@Sendable (AccountMail) -> Void)?
        /// Converts uploaded photos in separate processes. `nil`: no photos are accepted.
        package var pictures: PictureWorkers?
        /// Called with events of the database that an operator should know. On any thread; must not block.
        package var log: (@Sendable (DatabaseEvent) -> Void)?

        /// Called with other facts that an operator should know, while the folder is opened: a sentence without its
        /// full stop.
        package var notice: (@Sendable (String) -> Void)?
        /// Whether lost keys of an existing database are replaced by new ones.
        package var makesLostKeys = false
        /// Whether a lost database is replaced by an empty one.
        package var makesLostDatabase = false

        package init() {}
    }

    /// Opens the data folder, and makes what is missing.
    ///
    /// A new folder gets mode 0700 and all files 0600, whatever the umask is. At most one process holds a folder at a
    /// time.
    ///
    /// - Parameters:
    ///   - dataFolder: A path on a local file system.
    ///   - layout: The whole database. The DAOs of other modules are returned with the model.
    /// - Throws: Every case of `ModelError`.
    package static func open<All: DAOs>(
        dataFolder: String, as layout: StorageLayout<All>, _ options: Options = Options()
    ) async throws(ModelError) -> (model: Model, daos: All) {
        let folder = try DataFolder(path: dataFolder, migrations: layout.migrations, notice: options.notice)
        try folder.openKeys(makesLostKeys: options.makesLostKeys)
        try folder.checkDatabase(makesLostDatabase: options.makesLostDatabase)
        // The tables of this key are loaded at the first such letter. That should not happen during a user's request.
        _ = SearchKey("ł")
        let key = try folder.signingKey()
        let journalKey = try folder.journalKey()
        let inviteKey = try folder.inviteKey()
        let refreshKey = try folder.refreshKey()
        let sealing = try folder.sealingKey()
        let (database, all) = try await folder.openDatabase(All.self, log: options.log)
        let daos = layout.model(all)
        do {
            let journal = try await Journal.open(
                daos.journal, key: journalKey.key, clock: options.clock, anchorPath: journalKey.anchorPath)
            let passwordWorkers = WorkerThreads(
                "passwords", threads: WorkerThreads.hashingThreads(cost: options.passwordCost), queueMax: 96)
            // Each of these threads only waits for a process.
            let photoWorkers = WorkerThreads("photos", threads: PictureWorkers.countMax, queueMax: 8)
            let words = try await wordGuard(daos, journal, options)
            let budgets = AccountBudgets(factor: options.budgetFactor)
            let notifications = Notifications(
                daos.notifications, budgets: budgets, mail: options.mail, clock: options.clock)
            let plans = try await loadedPlans(daos, journal, options)
            let roomStorage = RoomStorage(
                daos, key: inviteKey, notifications: notifications, journal: journal, clock: options.clock,
                readLimit: options.readLimit)
            let rooms = RoomStore(daos.rooms, journal: journal, clock: options.clock)
            let transfers = RoomTransferStore(
                daos.rooms, journal: journal, clock: options.clock, changes: rooms.changes,
                standings: roomStorage.membership.changes)
            let parts = try await accountParts(
                daos, journal, (AccessTokens(key: key), refreshKey, sealing), (transfers, words, budgets),
                passwordWorkers,
                options)
            let accounts = Accounts(parts)
            let model = Model(
                accounts: accounts,
                people: People(
                    daos, notifications: notifications, journal: journal, clock: options.clock,
                    readLimit: options.readLimit),
                photos: Photos(
                    daos.photos, workers: photoWorkers, pictures: options.pictures, clock: options.clock,
                    budgets: budgets),
                rooms: rooms, roomStorage: roomStorage, roomTransfers: transfers,
                journal: journal,
                addressBans: AddressBans(daos.addressBans, journal: journal, clock: options.clock),
                reports: Reports(daos.reports, journal: journal, clock: options.clock),
                words: words, notifications: notifications, plans: plans,
                webhooks: WebhookStore(daos.webhooks, key: accounts.sealingKey, clock: options.clock),
                upkeep: Upkeep(daos, roomStorage: roomStorage, clock: options.clock),
                folder: folder, database: database, passwordWorkers: passwordWorkers, photoWorkers: photoWorkers)
            return (model, all)
        } catch {
            await database.close()
            throw error
        }
    }

    private static func wordGuard(
        _ daos: ModelDAOs, _ journal: Journal, _ options: Options
    ) async throws(ModelError) -> WordGuard {
        let words = WordGuard(daos.words, journal: journal, clock: options.clock)
        do throws(Refusal) { try await words.load() } catch { throw ModelError(error) }
        return words
    }

    private static func loadedPlans(
        _ daos: ModelDAOs, _ journal: Journal, _ options: Options
    ) async throws(ModelError) -> Plans {
        let plans = Plans(daos.plans, journal: journal, clock: options.clock)
        do throws(Refusal) { try await plans.load() } catch { throw ModelError(error) }
        return plans
    }

    private static func accountParts(
        _ daos: ModelDAOs, _ journal: Journal, _ keys: (tokens: AccessTokens, refresh: RefreshKey, sealing: SealingKey),
        _ stores: (transfers: RoomTransferStore, words: WordGuard, budgets: AccountBudgets), _ workers: WorkerThreads,
        _ options: Options
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
            daos: daos, journal: journal, tokens: keys.tokens, refreshKey: keys.refresh, sealing: keys.sealing,
            budgets: stores.budgets, revoked: revoked,
            notes: AccountNotes(changed: known.changed, bans: known.bans, now: now), transfers: stores.transfers,
            words: stores.words,
            workers: workers,
            cost: options.passwordCost, firebase: options.firebase, mail: options.mail, clock: options.clock,
            quietMilliseconds: options.quietMilliseconds)
    }

    private init(
        accounts: Accounts, people: People, photos: Photos, rooms: RoomStore, roomStorage: RoomStorage,
        roomTransfers: RoomTransferStore, journal: Journal, addressBans: AddressBans, reports: Reports,
        words: WordGuard, notifications: Notifications, plans: Plans, webhooks: WebhookStore, upkeep: Upkeep,
        folder: DataFolder,
        database: DatabasePool,
        passwordWorkers: WorkerThreads,
        photoWorkers: WorkerThreads
    ) {
        self.accounts = accounts
        self.people = people
        self.photos = photos
        self.rooms = rooms
        self.roomStorage = roomStorage
        self.roomTransfers = roomTransfers
        self.journal = journal
        self.addressBans = addressBans
        self.reports = reports
        self.words = words
        self.notifications = notifications
        self.plans = plans
        self.webhooks = webhooks
        self.upkeep = upkeep
        self.folder = folder
        self.database = database
        self.passwordWorkers = passwordWorkers
        self.photoWorkers = photoWorkers
    }

    /// The path of the data folder.
    package var dataFolder: String { folder.path }

    /// Tries whether a change would reach the disk. The outcome comes as an event of the log (`Options.log`), if it is
    /// another one than before.
    package func probeStorage() async { try? await database.probe() }

    /// Current figures of the database, for metrics. Any thread; two locks, no disk.
    package var storageStatus: DatabaseStatus { database.status }

    /// Finishes running work, closes the database and releases the folder. May be called twice.
    package func close() async {
        passwordWorkers.close()
        photoWorkers.close()
        // A failure is ignored: the anchor can be written again later.
        try? await journal.anchor()
        await database.close()
        folder.unlock()
    }
}
