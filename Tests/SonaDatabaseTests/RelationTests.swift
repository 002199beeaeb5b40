import SonaDatabase
import SonaTestSupport
import Testing

struct RelationTests {
    struct Artist: Record {
        typealias Key = String
        var id: String
        var name: String
        static let id = Column("id", \Self.id, .primaryKey)
        static let name = Column("name", \Self.name)
        static let table = Table<Self>("artists", id, name)
        static let albums = ToMany(Album.artist, of: Self.self)
        init(_ id: String, _ name: String) { (self.id, self.name) = (id, name) }
        init(row: inout Row) throws(DatabaseError) {
            id = try row.next()
            name = try row.next()
        }
        func bind(to values: inout Binder) {
            values.next(id)
            values.next(name)
        }
    }

    struct Album: Record {
        typealias Key = Int64
        var id: Int64
        var name: String
        var artist: String?
        static let id = Column("id", \Self.id, .primaryKey)
        static let name = Column("name", \Self.name)
        static let artist = Column("artist", \Self.artist, .references(Artist.self, onDelete: .setNull), .indexed)
        static let table = Table<Self>("albums", id, name, artist)
        static let performer = ToOne(artist, Artist.self)
        init(_ id: Int64, _ name: String, _ artist: String?) { (self.id, self.name, self.artist) = (id, name, artist) }
        init(row: inout Row) throws(DatabaseError) {
            id = try row.next()
            name = try row.next()
            artist = try row.next()
        }
        func bind(to values: inout Binder) {
            values.next(id)
            values.next(name)
            values.next(artist)
        }
    }

    private func library() async throws -> DatabaseQueue {
        let queue = try await DatabaseQueue.inMemory(
            migrations: [
                Migration("library") { db in
                    try db.createTable(Artist.self)
                    try db.createTable(Album.self)
                }
            ])
        try await queue.write { db in
            try db.insert(contentsOf: [Artist("b", "Björk"), Artist("c", "Can"), Artist("n", "Neu!")])
            try db.insert(contentsOf: [
                Album(1, "Post", "b"), Album(2, "Debut", "b"), Album(3, "Tago Mago", "c"), Album(4, "Untitled", nil),
            ])
        }
        return queue
    }

    @Test func `to one comes with a join, in the query's order`() async throws {
        let queue = try await library()
        let pairs = try await queue.read { db in
            try db.all(Album.order(Album.name.descending), with: Album.performer).map { ($0.0.name, $0.1?.name) }
        }
        #expect(pairs.map(\.0) == ["Untitled", "Tago Mago", "Post", "Debut"])
        #expect(pairs.map(\.1) == [nil, "Can", "Björk", "Björk"])
        let some = try await queue.read { db in
            try db.all(
                Album.filter(Album.artist != nil).order(Album.id.ascending).limit(2, offset: 1), with: Album.performer
            ).map { "\($0.0.id) \($0.1?.id ?? "-")" }
        }
        #expect(some == ["2 b", "3 c"])
        await queue.close()
    }

    @Test func `to many comes with one more statement, none left out`() async throws {
        let queue = try await library()
        let all = try await queue.read { db in
            try db.all(Artist.order(Artist.name.ascending), with: Artist.albums, orderedBy: Album.name.ascending)
                .map { "\($0.0.name): \($0.1.map(\.name).joined(separator: ", "))" }
        }
        #expect(all == ["Björk: Debut, Post", "Can: Tago Mago", "Neu!: "])
        let last = try await queue.read { db in
            try db.all(Artist.order(Artist.id.descending).limit(2), with: Artist.albums).map {
                "\($0.0.id)\($0.1.count)"
            }
        }
        #expect(last == ["n0", "c1"])
        let none = try await queue.read { db in
            try db.all(Artist.filter(Artist.id == "x"), with: Artist.albums).count
        }
        #expect(none == 0)
        let of = try await queue.read { db in
            try db.all(of: "b", Artist.albums, orderedBy: Album.id.ascending).map(\.name)
        }
        #expect(of == ["Post", "Debut"])
        await queue.close()
    }

    /// Goal: no query per row. Way: the number of statements does not depend on the number of rows: every statement that
    /// runs was prepared, and each text once.
    @Test func `a thousand parents cost as many statements as one`() async throws {
        let queue = try await library()
        try await queue.write { db in
            try db.insert(contentsOf: (0..<1_000).map { Artist("a\($0)", "name \($0)") })
            try db.insert(contentsOf: (0..<3_000).map { Album(Int64(100 + $0), "album", "a\($0 % 1_000)") })
        }
        let counts = try await queue.read { db in
            try db.all(Artist.filter(Artist.id.hasPrefix("a")), with: Artist.albums).map(\.1.count)
        }
        #expect(counts == Array(repeating: 3, count: 1_000))
        await queue.close()
    }
}
