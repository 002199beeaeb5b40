package import SonaCrypto
package import SonaDatabase

/// The durable plane: accounts and rooms in the data folder, for as long as this process holds it.
///
/// Everything here waits for a disk or a slow hash, on threads of its own; nothing here is called from an event loop
/// except `accounts.authenticate` and `accounts.guest`, which say so.
package final class Model: Sendable {
    package let accounts: Accounts
    package let rooms: RoomStore

    private let folder: DataFolder
    private let database: DatabasePool
    private let workers: PasswordWorkers

    /// Opens the data folder, making whatever of it is not there yet.
    ///
    /// The folder gets mode 0700 and its files 0600, whatever the umask. At most one process holds a folder at a time.
    ///
    /// - Parameters:
    ///   - dataFolder: A path on a local file system.
    ///   - passwordCost: What one new password hash costs.
    ///   - clock: The calendar, for tests to move.
    ///   - log: Told what an operator should know of the database; on any thread, must not wait.
    package static func open(
        dataFolder: String, passwordCost: PasswordHash.Cost = .standard, clock: WallClock = .system,
        log: (@Sendable (DatabaseEvent) -> Void)? = nil
    ) async throws(ModelError) -> Model {
        let folder = try DataFolder(path: dataFolder)
        let key = try folder.signingKey()
        let (database, daos) = try await folder.openDatabase(log: log)
        do {
            let revoked = RevokedFamilies(try await daos.revokedFamilies.current(now: clock.nowMilliseconds()))
            let workers = PasswordWorkers()
            let accounts = Accounts(
                daos: daos, tokens: AccessTokens(key: key), workers: workers, revoked: revoked, cost: passwordCost,
                clock: clock)
            return Model(
                accounts: accounts, rooms: RoomStore(daos.rooms, clock: clock), folder: folder, database: database,
                workers: workers)
        } catch {
            await database.close()
            throw error
        }
    }

    private init(
        accounts: Accounts, rooms: RoomStore, folder: DataFolder, database: DatabasePool, workers: PasswordWorkers
    ) {
        self.accounts = accounts
        self.rooms = rooms
        self.folder = folder
        self.database = database
        self.workers = workers
    }

    /// Figures of this moment, for metrics. Any thread; two locks, no disk.
    package var storageStatus: DatabaseStatus { database.status }

    /// Finishes what was begun, closes the database and gives the folder free. May be called twice.
    package func close() async {
        workers.close()
        await database.close()
        folder.unlock()
    }
}
