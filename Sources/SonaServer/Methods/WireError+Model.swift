internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Conversion of domain errors into wire errors. The database's own messages are not passed on.
extension WireError {
    /// Any error that a method throws.
    init(_ error: any Error) {
        switch error {
        case let error as WireError: self = error
        case let error as Refusal: self.init(error)
        default: self.init(.serverInternal)
        }
    }

    init(_ refusal: Refusal) {
        var wait = refusal.retryAfterMilliseconds
        if let until = refusal.untilMilliseconds { wait = max(0, until - MonotonicClock.wallMilliseconds()) }
        self.init(
            refusal.code, refusal.message, field: refusal.field, permission: refusal.permission,
            retryAfterMilliseconds: wait.map { Int(clamping: $0) })
    }
}
