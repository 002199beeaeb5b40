internal import SonaWire
internal import Synchronization

/// Where a request came from, for the log.
struct RequestOrigin: Sendable {
    /// The client's network address; `local` for the operator's socket.
    let address: String
    /// The number of its connection.
    let connection: UInt64
    /// The number that the client gave its request; over HTTP, how many there were since the server started.
    var request: Int64?

    private static let requestsOverHTTP = Atomic<Int64>(0)

    /// A request over HTTP, which gets a number here.
    static func ofHTTP(address: String, connection: UInt64) -> RequestOrigin {
        RequestOrigin(
            address: address, connection: connection,
            request: requestsOverHTTP.add(1, ordering: .relaxed).newValue)
    }

    var fields: [LogLine.Field] {
        [.address(address), .connection(connection)] + (request.map { [.request("\($0)")] } ?? [])
    }
}

extension ErrorCode {
    /// Whether somebody has guessed a secret wrongly: a password or a code. Expired tokens do not count. Tools that block
    /// addresses count these.
    var isFailedSignIn: Bool {
        switch self {
        case .authCredentialsInvalid, .authCodeInvalid, .inviteInvalid: true
        default: false
        }
    }
}
