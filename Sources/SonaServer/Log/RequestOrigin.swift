internal import SonaWire

/// Where a request came from, for the log.
struct RequestOrigin: Sendable {
    /// The client's network address; `local` for the operator's socket.
    let address: String
    /// The number of its connection.
    let connection: UInt64
    /// The number that the client gave its request; `nil` over HTTP.
    var request: Int64?

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
