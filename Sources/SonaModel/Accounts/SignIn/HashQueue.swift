internal import SonaBase

/// Limits how many passwords are hashed at a time for each network, so that a flood from one does not take all threads.
///
/// Further requests of the network wait in a queue; more than `waitingMax` are refused.
final class HashQueue: Sendable {
    static let inFlightMax = 2
    static let waitingMax = 16

    private struct Client {
        var inFlight = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let clients = Monitor<[String: Client]>([:])

    /// Runs `body` once fewer than `inFlightMax` bodies of the same network run.
    ///
    /// - Parameter address: An address in a form of `ClientNetwork`. `nil`: runs at once.
    /// - Throws: `hashingBusy` if `waitingMax` wait already, and what `body` throws.
    func run<Value>(
        _ address: String?, _ body: () async throws(Refusal) -> Value
    ) async throws(Refusal) -> Value {
        guard let address else { return try await body() }
        let key = ClientNetwork.smallest(address)
        guard await begin(key) else { throw .hashingBusy(retryAfterMilliseconds: 1_000) }
        defer { end(key) }
        return try await body()
    }

    /// Waits for a free place.
    ///
    /// - Returns: False if too many wait.
    private func begin(_ key: String) async -> Bool {
        let isRefused = Monitor(false)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isWaiting = clients.withLock { clients in
                var client = clients[key] ?? Client()
                defer { clients[key] = client }
                if client.inFlight < Self.inFlightMax {
                    client.inFlight += 1
                    return false
                }
                if client.waiting.count < Self.waitingMax {
                    client.waiting.append(continuation)
                    return true
                }
                isRefused.withLock { $0 = true }
                return false
            }
            if !isWaiting { continuation.resume() }
        }
        return !isRefused.withLock { $0 }
    }

    private func end(_ key: String) {
        // The next in the queue takes over the place.
        let next = clients.withLock { clients -> CheckedContinuation<Void, Never>? in
            guard var client = clients[key] else { return nil }
            let next = client.waiting.isEmpty ? nil : client.waiting.removeFirst()
            if next == nil { client.inFlight -= 1 }
            clients[key] = client.inFlight == 0 ? nil : client
            return next
        }
        next?.resume()
    }
}
