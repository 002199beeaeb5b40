internal import Glibc
package import SonaBackup
internal import SonaDatabase
internal import SonaModel

/// Migrations of a data folder, without a server: what is to be applied, how long it takes, and doing it.
package struct StorageUpgrade: Sendable {
    private let dataFolder: String
    private var file: String { dataFolder + "/sona.sqlite" }

    package init(dataFolder: String) { self.dataFolder = dataFolder }

    /// What this program knows of its database, for backups.
    package static var schema: BackupSchema {
        BackupSchema(
            applicationID: ModelSchema.applicationID, migrations: StorageTimeline.migrations.map(\.name),
            program: ServerVersion.number)
    }

    /// What stands before this program could serve the folder.
    package struct Plan: Sendable, Equatable {
        /// Migrations applied so far.
        package let applied: Int
        /// Those to come, in their order.
        package let pending: [String]
        package let bytes: Int64
    }

    /// What a trial has shown.
    package struct Trial: Sendable, Equatable {
        package let seconds: Double
        /// Bytes of the database afterwards.
        package let bytes: Int64
    }

    /// - Returns: `nil` if there is no database.
    /// - Throws: `ServerError.model` with `databaseDamaged`, `databaseNewer`, `storage`.
    package func plan() throws(ServerError) -> Plan? {
        do throws(ModelError) { return try modelPlan() } catch { throw .model(error) }
    }

    private func modelPlan() throws(ModelError) -> Plan? {
        guard access(file, F_OK) == 0 else { return nil }
        let found: DatabaseFile.Description
        do throws(DatabaseError) { found = try DatabaseFile.describe(file) } catch {
            throw ModelError(error, opening: file)
        }
        guard found.applicationID == ModelSchema.applicationID else {
            throw .databaseDamaged(path: file, detail: "it belongs to the application with id \(found.applicationID)")
        }
        let names = StorageTimeline.migrations.map(\.name)
        guard found.migrationCount <= names.count else { throw .databaseNewer(path: file) }
        return Plan(
            applied: found.migrationCount, pending: Array(names.dropFirst(found.migrationCount)), bytes: found.bytes)
    }

    /// Applies the migrations to a copy, beside a running server or without one. The copy is removed.
    ///
    /// - Throws: `ServerError.model`, as an opening of the folder would, or with `noSpaceForCopy`.
    package func rehearse() async throws(ServerError) -> Trial {
        do throws(ModelError) { return try await modelTrial() } catch { throw .model(error) }
    }

    private func modelTrial() async throws(ModelError) -> Trial {
        let folder = dataFolder + "/migration-trial"
        let copy = folder + "/sona.sqlite"
        func clean() {
            for suffix in ["", "-wal", "-shm", "-journal", ".partial"] { unlink(copy + suffix) }
            rmdir(folder)
        }
        clean()
        guard mkdir(folder, 0o700) == 0 else { throw .folderUnwritable(path: folder, errno: errno) }
        defer { clean() }
        try demandSpace(copy)
        do {
            try await DatabaseFile.copy(file, to: copy)
            let begun = ContinuousClock.now
            let (database, _) = try await DatabasePool.open(
                copy, applicationID: ModelSchema.applicationID, daos: SonaDAOs.self,
                migrations: StorageTimeline.migrations)
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            await database.close()
            return Trial(seconds: seconds, bytes: try DatabaseFile.describe(copy).bytes)
        } catch {
            throw ModelError((error as? DatabaseError) ?? DatabaseError(kind: .interrupted), opening: copy)
        }
    }

    /// The copy, and as much again for what migrations write.
    private func demandSpace(_ copy: String) throws(ModelError) {
        var disk = statvfs()
        guard let bytes = try modelPlan()?.bytes, statvfs(dataFolder, &disk) == 0 else { return }
        let free = Int64(clamping: UInt64(disk.f_bavail) &* UInt64(disk.f_frsize))
        guard free >= 2 * bytes else { throw .noSpaceForCopy(path: copy, needed: 2 * bytes, free: free) }
    }

    /// Applies the migrations, as the start of a server would. A copy of the database from before is kept beside it.
    ///
    /// - Parameter notice: Told in sentences what an operator should know.
    /// - Throws: `ServerError.model`, with `folderInUse` while a server runs.
    package func apply(notice: @escaping @Sendable (String) -> Void) async throws(ServerError) {
        var options = Model.Options()
        options.notice = { notice("\($0).") }
        do throws(ModelError) {
            await (try await Storage.open(dataFolder: dataFolder, options)).close()
        } catch { throw .model(error) }
    }
}
