internal import SonaDatabase
package import SonaModel
package import SonaWire

/// The space that uploads take, of one account or of all.
struct UploadUsage {
    /// Bytes of the tracks of an account; for all accounts, of the contents on disk.
    var usedBytes: Int64 = 0
    /// Tracks, or contents.
    var count = 0
    /// Uploads under way; the bytes that they will have; and those of them that are still to come.
    var uploadCount = 0
    var comingBytes: Int64 = 0
    var missingBytes: Int64 = 0

    /// Of an account. O(its tracks).
    init(of owner: UserID, in db: inout some DatabaseAccess & ~Copyable) throws {
        try take(
            """
            SELECT count(*), coalesce(sum(f.size), 0) FROM tracks t JOIN music_files f ON f.track = t.number
            WHERE t.owner_uid = \(owner) AND f.content IS NOT NULL
            """,
            """
            SELECT count(*), coalesce(sum(length), 0), coalesce(sum(length - received), 0) FROM uploads
            WHERE owner_uid = \(owner) AND track IS NULL
            """, in: &db)
    }

    /// Of all. O(contents): 5 ms for 100 000.
    init(in db: inout some DatabaseAccess & ~Copyable) throws {
        try take(
            "SELECT count(*), coalesce(sum(size), 0) FROM media_contents",
            """
            SELECT count(*), coalesce(sum(length), 0), coalesce(sum(length - received), 0) FROM uploads
            WHERE track IS NULL
            """, in: &db)
    }

    private mutating func take(_ used: SQL, _ coming: SQL, in db: inout some DatabaseAccess & ~Copyable) throws {
        (count, usedBytes) =
            try db.first(used) { row in (try row.next(Int.self), try row.next(Int64.self)) } ?? (0, 0)
        (uploadCount, comingBytes, missingBytes) =
            try db.first(coming) { row in
                (try row.next(Int.self), try row.next(Int64.self), try row.next(Int64.self))
            } ?? (0, 0, 0)
    }
}

extension Uploads {
    /// The answer to `storage.usage`.
    ///
    /// - Parameter managesAll: Whether the space of all accounts is in it.
    /// - Throws: `busy`, `storage`.
    package func usage(of owner: UserID, managesAll: Bool) async throws(Refusal) -> StorageUsageResult {
        let (limits, free) = (limits, managesAll ? folder.freeBytes : nil)
        do {
            return try await database.read { db in
                let own = try UploadUsage(of: owner, in: &db)
                let uploads = try db.all(
                    UploadRecord.self,
                    """
                    WHERE owner_uid = \(owner) AND track IS NULL ORDER BY created_ms, id
                    LIMIT \(Limits.uploadsUnderWayMax)
                    """)
                return StorageUsageResult(
                    usedBytes: own.usedBytes, comingBytes: own.comingBytes,
                    quotaBytes: try Plans.limits(of: owner, in: &db).storageBytes ?? limits.accountBytes,
                    fileBytesMax: limits.fileBytes, trackCount: own.count,
                    uploads: uploads.map { UploadState($0).status(name: $0.name) },
                    server: managesAll ? try Self.serverUsage(limits, free, in: &db) : nil)
            }
        } catch { throw Refusal(reading: error) }
    }

    /// The space of all uploads, for the operator, who has none.
    ///
    /// - Throws: `busy`, `storage`.
    package func usageOfAll() async throws(Refusal) -> StorageUsageResult {
        let (limits, free) = (limits, folder.freeBytes)
        do {
            return try await database.read { db in
                StorageUsageResult(
                    usedBytes: 0, comingBytes: 0, quotaBytes: 0, fileBytesMax: limits.fileBytes, trackCount: 0,
                    uploads: [], server: try Self.serverUsage(limits, free, in: &db))
            }
        } catch { throw Refusal(reading: error) }
    }

    /// How many uploads an account has made within 24 hours: tracks that are there, and uploads under way.
    ///
    /// - Throws: `busy`, `storage`.
    package func countOfToday(_ owner: UserID) async throws(Refusal) -> Int {
        let now = now
        do { return try await database.read { db in try Self.countOfToday(owner, now: now, in: &db) } } catch {
            throw Refusal(reading: error)
        }
    }

    static func countOfToday(
        _ owner: UserID, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Int {
        let since = now - 86_400_000
        return try db.value(
            """
            SELECT (SELECT count(*) FROM tracks WHERE owner_uid = \(owner) AND added_ms > \(since))
                + (SELECT count(*) FROM uploads WHERE owner_uid = \(owner) AND track IS NULL AND created_ms > \(since))
            """) ?? 0
    }

    private static func serverUsage(
        _ limits: UploadLimits, _ free: Int64?, in db: inout ReadAccess
    ) throws -> ServerUsage {
        let all = try UploadUsage(in: &db)
        let accounts = try db.all(
            """
            SELECT t.owner_uid, u.username, sum(f.size) AS bytes, count(*) FROM tracks t
            JOIN music_files f ON f.track = t.number JOIN users u ON u.uid = t.owner_uid
            WHERE t.owner_uid IS NOT NULL AND f.content IS NOT NULL
            GROUP BY t.owner_uid ORDER BY bytes DESC, t.owner_uid LIMIT \(Limits.usageAccountsMax)
            """
        ) { row in
            AccountUsage(
                user: User(uid: try row.next(), username: try row.next(), isGuest: false),
                usedBytes: try row.next(), trackCount: try row.next())
        }
        return ServerUsage(
            usedBytes: all.usedBytes, comingBytes: all.comingBytes, spaceBytes: limits.spaceBytes, freeBytes: free,
            fileCount: all.count, uploadCount: all.uploadCount, accounts: accounts)
    }
}

extension UploadState {
    func status(name: String?) -> UploadStatus {
        UploadStatus(id: id, name: name, length: length, offset: offset, expiresMilliseconds: expiresMilliseconds)
    }
}
