import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

// The examples of Sources/SonaDatabase/README.md, line by line.

struct Artist: Record {
    typealias Key = Int64
    var id: Int64?
    var name: String

    static let id = Column("id", \Self.id, .primaryKey)
    static let name = Column("name", \Self.name, .unique, .byteCount(1...200))
    static let table = Table<Self>("artists", id, name, search: SearchIndex(name))

    init(name: String) { self.name = name }
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        name = try row.next()
    }
    func bind(to values: inout Binder) {
        values.next(id)
        values.next(name)
    }
}

struct AlbumID: Hashable, RawRepresentable, DatabaseValueConvertible {
    let rawValue: String
}

struct Album: Record {
    typealias Key = AlbumID
    var id: AlbumID
    var title: String
    var artist: Int64
    var year: Int?

    static let id = Column("id", \Self.id, .primaryKey)
    static let title = Column("title", \Self.title)
    static let artist = Column("artist", \Self.artist, .references(Artist.self, onDelete: .cascade), .indexed)
    static let year = Column("year", \Self.year)
    static let table = Table<Self>("albums", id, title, artist, year)

    init(id: String, title: String, artist: Int64, year: Int?) {
        self.id = AlbumID(rawValue: id)
        self.title = title
        self.artist = artist
        self.year = year
    }
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
        artist = try row.next()
        year = try row.next()
    }
    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
        values.next(artist)
        values.next(year)
    }
}

enum ArtistError: RecordError {
    case notFound, alreadyExists
    case cannotFetch(DatabaseError), cannotSave(DatabaseError)
}
struct ArtistDAO: TableDAO {
    typealias Model = Artist
    typealias Failure = ArtistError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Artist.self) }

    func named(_ prefix: String) async throws(ArtistError) -> [Artist] {
        try await read(or: ArtistError.cannotFetch) { db in try db.all(Artist.filter(Artist.name.hasPrefix(prefix))) }
    }
}
struct LibraryDAOs: DAOs {
    let artists: ArtistDAO
    init(_ database: any DatabaseWriter) { artists = ArtistDAO(database) }
}

struct GuideTests {
    private struct Names {
        var forgotten: Set<Int64> = []
        mutating func forget(_ keys: Set<Int64>) { forgotten.formUnion(keys) }
    }

    private func openLibrary(_ folder: TemporaryFolder) async throws -> DatabasePool {
        let path = folder.file("library.sqlite")
        let pool = try await DatabasePool.open(
            path, applicationID: 0x4D55_5349,
            migrations: [
                Migration("library") { db in
                    try db.createTable(Artist.self)
                    try db.createTable(Album.self)
                }
            ])
        return pool
    }

    @Test func `reading, writing, queries, SQL and relations`() async throws {
        let folder = TemporaryFolder()
        let pool = try await openLibrary(folder)
        let björk = try await pool.write { db in
            try db.insertReturning(Artist(name: "Björk"))
        }
        let found = try await pool.read { db in
            try db.first(Artist.self, key: 1)
        }
        #expect(björk.id == 1 && found?.name == "Björk")

        try await pool.write { db in
            try db.insert(contentsOf: [Album(id: "post", title: "Post", artist: 1, year: 1995)])
            try db.update(Album.self, key: AlbumID(rawValue: "post")) { album in album.year = 1996 }
            try db.upsert(Album(id: "post", title: "Post", artist: 1, year: 1995))
            do {
                try db.savepoint { db in
                    try db.delete(Album.all)
                    throw CancellationError()
                }
            } catch is CancellationError {}
        }

        let nineties = Album.filter(Album.year >= 1990 && Album.year < 2000).order(Album.title.ascending).limit(20)
        let titles = try await pool.read { db in try db.all(nineties).map(\.title) }
        let count = try await pool.read { db in try db.count(Album.filter(Album.title.hasPrefix("P"))) }
        let changed = try await pool.write { db in
            try db.update(Album.filter(Album.year == nil), Album.year.set(to: 2000))
        }
        #expect(titles == ["Post"] && count == 1 && changed == 0)

        let rows = try await pool.read { db in
            try db.all("SELECT \(Album.title), year + \(1) FROM \(Album.table) WHERE \(Album.artist) = \(1)") { row in
                (title: try row.next(String.self), next: try row.next(Int?.self))
            }
        }
        let same = try await pool.read { db in try db.all(Album.self, "WHERE year BETWEEN \(1990) AND \(1999)") }
        let named = SQL("SELECT title FROM albums WHERE year = :year OR id = :id", named: ["year": 1995, "id": "post"])
        #expect(rows.map(\.title) == ["Post"] && rows.map(\.next) == [1996] && same.count == 1)
        #expect(try await pool.read { db in try db.values(named) } == ["Post"])

        let years = try await pool.read { db in
            try db.withStatement("SELECT year FROM albums WHERE id = ?") { statement in
                try ["post", "debut"].map { id in try statement.first(id) { row in try row.next(Int?.self) } ?? nil }
            }
        }
        #expect(years == [1995, nil])

        let performer = ToOne(Album.artist, Artist.self)
        let albums = ToMany(Album.artist, of: Artist.self)
        let pairs = try await pool.read { db in try db.all(Album.all, with: performer).map { ($0.title, $1?.name) } }
        #expect(pairs.map(\.1) == ["Björk"])
        #expect(try await pool.read { db in try db.all(Artist.all, with: albums).map(\.1.count) } == [1])
        await pool.close()
    }

    @Test func `DAOs and migrations`() async throws {
        let (database, daos) = try await DatabaseQueue.inMemory(daos: LibraryDAOs.self)
        let artist = try await daos.artists.create(Artist(name: "Can"))
        #expect(artist.id == 1)
        #expect(try await daos.artists.named("C").map(\.name) == ["Can"])
        await #expect(throws: ArtistError.self) { try await daos.artists.create(Artist(name: "Can")) }
        await database.close()

        let timeline = [Migration("artists") { db in try db.createTable(Artist.self) }]
        let differences = try DatabaseQueue.schemaDifferences(LibraryDAOs.self, migrations: timeline)
        #expect(differences.isEmpty)
        let queue = try await DatabaseQueue.inMemory()
        await queue.close()
    }

    @Test func `observation`() async throws {
        let folder = TemporaryFolder()
        let pool = try await openLibrary(folder)
        let done = Counter()
        let task = Task {
            defer { done.add() }
            var names = Names()
            for await changes in pool.changes(in: Artist.self) {
                names.forget(changes.updated.union(changes.deleted))
                break
            }
            for try await count in pool.values({ db in try db.count(Artist.self) }) {
                if count > 0 { break }
            }
            return names.forgotten
        }
        var number = 0
        while done.value == 0 {
            number += 1
            try await pool.write { [number] db in
                try db.insert(Artist(name: "\(number)"))
                try db.update(Artist.filter(Artist.id == 1), Artist.name.set(to: "\(-number)"))
            }
        }
        #expect(try await task.value.isSubset(of: [1]))
        await pool.close()
    }

    @Test func `search, backup and repair`() async throws {
        let folder = TemporaryFolder()
        let pool = try await openLibrary(folder)
        _ = try await pool.write { db in try db.insertReturning(Artist(name: "Björk")) }
        let hits = try await pool.read { db in
            guard let text = SearchText("bjö") else { return [Artist]() }
            return try db.search(Artist.self, text, limit: 20)
        }
        #expect(hits.map(\.name) == ["Björk"])

        let copy = folder.file("copy.sqlite")
        let other = folder.file("other.sqlite")
        let percent = Latest()
        try await pool.backup(to: copy) { fraction in percent.set(Int(fraction * 100)) }
        let report = try await pool.integrityCheck()
        let result = try await pool.checkpoint()
        try await DatabasePool.restore(from: copy, to: other, applicationID: 0x4D55_5349)
        #expect(percent.value == 100 && report.isSound && !result.isHeldByReader)
        let restored = try await DatabaseQueue.open(
            other, applicationID: 0x4D55_5349, migrations: [Migration("library") { _ in }])
        #expect(try await restored.read { db in try db.count(Artist.self) } == 1)
        await restored.close()
        await pool.close()
    }

    private final class Latest: Sendable {
        private let state = Monitor(0)
        func set(_ value: Int) { state.withLock { $0 = value } }
        var value: Int { state.withLock { $0 } }
    }

    /// Goal: the guide shows nothing that does not work. Way: each line of its code is a line of this file.
    @Test func `every line of the guide's examples is run here`() throws {
        let here = "\(#filePath)"
        let root = here.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let guide = try text(ofFile: root + "/Sources/SonaDatabase/README.md")
        let tests = try text(ofFile: here)
        let known = Set(tests.split(separator: "\n").map(Self.trimmed))
        var isCode = false
        var lines = 0
        for line in guide.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode, !Self.trimmed(line).isEmpty {
                lines += 1
                #expect(known.contains(Self.trimmed(line)), "\(line)")
            }
        }
        #expect(lines > 90)
    }

    private func text(ofFile path: String) throws -> String {
        String(decoding: try #require(TemporaryFolder.bytes(ofFile: path)), as: UTF8.self)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == " " }
        while line.last == " " { line.removeLast() }
        return line
    }
}
