import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

struct DAOTests {
    private enum Outcome: Equatable {
        case done, notFound, alreadyExists, nameTaken
        case cannotFetch(DatabaseError.Kind), cannotSave(DatabaseError.Kind)
    }

    /// How an operation of a DAO ends.
    private func outcome<Value>(_ body: () async throws -> Value) async -> Outcome {
        do {
            _ = try await body()
            return .done
        } catch LibraryError.notFound {
            return .notFound
        } catch LibraryError.alreadyExists {
            return .alreadyExists
        } catch LibraryError.nameTaken {
            return .nameTaken
        } catch LibraryError.cannotFetch(let error) {
            return .cannotFetch(error.kind)
        } catch LibraryError.cannotSave(let error) {
            return .cannotSave(error.kind)
        } catch {
            Issue.record("no error of the domain: \(error)")
            return .done
        }
    }

    /// The domain error itself.
    private func failure<Value>(_ body: () async throws -> Value) async -> LibraryError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? LibraryError
        }
    }

    // MARK: One table

    @Test func `records are made, found, changed and deleted`() async throws {
        let (queue, daos) = try await Library.inMemory()
        let authors = daos.authors
        let nina = try await authors.create(Author(name: "Nina"))
        #expect(nina.id == 1)
        #expect(try await authors.find(1) == nina)
        #expect(try await authors.fetch(1) == nina)
        #expect(try await authors.save(Author(id: 1, name: "Nina", country: "us")).country == "us")
        #expect(try await authors.save(Author(name: "Chet")).id == 2)
        try await authors.update(Author(id: 2, name: "Chet", country: "us"))
        #expect(try await authors.update(2) { $0.country = nil } == Author(id: 2, name: "Chet"))
        #expect(try await authors.fetchAll().count == 2)
        #expect(try await authors.fetchAll(Author.filter(Author.country == "us")).map(\.name) == ["Nina"])
        #expect(try await authors.count() == 2)
        #expect(try await authors.count(Author.filter(Author.country == nil)) == 1)
        #expect(await authors.exists(2))
        #expect(await authors.exists(Author.filter(Author.name == "Chet")))
        try await authors.delete(2)
        #expect(await !authors.exists(2))
        #expect(await !authors.exists(Author.filter(Author.name == "Chet")))
        #expect(try await authors.count() == 1)
        await queue.close()
    }

    @Test func `changes of one record by many tasks are all kept`() async throws {
        let folder = TemporaryFolder()
        let (pool, daos) = try await Library.open(folder)
        try await Library.fill(pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { _ = try await daos.books.update("a") { $0.year = ($0.year ?? 0) + 1 } }
            }
            try await group.waitForAll()
        }
        #expect(try await daos.books.find("a").year == 2_090)
        await pool.close()
    }

    @Test func `a missing row is reported as notFound or nil`() async throws {
        let (queue, daos) = try await Library.inMemory()
        let authors = daos.authors
        #expect(try await authors.fetch(7) == nil)
        let outcomes = [
            await outcome { try await authors.find(7) },
            await outcome { try await authors.update(Author(id: 7, name: "x")) },
            await outcome { try await authors.update(Author(id: nil, name: "x")) },
            await outcome { try await authors.update(7) { $0.name = "x" } },
            await outcome { try await authors.delete(7) },
        ]
        #expect(outcomes == Array(repeating: .notFound, count: 5))
        await queue.close()
    }

    // MARK: Errors

    @Test func `a constraint becomes the word that the domain has for it`() async throws {
        let (queue, daos) = try await Library.inMemory()
        try await Library.fill(queue)
        let taken = await outcome { try await daos.authors.create(Author(name: "Nina")) }
        #expect(taken == .nameTaken)
        // The domain has no word for these: the table's DAO has one for UNIQUE, and none for the rest.
        let again = await outcome { try await daos.books.create(Book(id: "a", title: "Again", author: 1)) }
        #expect(again == .alreadyExists)
        let others: [(Book, DatabaseError.Kind)] = [
            (Book(id: "z", title: "t", author: 9), .foreignKey),
            (Book(id: "z", title: "", author: 1), .check("length(CAST(\"title\" AS BLOB)) BETWEEN 1 AND 200")),
        ]
        for (book, kind) in others {
            #expect(await outcome { try await daos.books.create(book) } == .cannotSave(kind))
            #expect(await outcome { try await daos.books.save(book) } == .cannotSave(kind))
        }
        #expect(await outcome { try await daos.books.update("a") { $0.author = 9 } } == .cannotSave(.foreignKey))
        #expect(try await daos.books.find("a").author == 1)
        await queue.close()
    }

    @Test func `an error of the domain leaves as it is and undoes the write`() async throws {
        let (queue, daos) = try await Library.inMemory()
        let own = await outcome {
            try await daos.authors.write(or: LibraryError.cannotFetch) { db in
                try db.insert(Author(name: "Nina"))
                throw LibraryError.nameTaken
            }
        }
        #expect(own == .nameTaken)
        // An error of somebody else is wrapped, and its text is for logs.
        let foreign = await failure {
            try await daos.authors.write(or: LibraryError.cannotSave) { db in
                try db.insert(Author(name: "Nina"))
                throw Refusal()
            }
        }
        guard case .cannotSave(let error) = foreign else {
            Issue.record("\(String(describing: foreign))")
            return
        }
        #expect(error.kind == .other && error.detail?.contains("Refusal") == true)
        #expect(!error.description.contains("Refusal"))
        #expect(try await daos.authors.count() == 0)
        await queue.close()
    }

    @Test func `errors of a closed database are of the operation that met them`() async throws {
        let (queue, daos) = try await Library.inMemory()
        await queue.close()
        #expect(await outcome { try await daos.authors.count() } == .cannotFetch(.closed))
        #expect(await outcome { try await daos.authors.delete(1) } == .cannotSave(.closed))
    }

    @Test func `the text of an error for clients contains no values and no SQL`() async throws {
        let (queue, daos) = try await Library.inMemory()
        try await Library.fill(queue)
        let secret = "top-secret-name"
        let title = String(repeating: secret, count: 20)
        let problems = [
            await failure { try await daos.authors.create(Author(name: "Nina")) },
            await failure { try await daos.books.create(Book(id: BookID(secret), title: title, author: 1)) },
            await failure {
                try await daos.authors.read(or: LibraryError.cannotFetch) { db in
                    try db.exists("SELECT \(secret) FROM nowhere")
                }
            },
        ]
        for problem in problems {
            let problem = try #require(problem)
            #expect(!"\(problem)".contains(secret))
            // An enum prints what is in its cases: the database's error with its statement.
            for word in ["INSERT", "SELECT", "nowhere"] { #expect(!"\(problem)".contains(word), "\(problem)") }
        }
        await queue.close()
    }

    // MARK: exists

    @Test func `exists says no instead of throwing, and the error is counted and logged`() async throws {
        let logged = Monitor([DatabaseError.Kind]())
        var options = DatabaseOptions()
        options.log = { event in
            if case .suppressed(let error) = event { logged.withLock { $0.append(error.kind) } }
        }
        let folder = TemporaryFolder()
        let (pool, daos) = try await Library.open(folder, options: options)
        try await Library.fill(pool)
        #expect(await daos.authors.exists(1) && pool.status.suppressedErrors == 0)
        #expect(await !daos.authors.exists(Author.filter(Condition("no_such_column = \(1)"))))
        #expect(pool.status.suppressedErrors == 1)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await daos.authors.exists(1)
        }
        #expect(await !cancelled.value)
        #expect(pool.status.suppressedErrors == 2)
        await pool.close()
        #expect(await !daos.authors.exists(1))
        #expect(pool.status.suppressedErrors == 3)
        #expect(logged.withLock { $0 } == [.other, .interrupted, .closed])
    }

    // MARK: Cancellation

    @Test func `a cancelled task's read and write fail as interrupted, and nothing is written`() async throws {
        let folder = TemporaryFolder()
        let (pool, daos) = try await Library.open(folder)
        let reading = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await outcome { try await daos.authors.fetchAll() }
        }.value
        #expect(reading == .cannotFetch(.interrupted))
        let writing = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await outcome { try await daos.authors.create(Author(name: "x")) }
        }.value
        #expect(writing == .cannotSave(.interrupted))
        #expect(try await daos.authors.count() == 0)
        await pool.close()
    }

    @Test func `a write that has begun is finished, whatever becomes of its task`() async throws {
        let (queue, daos) = try await Library.inMemory()
        let (begun, release) = (Gate(), Gate())
        let task = Task {
            try await daos.authors.write(or: LibraryError.cannotSave) { db in
                begun.open()
                release.pass()
                return try db.insertReturning(Author(name: "Nina"))
            }
        }
        try await begun.opened()
        task.cancel()
        release.open()
        #expect(try await task.value.id == 1)
        #expect(try await daos.authors.count() == 1)
        await queue.close()
    }
}
