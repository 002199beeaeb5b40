import Glibc
import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import Testing

@testable import SonaServer

struct StorageUpgradeTests {
    /// A data folder with its keys, and a database to which the last migrations were not applied.
    private static func older(by count: Int) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        await (try await Storage.open(dataFolder: folder.path)).close()
        for name in ["sona.sqlite", "sona.sqlite-wal", "sona.sqlite-shm", "keys/journal.head"] {
            unlink(folder.file(name))
        }
        let database = try await DatabasePool.open(
            folder.file("sona.sqlite"), applicationID: ModelSchema.applicationID,
            migrations: Array(StorageTimeline.migrations.dropLast(count)))
        await database.close()
        return folder
    }

    private static func copies(_ folder: TemporaryFolder) -> [String] {
        (0...100).map { "sona.sqlite.schema-\($0)" }.filter { access(folder.file($0), F_OK) == 0 }
    }

    @Test func `a trial applies what is pending to a copy, and leaves everything as it was`() async throws {
        let folder = try await Self.older(by: 2)
        let upgrade = StorageUpgrade(dataFolder: folder.path)
        let plan = try #require(try upgrade.plan())
        #expect(plan.pending == StorageTimeline.migrations.suffix(2).map(\.name))
        #expect(plan.applied == StorageTimeline.migrations.count - 2 && plan.bytes > 0)
        let trial = try await upgrade.rehearse()
        #expect(trial.bytes >= plan.bytes && trial.seconds > 0)
        #expect(try upgrade.plan() == plan)
        #expect(access(folder.file("migration-trial"), F_OK) != 0 && Self.copies(folder) == [])
    }

    @Test func `a migration keeps the database from before, named by its version`() async throws {
        let folder = try await Self.older(by: 1)
        let upgrade = StorageUpgrade(dataFolder: folder.path)
        let applied = try #require(try upgrade.plan()).applied
        try await upgrade.apply { _ in }
        #expect(try upgrade.plan()?.pending == [])
        #expect(Self.copies(folder) == ["sona.sqlite.schema-\(applied)"])
        let copy = try DatabaseFile.describe(folder.file("sona.sqlite.schema-\(applied)"))
        #expect(copy.migrationCount == applied && copy.applicationID == ModelSchema.applicationID)
        // Nothing more is to be done, so nothing more is copied.
        try await upgrade.apply { _ in }
        #expect(Self.copies(folder).count == 1)
    }

    @Test func `the last two copies stay`() async throws {
        let folder = try await Self.older(by: 1)
        for version in [3, 4, 5] { TemporaryFolder.write([1], toFile: folder.file("sona.sqlite.schema-\(version)")) }
        try await StorageUpgrade(dataFolder: folder.path).apply { _ in }
        #expect(
            Self.copies(folder) == [
                "sona.sqlite.schema-5", "sona.sqlite.schema-\(StorageTimeline.migrations.count - 1)",
            ])
    }

    @Test func `a folder without a database has no plan, and one in use is not migrated`() async throws {
        let folder = TemporaryFolder()
        #expect(try StorageUpgrade(dataFolder: folder.path).plan() == nil)
        let storage = try await Storage.open(dataFolder: folder.path)
        #expect(try StorageUpgrade(dataFolder: folder.path).plan()?.pending == [])
        await #expect(throws: ServerError.self) { try await StorageUpgrade(dataFolder: folder.path).apply { _ in } }
        await storage.close()
    }
}
