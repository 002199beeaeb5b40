import SonaDatabase
import SonaTestSupport
import Testing

struct ForeignKeyTests {
    private struct Parent: Record {
        typealias Key = String
        var name: String
        static let name = Column("name", \Self.name, .primaryKey)
        static let table = Table<Self>("parents", name)
        init(_ name: String) { self.name = name }
        init(row: inout Row) throws(DatabaseError) { name = try row.next() }
        func bind(to values: inout Binder) { values.next(name) }
    }

    /// A child by each kind of key, and of its own kind.
    private struct Child: Record, Equatable {
        typealias Key = Int64
        var id: Int64
        var restrict: String?
        var cascade: String?
        var setNull: String?
        var noAction: String?
        var deferred: String?
        var sibling: Int64?

        static let id = Column("id", \Self.id, .primaryKey)
        static let restrict = Column("restricted", \Self.restrict, .references(Parent.self))
        static let cascade = Column("cascading", \Self.cascade, .references(Parent.self, onDelete: .cascade), .indexed)
        static let setNull = Column("nulled", \Self.setNull, .references(Parent.self, onDelete: .setNull))
        static let noAction = Column("nothing", \Self.noAction, .references(Parent.self, onDelete: .noAction))
        static let deferred = Column(
            "deferred", \Self.deferred, .references(Parent.self, onDelete: .noAction, isDeferred: true))
        static let sibling = Column("sibling", \Self.sibling, .references(Child.self, onDelete: .cascade))
        static let table = Table<Self>(
            "children", id, restrict, cascade, setNull, noAction, deferred, sibling)

        init(_ id: Int64) { self.id = id }
        init(row: inout Row) throws(DatabaseError) {
            id = try row.next()
            restrict = try row.next()
            cascade = try row.next()
            setNull = try row.next()
            noAction = try row.next()
            deferred = try row.next()
            sibling = try row.next()
        }
        func bind(to values: inout Binder) {
            values.next(id)
            values.next(restrict)
            values.next(cascade)
            values.next(setNull)
            values.next(noAction)
            values.next(deferred)
            values.next(sibling)
        }
    }

    private func family() async throws -> DatabaseQueue {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in
            // In the wrong order: SQLite looks at a key when a row is written.
            try db.createTable(Child.self)
            try db.createTable(Parent.self)
            try db.insert(contentsOf: ["a", "b"].map { Parent($0) })
        }
        return queue
    }

    private func children(_ queue: DatabaseQueue) async throws -> [Child] {
        try await queue.read { db in try db.all(Child.order(Child.id.ascending)) }
    }

    @Test func `every key to a row that is not there is refused`() async throws {
        let queue = try await family()
        let paths: [any WritableKeyPath<Child, String?> & Sendable] = [
            \.restrict, \.cascade, \.setNull, \.noAction, \.deferred,
        ]
        for (place, path) in paths.enumerated() {
            await expectFailure(.foreignKey) {
                try await queue.write { db in
                    var child = Child(Int64(place))
                    child[keyPath: path] = "none"
                    try db.insert(child)
                }
            }
            try await queue.write { db in
                var child = Child(Int64(place))
                child[keyPath: path] = "b"
                try db.insert(child)
            }
            await expectFailure(.foreignKey) {
                try await queue.write { db in
                    try db.update(Child.self, key: Int64(place)) { $0[keyPath: path] = "none" }
                }
            }
        }
        #expect(try await children(queue).count == 5)
        await queue.close()
    }

    @Test func `deleting what a row refers to cascades, sets NULL or is refused`() async throws {
        let queue = try await family()
        try await queue.write { db in
            var (first, second, third) = (Child(1), Child(2), Child(3))
            (first.cascade, second.setNull, third.sibling) = ("a", "a", 1)
            try db.insert(contentsOf: [first, second, third])
            // The row itself is counted, not what goes with it.
            #expect(try db.delete(Parent.self, key: "a"))
        }
        // The first by the cascade, the third with the first.
        #expect(try await children(queue) == [Child(2)])
        for column in [Child.noAction, Child.deferred] {
            try await queue.write { db in
                try db.update(Child.all, column.set(to: "b"))
            }
            await expectFailure(.foreignKey) {
                try await queue.write { db in try db.delete(Parent.self, key: "b") }
            }
            try await queue.write { db in try db.update(Child.all, column.set(to: nil)) }
        }
        #expect(try await queue.read { db in try db.exists(Parent.self, key: "b") })
        await queue.close()
    }

    @Test func `deleting a row that a restricting key refers to is a foreign key's error`() async throws {
        let queue = try await family()
        try await queue.write { db in
            var child = Child(1)
            child.restrict = "a"
            try db.insert(child)
        }
        // SQLite tells it as a trigger's error (1811) with a foreign key's message.
        await expectFailure(.foreignKey) { try await queue.write { db in try db.delete(Parent.self, key: "a") } }
        await expectFailure(.foreignKey) { try await queue.write { db in try db.delete(Parent.all) } }
        #expect(try await queue.read { db in try db.count(Parent.self) } == 2)
        await queue.close()
    }

    @Test func `a deferred key may be put right before the end of the write`() async throws {
        let queue = try await family()
        try await queue.write { db in
            var child = Child(1)
            child.deferred = "later"
            try db.insert(child)
            try db.insert(Parent("later"))
        }
        await expectFailure(.foreignKey) {
            try await queue.write { db in
                try db.delete(Parent.filter(Parent.name == "later"))
                try db.insert(Parent("another"))
            }
        }
        try await queue.write { db in
            try db.delete(Parent.filter(Parent.name == "later"))
            try db.insert(Parent("later"))
        }
        await expectFailure(.foreignKey) {
            try await queue.write { db in
                var child = Child(2)
                // Not deferred: refused at the statement, however soon the row comes.
                child.noAction = "soon"
                try db.insert(child)
                try db.insert(Parent("soon"))
            }
        }
        #expect(try await children(queue).map(\.deferred) == ["later"])
        await queue.close()
    }

    // MARK: Names

    /// Names that have to be quoted, and quotes in them.
    private struct Odd: Record, Equatable {
        typealias Key = Int64
        var id: Int64?
        var value: String
        var other: Int64?
        static let id = Column("the \"id\"", \Self.id, .primaryKey)
        static let value = Column("select", \Self.value, .unique, .indexed, .oneOf("x", "y", "z"), .byteCount(1...5))
        static let other = Column(
            "it's; -- \" [ä]`", \Self.other, .references(Odd.self), .indexed, .check("TRUE"))
        static let table = Table<Self>(
            "odd \"table\" 'of' names", id, value, other,
            rules: [.unique(value, other), .index("an \"index\"", on: value.descending)])
        init(_ value: String, _ other: Int64? = nil) { (self.value, self.other) = (value, other) }
        init(row: inout Row) throws(DatabaseError) {
            id = try row.next()
            value = try row.next()
            other = try row.next()
        }
        func bind(to values: inout Binder) {
            values.next(id)
            values.next(value)
            values.next(other)
        }
    }

    @Test func `names with spaces and quotes are names`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in
            try db.createTable(Odd.self)
            var odd = try db.insertReturning(Odd("x"))
            #expect(odd.id == 1)
            odd.other = 1
            #expect(try db.update(odd))
            #expect(try db.updateReturning(odd) == odd)
            #expect(try db.upsertReturning(odd) == odd)
            #expect(try db.upsert(Odd("x", nil), onConflict: Odd.value).other == nil)
            #expect(try db.update(Odd.self, key: 1) { $0.other = 1 } == odd)
            let query = Odd.filter(Odd.value.hasPrefix("x") && Odd.other == 1).order(Odd.other.descending.nullsLast)
            #expect(try db.all(query.limit(1)) == [odd])
            #expect(try db.update(query, Odd.other.set(toSQL: "\(Odd.id)")) == 1)
            #expect(try db.count(query) == 1)
            #expect(try db.value("SELECT \(Odd.value) FROM \(Odd.table)") == "x")
        }
        await expectFailure(.unique(table: "odd \"table\" 'of' names", columns: ["select"])) {
            try await queue.write { db in try db.insert(Odd("x")) }
        }
        await expectFailure(.foreignKey) { try await queue.write { db in try db.insert(Odd("y", 9)) } }
        #expect(try await queue.write { db in try db.delete(Odd.filter(Odd.other == 1).limit(1)) } == 1)
        await queue.close()
    }
}
