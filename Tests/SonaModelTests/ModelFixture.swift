import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaWire

@testable import SonaModel

/// A calendar that a test moves.
final class ManualCalendar: Sendable {
    private let now: Monitor<Int64>

    init(_ milliseconds: Int64 = 1_800_000_000_000) { now = Monitor(milliseconds) }

    func advance(seconds: Int64) { now.withLock { $0 += seconds * 1_000 } }

    var clock: WallClock { WallClock { [now] in now.withLock { $0 } } }
}

extension Model {
    /// The model in `folder`, with hashes that cost nothing.
    static func opened(
        _ folder: TemporaryFolder, _ calendar: ManualCalendar = ManualCalendar()
    ) async throws(ModelError) -> Model {
        try await open(dataFolder: folder.file("data"), passwordCost: .test, clock: calendar.clock)
    }

    /// The database beside the model, to look at what is stored. Close it before the model.
    static func look(_ folder: TemporaryFolder) async throws -> DatabasePool {
        try await DatabasePool.open(
            folder.file("data/sona.sqlite"), applicationID: Schema.applicationID, migrations: Schema.timeline)
    }
}

extension Accounts {
    func signUp(_ name: String) async throws(AccountError) -> Grant {
        try await signUp(email: "\(name)@example.org", password: "pass-\(name)-word", username: name, displayName: nil)
    }

    func signIn(_ name: String, address: String? = nil) async throws(AccountError) -> Grant {
        try await signIn(email: "\(name)@example.org", password: "pass-\(name)-word", address: address)
    }
}

/// The error that `body` throws, if it does.
func failure<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async -> Failure? {
    do throws(Failure) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
