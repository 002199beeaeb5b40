extension Catalogue {
    /// Music folders, for administrators.
    ///
    /// Source: Protocol/spec/folders.md.
    static let folders = Area(
        "folders",
        requests: [
            LibraryFolders.self, LibraryFolderUpdate.self, LibraryScan.self, LibraryScanCancel.self,
            LibraryProblems.self,
        ])
}

extension Limits {
    /// Bytes of the name of a music folder.
    public static let folderNameBytes = 1...64
    /// Chosen accounts of a music folder.
    public static let folderUsersMax = 100
    /// Files in one page of `library.problems`.
    public static let problemPageCount: ClosedRange<Int64> = 1...200
    /// Files in one page of `library.problems` if the request says nothing.
    public static let problemPageCountDefault = 100
}

// MARK: - Objects

/// Who sees the tracks of a music folder.
///
/// Source: Protocol/spec/folders.md, "Audience".
public enum FolderAudience: String, CaseIterable, Sendable {
    /// Every account; guests as the server allows it.
    case accounts
    /// Chosen accounts, and administrators.
    case chosen
    /// Administrators.
    case admins
}

/// How far the scan of a folder is.
///
/// Source: Protocol/spec/folders.md, "ScanProgress".
public struct ScanProgress: DeclaredObject, Hashable {
    /// Files of music that were looked at so far.
    public var files: Int
    /// Files that are new, have changed, or were found at another place.
    public var added: Int
    public var changed: Int
    public var moved: Int
    /// Files that are no longer there.
    public var missing: Int
    /// Files with nothing to play in them.
    public var problems: Int
    /// Files that are being written, and wait.
    public var waiting: Int
    public var milliseconds: Int64

    public init(
        files: Int = 0, added: Int = 0, changed: Int = 0, moved: Int = 0, missing: Int = 0, problems: Int = 0,
        waiting: Int = 0, milliseconds: Int64 = 0
    ) {
        self.files = files
        self.added = added
        self.changed = changed
        self.moved = moved
        self.missing = missing
        self.problems = problems
        self.waiting = waiting
        self.milliseconds = milliseconds
    }

    public static let declaration = Declaration(
        Member("files", \Self.files, .count),
        Member("added", \Self.added, .count),
        Member("changed", \Self.changed, .count),
        Member("moved", \Self.moved, .count),
        Member("missing", \Self.missing, .count),
        Member("problems", \Self.problems, .count),
        Member("waiting", \Self.waiting, .count),
        Member("ms", \Self.milliseconds, .count),
        make: Self.init)
}

/// A music folder.
///
/// Source: Protocol/spec/folders.md, "MusicFolder".
public struct MusicFolder: DeclaredObject, Hashable {
    public var name: String
    public var audience: FolderAudience
    /// The chosen accounts.
    public var users: [UserID]
    public var trackCount: Int
    public var problemCount: Int
    public var missingCount: Int
    /// When its last scan ended, milliseconds since 1970; `nil` before the first.
    public var scannedMilliseconds: Int64?
    /// The scan that is running, else the last one since the server started.
    public var scan: ScanProgress?
    public var isScanning: Bool
    /// Why the last scan ended before its end.
    public var failure: String?

    public init(
        name: String, audience: FolderAudience, users: [UserID], trackCount: Int, problemCount: Int,
        missingCount: Int, scannedMilliseconds: Int64?, scan: ScanProgress?, isScanning: Bool, failure: String?
    ) {
        self.name = name
        self.audience = audience
        self.users = users
        self.trackCount = trackCount
        self.problemCount = problemCount
        self.missingCount = missingCount
        self.scannedMilliseconds = scannedMilliseconds
        self.scan = scan
        self.isScanning = isScanning
        self.failure = failure
    }

    public static let declaration = Declaration(
        Member("name", \Self.name, .line(bytes: Limits.folderNameBytes)),
        Member("audience", \Self.audience, .word),
        Member("users", \Self.users, .userIDs(count: 0...Limits.folderUsersMax)),
        Member("tracks", \Self.trackCount, .count),
        Member("problems", \Self.problemCount, .count),
        Member("missing", \Self.missingCount, .count),
        Member(nullable: "scanned_ms", \Self.scannedMilliseconds, .wallTime),
        Member(nullable: "scan", \Self.scan, .object),
        Member("scanning", \Self.isScanning, .flag),
        Member(nullable: "failure", \Self.failure, .line(bytes: 1...500)),
        make: Self.init)
}

/// A file with nothing to play in it.
///
/// Source: Protocol/spec/folders.md, "FileProblem".
public struct FileProblem: DeclaredObject, Hashable {
    /// `nil` for uploads.
    public var folder: String?
    /// The place in the folder; bytes that are not UTF-8 are replaced.
    public var file: String
    /// A word of an open list: `not_sound`, `damaged`, `unreadable`, …
    public var problem: String
    public var detail: String?

    public init(folder: String?, file: String, problem: String, detail: String?) {
        self.folder = folder
        self.file = file
        self.problem = problem
        self.detail = detail
    }

    public static let declaration = Declaration(
        Member(nullable: "folder", \Self.folder, .line(bytes: Limits.folderNameBytes)),
        Member("file", \Self.file, .text(bytes: 0...8_192)),
        Member("problem", \Self.problem, .reason),
        Member(nullable: "detail", \Self.detail, .text(bytes: 0...1_000)),
        make: Self.init)
}

// MARK: - Requests

/// `library.folders`: the music folders of the server.
///
/// Source: Protocol/spec/folders.md, "library.folders".
public struct LibraryFolders: FieldlessRequest {
    public typealias Response = LibraryFoldersResult
    public static let type = "library.folders"
    public static let permission: Permission? = .libraryManage

    public init() {}
}

/// The music folders: the answer to `library.folders`, `library.scan`, `library.scan_cancel` and
/// `library.folder_update`.
public struct LibraryFoldersResult: DeclaredObject, Equatable {
    public var folders: [MusicFolder]

    public init(folders: [MusicFolder]) { self.folders = folders }

    public static let declaration = Declaration(Member("folders", \Self.folders, .objects()), make: Self.init)
}

/// `library.folder_update`: says who sees a music folder.
///
/// Source: Protocol/spec/folders.md, "library.folder_update".
public struct LibraryFolderUpdate: DeclaredRequest {
    public typealias Response = LibraryFoldersResult
    public static let type = "library.folder_update"
    public static let permission: Permission? = .libraryManage

    public var folder: String
    public var audience: FolderAudience
    /// The accounts that see it, if its audience is `chosen`.
    public var users: [UserID]

    public init(folder: String, audience: FolderAudience, users: [UserID] = []) {
        self.folder = folder
        self.audience = audience
        self.users = users
    }

    public static let declaration = Declaration(
        Member("folder", \Self.folder, .line(bytes: Limits.folderNameBytes)),
        Member("audience", \Self.audience, .word),
        Member("users", \Self.users, .userIDs(count: 0...Limits.folderUsersMax), default: []),
        make: Self.init)
}

/// `library.scan`: begins to scan one folder, or all of them. Folders that are being scanned are left alone.
///
/// Source: Protocol/spec/folders.md, "library.scan".
public struct LibraryScan: DeclaredRequest {
    public typealias Response = LibraryFoldersResult
    public static let type = "library.scan"
    public static let permission: Permission? = .libraryManage

    public var folder: String?

    public init(folder: String? = nil) { self.folder = folder }

    public static let declaration = Declaration(
        Member(optional: "folder", \Self.folder, .line(bytes: Limits.folderNameBytes)), make: Self.init)
}

/// `library.scan_cancel`: ends scans. What they found so far stays.
///
/// Source: Protocol/spec/folders.md, "library.scan_cancel".
public struct LibraryScanCancel: DeclaredRequest {
    public typealias Response = LibraryFoldersResult
    public static let type = "library.scan_cancel"
    public static let permission: Permission? = .libraryManage

    public var folder: String?

    public init(folder: String? = nil) { self.folder = folder }

    public static let declaration = Declaration(
        Member(optional: "folder", \Self.folder, .line(bytes: Limits.folderNameBytes)), make: Self.init)
}

/// `library.problems`: files with nothing to play in them, a page at a time.
///
/// Source: Protocol/spec/folders.md, "library.problems".
public struct LibraryProblems: DeclaredRequest {
    public typealias Response = LibraryProblemsPage
    public static let type = "library.problems"
    public static let permission: Permission? = .libraryManage

    public var limit: Int
    public var cursor: String?

    public init(limit: Int = Limits.problemPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("limit", \Self.limit, .integer(Limits.problemPageCount), default: Limits.problemPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// The answer to `library.problems`.
public struct LibraryProblemsPage: DeclaredObject, Equatable {
    public var files: [FileProblem]
    public var nextCursor: String?

    public init(files: [FileProblem], nextCursor: String?) {
        self.files = files
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("files", \Self.files, .objects()), Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}
