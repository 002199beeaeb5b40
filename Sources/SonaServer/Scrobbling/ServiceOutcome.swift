internal import SonaTransfer
internal import SonaWire

/// What came of sending something to a service of others.
enum ServiceOutcome: Sendable, Equatable {
    case taken
    /// The service will never take this.
    case invalid
    /// The service no longer takes the token.
    case refused
    /// Another try may succeed, after so many seconds at least if the service says so.
    case later(String, seconds: Int? = nil)

    /// - Parameter failure: Why there was no answer.
    init(_ failure: TransferError) {
        switch failure.code {
        case .forbiddenAddress: self = .later("address_forbidden")
        case .insecure: self = .later("insecure")
        case .busy, .system, .cancelled: self = .later("server_busy")
        default: self = .later("unreachable")
        }
    }
}

extension WireError {
    /// Why a service could not be asked.
    init(service failure: TransferError) {
        switch failure.code {
        case .badInput: self.init(.requestInvalid, "This is no address of a service.", field: "data.address")
        case .forbiddenAddress: self.init(.serviceAddressForbidden)
        case .busy, .system: self.init(.serverBusy, retryAfterMilliseconds: 1_000)
        default: self.init(.serviceUnreachable, retryAfterMilliseconds: 10_000)
        }
    }
}
