import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

/// Files that are older than their declaration, and files that are something else.
struct AdaptTests {
    private struct Owner: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey)
        static let table = Table<Self>("owners", id)
    }

    private struct Thing: TableOnly {
        typealias Key = Int64
        var id: Int64
        var name: String
        var size: Int
        var owner: Int64?
        static let id = Column("id", \Self.id, .primaryKey)
        static let name = Column("name", \Self.name, .unique, .byteCount(1...20))
        static let size = Column("size", \Self.size, .defaults(to: 7), .indexed)
        static let owner = Column("owner", \Self.owner, .references(Owner.self, onDelete: .cascade))
        static let table = Table<Self>(
            "things", id, name, size, owner, rules: [.index("by_both", on: size.descending, name.ascending)])
    }

    private static let owners = Migration("owners") { db in
        try db.executeScript("CREATE TABLE owners (id INTEGER PRIMARY KEY) STRICT")
    }

    private static let indexes = Migration("indexes") { db in
        try db.executeScript(
            """
            CREATE INDEX things_by_size ON things (size);
            CREATE INDEX by_both ON things (size DESC, name);
            """)
    }

    private func open(_ folder: TemporaryFolder, _ migrations: [Migration]) async throws -> DatabasePool {
        try await DatabasePool.open(
            folder.file("things.sqlite"), applicationID: 7, daos: Two<Thing, Owner>.self, migrations: migrations
        ).database
    }

    /// Makes a file from a script, and opens it as what is declared.
    private func adopt(_ script: StaticString) async throws -> DatabaseError.Kind? {
        let folder = TemporaryFolder()
        let path = folder.file("things.sqlite")
        let migrations = [Self.owners, Migration("things") { db in try db.executeScript(script) }]
        await (try DatabasePool.open(path, applicationID: 7, migrations: migrations)).close()
        let before = TemporaryFolder.bytes(ofFile: path)
        let problem = await kind { await (try open(folder, migrations)).close() }
        if problem != nil { #expect(TemporaryFolder.bytes(ofFile: path) == before, "a refused file was changed") }
        return problem
    }

    // MARK: What is the same

    @Test(
        arguments: [
            """
            CREATE TABLE things (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB)) BETWEEN 1 AND 20),
                size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE
            ) STRICT
            """,
            // Columns in another order, other spaces and quotes, constraints apart, a column and an index more.
            """
            create table "things" ("owner" INTEGER references "owners"("id") on delete cascade, extra TEXT, "size" INTEGER
                NOT NULL default 7, name TEXT not null, id INTEGER, UNIQUE(name),
                check(length(CAST(name AS BLOB))   BETWEEN 1 AND 20), primary key (id))strict;
            CREATE INDEX mine ON things (extra)
            """,
            """
            CREATE TABLE things (
                -- It's a comment with an apostrophe.
                id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE /* CHECK (name <> '') COLLATE NOCASE */
                    CHECK (length(CAST("name" AS BLOB)) /* bytes */ BETWEEN 1 AND 20), --no minus
                size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE
            ) STRICT
            """,
            // The index is there already.
            """
            CREATE TABLE things (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB)) BETWEEN 1 AND 20),
                size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX things_by_size ON things(size); CREATE INDEX "by_both" ON "things" ("size" DESC, "name")
            """,
        ] as [StaticString])
    func `a table made by hand is adopted if it means the same`(script: StaticString) async throws {
        #expect(try await adopt(script) == nil)
    }

    // MARK: What is missing

    @Test func `tables, columns with a default or NULL, and indexes are added to a file that has rows`() async throws {
        let folder = TemporaryFolder()
        let migrations = [
            Migration("things") { db in
                try db.executeScript(
                    """
                    CREATE TABLE things (
                        id INTEGER PRIMARY KEY,
                        name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB)) BETWEEN 1 AND 20)
                    ) STRICT;
                    INSERT INTO things (name) VALUES ('a'), ('b');
                    """)
            }
        ]
        let path = folder.file("things.sqlite")
        await (try DatabasePool.open(path, applicationID: 7, migrations: migrations)).close()
        let events = Monitor([String]())
        var options = DatabaseOptions()
        options.log = { event in
            if case .schemaChanged(let text) = event { events.withLock { $0.append(text) } }
        }
        let (pool, _) = try await DatabasePool.open(
            path, applicationID: 7, daos: Two<Thing, Owner>.self, migrations: migrations, options: options)
        #expect(
            events.withLock { $0 } == [
                "made the table owners", "added the column size to things", "added the column owner to things",
                "made the index things_by_size", "made the index by_both",
            ])
        let rows = try await pool.read { db in
            try db.all("SELECT size, owner FROM things") { row in [try row.next(Int?.self), try row.next()] }
        }
        #expect(rows == [[7, nil], [7, nil]])
        // The added rules are in force: the foreign key, the default, NOT NULL.
        await expectFailure(.foreignKey) {
            try await pool.write { db in try db.execute("INSERT INTO things (name, owner) VALUES ('c', 9)") }
        }
        await expectFailure(.notNull(table: "things", column: "size")) {
            try await pool.write { db in try db.execute("INSERT INTO things (name, size) VALUES ('c', NULL)") }
        }
        await pool.close()
        #expect(await kind { await (try open(folder, migrations)).close() } == nil)
    }

    private struct Named: TableOnly {
        typealias Key = Int64
        var id: Int64
        var name: String
        static let id = Column("id", \Self.id, .primaryKey)
        static let name = Column("name", \Self.name)
        static let table = Table<Self>(
            "owners", id, name, rules: [.index("one_name", on: name.ascending, isUnique: true)])
    }

    @Test func `an index that the rows contradict is refused, and the rows are left alone`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("things.sqlite")
        let migrations = [
            Migration("owners") { db in
                try db.executeScript(
                    """
                    CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
                    INSERT INTO owners (name) VALUES ('a'), ('a');
                    """)
            }
        ]
        await (try DatabasePool.open(path, applicationID: 7, migrations: migrations)).close()
        let before = TemporaryFolder.bytes(ofFile: path)
        let problem = await kind {
            try await DatabasePool.open(path, applicationID: 7, daos: One<Named>.self, migrations: migrations).database
        }
        guard case .setUp(table: "owners", let reason) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(reason.contains("owners.name"))
        #expect(TemporaryFolder.bytes(ofFile: path) == before)
    }

    // MARK: What differs

    @Test(
        arguments: [
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
                """, "not STRICT"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT UNIQUE CHECK (length(CAST("name" AS BLOB)) BETWEEN 1
                AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE) STRICT
                """, "the column name is TEXT, declared TEXT NOT NULL"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
                STRICT
                """, "the column name is BLOB NOT NULL, declared TEXT NOT NULL"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 8, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
                STRICT
                """, "the column size is INTEGER NOT NULL DEFAULT 8, declared INTEGER NOT NULL DEFAULT 7"
            ),
            (
                """
                CREATE TABLE things (id INTEGER NOT NULL, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE,
                PRIMARY KEY (id, name)) STRICT
                """, "the column id is INTEGER NOT NULL PRIMARY KEY 1"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id)) STRICT
                """, "owners(id) NO ACTION) is not declared"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER) STRICT
                """, "owners(id) CASCADE) is missing"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED) STRICT
                """, "DEFERRED"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(CAST("name" AS BLOB)) BETWEEN
                1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE) STRICT
                """, "UNIQUE (name) is missing"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7 UNIQUE, owner INTEGER REFERENCES owners (id) ON DELETE
                CASCADE) STRICT
                """, "UNIQUE (size) is not declared"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL DEFAULT 7,
                owner INTEGER REFERENCES owners (id) ON DELETE CASCADE) STRICT
                """, "CHECK (length ( CAST ( name AS BLOB ) ) BETWEEN 1 AND 20) is missing"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 21), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
                STRICT
                """, "BETWEEN 1 AND 21) is not declared"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7 CHECK (size > 0), owner INTEGER REFERENCES owners (id) ON
                DELETE CASCADE) STRICT
                """, "CHECK (size > 0) is not declared"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES
                owners (id) ON DELETE CASCADE) STRICT
                """, "the column name is missing and needs a migration"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE,
                more TEXT NOT NULL) STRICT
                """, "the column more is not declared"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK
                (length(CAST("name" AS BLOB)) BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES
                owners (id) ON DELETE CASCADE) STRICT
                """, "COLLATE"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE ON CONFLICT REPLACE CHECK
                (length(CAST("name" AS BLOB)) BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES
                owners (id) ON DELETE CASCADE) STRICT
                """, "CONFLICT"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
                STRICT; CREATE INDEX things_by_size ON things (size DESC)
                """, "the index things_by_size is CREATE INDEX things_by_size ON things ( size DESC )"
            ),
            (
                """
                CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (length(CAST("name" AS BLOB))
                BETWEEN 1 AND 20), size INTEGER NOT NULL DEFAULT 7, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
                STRICT; CREATE UNIQUE INDEX by_both ON things (size DESC, name)
                """, "the index by_both is CREATE UNIQUE INDEX"
            ),
            ("CREATE INDEX things ON owners (id)", "index named things"),
            ("CREATE VIEW things AS SELECT id FROM owners", #"view "things" already exists"#),
        ] as [(StaticString, String)])
    func `a table that is something else is refused by name and reason`(script: StaticString, cause: String)
        async throws
    {
        let problem = try await adopt(script)
        guard case .setUp(table: "things", let reason) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(reason.contains(cause))
    }

    // MARK: Migrations against declarations

    @Test func `a timeline that makes the declared tables has no differences`() throws {
        let things = Migration("things") { db in try db.createTable(Thing.self) }
        let found = try DatabaseQueue.schemaDifferences(Two<Thing, Owner>.self, migrations: [Self.owners, things])
        #expect(found == [])
    }

    @Test func `a timeline that makes other tables is reported with the differences`() throws {
        let things = Migration("things") { db in
            try db.executeScript(
                """
                CREATE TABLE things (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', size INTEGER NOT NULL DEFAULT 7, more TEXT,
                    owner INTEGER REFERENCES owners (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, UNIQUE (size)
                );
                CREATE INDEX things_by_size ON things (owner);
                CREATE INDEX mine ON things (owner);
                """)
        }
        let found = try DatabaseQueue.schemaDifferences(Two<Thing, Owner>.self, migrations: [things])
        let wanted = [
            "owners", "the column name is TEXT NOT NULL DEFAULT 'x', declared TEXT NOT NULL",
            "the column more is not declared", "the index by_both is", "the index mine is not declared",
            "the index things_by_size is CREATE INDEX things_by_size ON things ( owner )", "UNIQUE (name) is missing",
            "UNIQUE (size) is not declared", "CHECK (length", "the table is not STRICT", "DEFERRED occurs 1 times",
        ]
        for sentence in wanted { #expect(found.contains { $0.contains(sentence) }, "\(sentence)") }
        let others = found.filter { sentence in !wanted.contains { sentence.contains($0) } }
        #expect(others == [])
    }

    @Test func `leftovers of a timeline are reported, too`() throws {
        let things = Migration("things") { db in
            try db.createTable(Thing.self)
            try db.executeScript("CREATE TABLE leftover (i INTEGER) STRICT; CREATE VIEW all_things AS SELECT 1")
        }
        let found = try DatabaseQueue.schemaDifferences(Two<Thing, Owner>.self, migrations: [Self.owners, things])
        #expect(found == ["the table leftover is not declared", "the view all_things is not declared"])
    }
}
