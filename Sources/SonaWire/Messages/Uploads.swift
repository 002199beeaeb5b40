extension Catalogue {
    /// Uploads of music, which come over HTTP, and the space that they take.
    ///
    /// Source: Protocol/spec/uploads.md.
    static let uploads = Area("uploads", requests: [StorageUsage.self])
}

extension Limits {
    /// The feature that announces uploads.
    public static let uploadsFeature = "uploads"
    /// The path of all uploads; one of them, or the name of a file, follows after a slash.
    public static let uploadsPath = "/v1/uploads"
    /// The version of tus that is spoken there.
    public static let tusVersion = "1.0.0"
    /// Uploads of one account that are under way at once.
    public static let uploadsUnderWayMax = 32
    /// Seconds after which an upload is forgotten if nothing comes.
    public static let uploadIdleSeconds = 24 * 3_600
    /// Bytes of the name of an uploaded file. Longer ones are cut.
    public static let uploadNameBytes = 1...255
    /// Bytes of `Upload-Metadata`.
    public static let uploadMetadataBytesMax = 4_096
    /// Accounts in the answer to `storage.usage`: those that take the most space.
    public static let usageAccountsMax = 20
}

// MARK: - Objects

/// An upload that is under way.
///
/// Source: Protocol/spec/uploads.md, "UploadStatus".
public struct UploadStatus: DeclaredObject, Hashable {
    /// The last part of its path.
    public var id: MusicID
    /// The name of the file, if the client has told it.
    public var name: String?
    /// Bytes of the whole file.
    public var length: Int64
    /// Bytes of it that the server has stored.
    public var offset: Int64
    /// When it is forgotten if nothing more comes, milliseconds since 1970, UTC.
    public var expiresMilliseconds: Int64

    public init(id: MusicID, name: String?, length: Int64, offset: Int64, expiresMilliseconds: Int64) {
        self.id = id
        self.name = name
        self.length = length
        self.offset = offset
        self.expiresMilliseconds = expiresMilliseconds
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member(nullable: "name", \Self.name, .line(bytes: Limits.uploadNameBytes)),
        Member("length", \Self.length, .count),
        Member("offset", \Self.offset, .count),
        Member("expires_ms", \Self.expiresMilliseconds, .wallTime),
        make: Self.init)
}

/// The space that the uploads of one account take.
///
/// Source: Protocol/spec/uploads.md, "AccountUsage".
public struct AccountUsage: DeclaredObject, Hashable {
    public var user: User
    public var usedBytes: Int64
    public var trackCount: Int

    public init(user: User, usedBytes: Int64, trackCount: Int) {
        self.user = user
        self.usedBytes = usedBytes
        self.trackCount = trackCount
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .object),
        Member("used_bytes", \Self.usedBytes, .count),
        Member("tracks", \Self.trackCount, .count),
        make: Self.init)
}

/// The space that all uploads of the server take.
///
/// Source: Protocol/spec/uploads.md, "ServerUsage".
public struct ServerUsage: DeclaredObject, Hashable {
    /// Bytes of finished uploads on disk: the same content counts once, whoever brought it.
    public var usedBytes: Int64
    /// Bytes that uploads under way will have when they are whole.
    public var comingBytes: Int64
    /// The most that both together may be.
    public var spaceBytes: Int64
    /// Bytes that are free where they lie; `nil` if the system does not tell.
    public var freeBytes: Int64?
    /// Different contents, and uploads under way.
    public var fileCount: Int
    public var uploadCount: Int
    /// The accounts that take the most space, at most 20, the largest first.
    public var accounts: [AccountUsage]

    public init(
        usedBytes: Int64, comingBytes: Int64, spaceBytes: Int64, freeBytes: Int64?, fileCount: Int, uploadCount: Int,
        accounts: [AccountUsage]
    ) {
        self.usedBytes = usedBytes
        self.comingBytes = comingBytes
        self.spaceBytes = spaceBytes
        self.freeBytes = freeBytes
        self.fileCount = fileCount
        self.uploadCount = uploadCount
        self.accounts = accounts
    }

    public static let declaration = Declaration(
        Member("used_bytes", \Self.usedBytes, .count),
        Member("coming_bytes", \Self.comingBytes, .count),
        Member("space_bytes", \Self.spaceBytes, .count),
        Member(nullable: "free_bytes", \Self.freeBytes, .count),
        Member("files", \Self.fileCount, .count),
        Member("uploads", \Self.uploadCount, .count),
        Member("accounts", \Self.accounts, .objects(count: 0...Limits.usageAccountsMax)),
        make: Self.init)
}

// MARK: - Requests

/// `storage.usage`: the space that one's own uploads take and may take; for administrators also that of all.
///
/// Source: Protocol/spec/uploads.md, "storage.usage".
public struct StorageUsage: FieldlessRequest {
    public typealias Response = StorageUsageResult
    public static let type = "storage.usage"
    public static let permission: Permission? = .libraryUpload

    public init() {}
}

/// The answer to `storage.usage`.
public struct StorageUsageResult: DeclaredObject, Equatable {
    /// Bytes of the caller's tracks.
    public var usedBytes: Int64
    /// Bytes that the caller's uploads under way will have when they are whole.
    public var comingBytes: Int64
    /// The most that both together may be.
    public var quotaBytes: Int64
    /// The most that one file may have.
    public var fileBytesMax: Int64
    /// The caller's uploaded tracks.
    public var trackCount: Int
    /// The caller's uploads under way, the oldest first.
    public var uploads: [UploadStatus]
    /// For those who may manage the library; `nil` for others.
    public var server: ServerUsage?

    public init(
        usedBytes: Int64, comingBytes: Int64, quotaBytes: Int64, fileBytesMax: Int64, trackCount: Int,
        uploads: [UploadStatus], server: ServerUsage?
    ) {
        self.usedBytes = usedBytes
        self.comingBytes = comingBytes
        self.quotaBytes = quotaBytes
        self.fileBytesMax = fileBytesMax
        self.trackCount = trackCount
        self.uploads = uploads
        self.server = server
    }

    public static let declaration = Declaration(
        Member("used_bytes", \Self.usedBytes, .count),
        Member("coming_bytes", \Self.comingBytes, .count),
        Member("quota_bytes", \Self.quotaBytes, .count),
        Member("file_bytes_max", \Self.fileBytesMax, .count),
        Member("tracks", \Self.trackCount, .count),
        Member("uploads", \Self.uploads, .objects(count: 0...Limits.uploadsUnderWayMax)),
        Member(nullable: "server", \Self.server, .object),
        make: Self.init)
}
