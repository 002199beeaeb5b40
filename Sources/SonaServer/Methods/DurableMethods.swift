internal import SonaModel
internal import SonaWire

/// The requests that need the disk: one table for both transports, WebSocket and `POST /v1/rpc/…`.
///
/// Off the loop. Each answer leaves after the transaction it speaks of is on disk.
struct DurableMethods: Sendable {
    let model: Model
    let shard: Shard
    let directory: RoomDirectoryService

    private static let table = Dictionary(
        uniqueKeysWithValues: (signingIn + recovering + naming + profiles + people + rooms + joining + moderating
            + chat + history + metering + queueing + administering).map {
                ($0.type, $0)
            })

    /// The types of all of them.
    static var types: Set<String> { Set(table.keys) }

    /// The method of that type, if it is one of these.
    static func method(_ type: String) -> DurableMethod? { table[type] }

    /// - Throws: What the request's page in Protocol/spec names.
    func call(_ type: String, _ data: JSON, _ caller: Caller) async throws(WireError) -> DurableOutcome {
        guard let method = Self.method(type) else { throw WireError(.requestUnknown) }
        return try await method.call(self, data, caller)
    }

    // MARK: Steps

    /// - Throws: `request.rate_limited` where the account has asked for as much of this as it may.
    func take(_ type: String, _ account: Accounts.Account) throws(WireError) {
        do { try model.accounts.take(type, account) } catch { throw WireError(error) }
    }

    /// Translates what an operation of the model is refused for.
    func asked<Value>(_ body: () async throws(AccountError) -> Value) async throws(WireError) -> Value {
        do { return try await body() } catch { throw WireError(error) }
    }

    func granted(_ grant: Accounts.Grant) -> DurableOutcome {
        let result = Grant(
            user: User(grant.account), accessToken: grant.accessToken, expiresInSeconds: grant.expiresInSeconds,
            refreshToken: grant.refreshToken)
        return DurableOutcome(result, signsIn: grant.account)
    }

    func granted(_ access: Accounts.Access) -> DurableOutcome {
        let result = AccessGrant(
            user: User(access.account), accessToken: access.accessToken, expiresInSeconds: access.expiresInSeconds)
        return DurableOutcome(result, signsIn: access.account)
    }
}
