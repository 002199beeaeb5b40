import SonaBase
import SonaCrypto
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel
@testable import SonaServer

/// The methods of the durable plane that need no room, with a model in a temporary folder.
final class MethodsFixture {
    let model: Model
    let accounts: AccountMethods
    /// What the operator has said.
    let live: LiveConfiguration
    let people: PeopleMethods
    let administration: Administration
    /// The users that `PeopleMethods` has named, in each call, as seeing other rooms than before.
    let circles = Monitor<[[UserID]]>([])

    private let folder = TemporaryFolder()

    init() async throws {
        var options = Model.Options()
        options.passwordCost = .test
        options.quietMilliseconds = 0...0
        model = try await Storage.open(dataFolder: folder.file("data"), options).model
        live = LiveConfiguration(ServerConfiguration(dataFolder: folder.file("data")))
        accounts = AccountMethods(model: model, live: live)
        people = PeopleMethods(model: model) { [circles] users in circles.withLock { $0.append(users) } }
        administration = Administration(model: model)
    }

    func close() async { await model.close() }

    /// Signs up an account and returns it as the sender of requests.
    func signUp(_ name: String) async throws -> Asker {
        let request = AuthSignUp(
            email: "\(name)@example.org", password: "pass-\(name)-word", username: try #require(Username(name)))
        let outcome = try await accounts.signUp(request, Caller())
        return Asker(account: try #require(outcome.signsIn), caller: Caller())
    }

    /// The code of the error that `body` throws; `nil` if it throws none.
    func refusal<Value>(_ body: () async throws -> Value) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch { return WireError(error).code }
    }
}
