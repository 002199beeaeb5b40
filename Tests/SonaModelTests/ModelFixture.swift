import SonaBase
import SonaCrypto
import SonaDatabase
import SonaMedia
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// A clock that a test moves.
final class ManualCalendar: Sendable {
    private let now: Monitor<Int64>

    init(_ milliseconds: Int64 = 1_800_000_000_000) { now = Monitor(milliseconds) }

    func advance(seconds: Int64) { advance(milliseconds: seconds * 1_000) }

    func advance(milliseconds: Int64) { now.withLock { $0 += milliseconds } }

    var clock: WallClock { WallClock { [now] in now.withLock { $0 } } }
}

/// Collects the mail of a test.
final class Mailbox: Sendable {
    private let mails = Monitor<[AccountMail]>([])

    var all: [AccountMail] { mails.withLock { $0 } }
    var deliver: @Sendable (AccountMail) -> Void { { mail in self.mails.notify { $0.append(mail) } } }

    /// The codes that were mailed to an address, oldest first.
    func codes(to address: String) -> [String] { all.filter { $0.to == address }.compactMap(\.code) }

    /// Waits for the mail with a number, from 1, to an address. Some mails are sent after the answer.
    func code(_ number: Int = 1, to address: String) async -> String? {
        let deadline = ContinuousClock.now + .seconds(20)
        while codes(to: address).count < number {
            guard ContinuousClock.now < deadline else { return nil }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return codes(to: address)[number - 1]
    }
}

extension AccountMail {
    var code: String? {
        switch subject {
        case .recovery(let code), .confirmation(let code): code
        case .emailChanged, .passwordChanged, .addressTaken, .approved, .rejected, .notification: nil
        }
    }
}

extension Model.Options {
    /// Options for tests: cheap hashes, the test's clock and mailbox, and no random delays.
    static func test(
        _ calendar: ManualCalendar = ManualCalendar(), mail: Mailbox? = nil, firebase: FirebaseTokens? = nil,
        cost: PasswordHash.Cost = .test
    ) -> Self {
        var options = Self()
        options.passwordCost = cost
        options.clock = calendar.clock
        options.mail = mail?.deliver
        options.firebase = firebase
        options.quietMilliseconds = 0...0
        var worker = WorkerProgram()
        worker.path = BuiltProgram.sona
        options.pictures = PictureWorkers(worker)
        return options
    }
}

extension StorageLayout where All == ModelDAOs {
    /// A database with the tables of this module only.
    static var model: Self { StorageLayout(migrations: ModelSchema.timeline) { $0 } }
}

extension Model {
    /// Opens a data folder with the tables of this module only.
    static func open(dataFolder: String, _ options: Options = Options()) async throws(ModelError) -> Model {
        try await open(dataFolder: dataFolder, as: .model, options).model
    }

    /// Opens the model in `folder`, with cheap hashes.
    static func opened(
        _ folder: TemporaryFolder, _ calendar: ManualCalendar = ManualCalendar(), mail: Mailbox? = nil,
        firebase: FirebaseTokens? = nil
    ) async throws(ModelError) -> Model {
        try await open(dataFolder: folder.file("data"), .test(calendar, mail: mail, firebase: firebase))
    }

    /// A second connection to the database, to see what is stored. Close it before the model.
    static func look(_ folder: TemporaryFolder) async throws -> DatabasePool {
        try await DatabasePool.open(
            folder.file("data/sona.sqlite"), applicationID: ModelSchema.applicationID, migrations: ModelSchema.timeline)
    }

    /// Runs statements on a second connection while the model is open.
    static func execute(_ statements: SQL..., in folder: TemporaryFolder) async throws {
        let beside = try await look(folder)
        try await beside.write { db in for statement in statements { try db.execute(statement) } }
        await beside.close()
    }

    /// The number of rows of each table, without those of the schema and of the search.
    static func rowCounts(_ folder: TemporaryFolder) async throws -> [String: Int] {
        let beside = try await look(folder)
        let counts = try await beside.read { db in
            let names = try db.values(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%'", as: String.self)
            return try names.reduce(into: [String: Int]()) { counts, name in
                counts[name] = try db.value("SELECT count(*) FROM \(try SQL.identifier(name))")
            }
        }
        await beside.close()
        return counts
    }
}

extension Accounts {
    func signUp(_ name: String, address: String? = nil) async throws(Refusal) -> Grant {
        try await signUp(.named(name), address: address)
    }

    func signIn(_ name: String, address: String? = nil) async throws(Refusal) -> Grant {
        try await signIn(email: Accounts.SignUp.email(name), password: "pass-\(name)-word", address: address)
    }

    /// Signs up several users, one after another.
    func signUp(all names: [String]) async throws(Refusal) -> [Account] {
        var accounts: [Account] = []
        for name in names { accounts.append(try await signUp(name).account) }
        return accounts
    }
}

extension Accounts.SignUp {
    /// A username may end in a dot, but the part before an @ may not.
    static func email(_ name: String) -> String { "\(name.hasSuffix(".") ? name + "x" : name)@example.org" }

    static func named(_ name: String, guest: Accounts.Account? = nil) -> Self {
        Self(email: email(name), password: "pass-\(name)-word", username: name, guest: guest)
    }
}

/// Returns the error that `body` throws, if any.
func failure<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async -> Failure? {
    do throws(Failure) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Returns the refusal that `body` throws, if any. Records an issue for any other error.
func refusal<Value>(
    _ body: () async throws -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async -> Refusal? {
    do {
        _ = try await body()
    } catch let error as Refusal {
        return error
    } catch {
        Issue.record("\(error) is not a Refusal.", sourceLocation: sourceLocation)
    }
    return nil
}
