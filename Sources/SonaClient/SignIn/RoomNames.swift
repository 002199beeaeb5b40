internal import Dispatch
internal import SonaBase
internal import SonaEventLoop
package import SonaWire
internal import Synchronization

extension SignIn {
    /// Public rooms, for somebody who is typing and does not want to wait.
    ///
    /// Blocks the thread, for `milliseconds` at most; no sign-in is renewed and nothing is stored.
    /// - Returns: Empty if the server does not answer in time or does not want to.
    package func roomsAtOnce(within milliseconds: Int) -> [Room] {
        let found = Found()
        let ready = DispatchSemaphore(value: 0)
        let isStarted = WorkerThread.start("rooms") {
            let rooms = try? rooms()
            found.rooms.withLock { $0 = rooms ?? [] }
            ready.signal()
        }
        guard isStarted, ready.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return [] }
        return found.rooms.withLock { $0 }
    }

    private final class Found: Sendable {
        let rooms = Mutex<[Room]>([])
    }

    private func rooms() throws(ClientError) -> [Room] {
        var bearer = usableToken ?? ""
        if bearer.isEmpty { bearer = try ask(AuthGuest(), token: "").accessToken }
        return try ask(RoomList(limit: Int(Limits.roomListCount.upperBound)), token: bearer).rooms
    }

    /// A token that is good for some seconds more.
    private var usableToken: String? {
        if let token { return token }
        guard let kept = try? kept(), kept.expiresMilliseconds > MonotonicClock.wallMilliseconds() + 5_000 else {
            return nil
        }
        return kept.accessToken
    }

    private func ask<R: WireRequest>(_ request: R, token: String) throws(ClientError) -> R.Response {
        var call = HTTPCall(
            address: address, path: "/v1/rpc/" + R.type, token: token, agent: agent, body: request.encoded())
        call.contentType = "application/json"
        call.patienceSeconds = 1
        return try call.run().get().response(of: R.self)
    }
}
