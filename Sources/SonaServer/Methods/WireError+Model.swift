internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Conversion of domain errors into wire errors. Clients see code, sentence, field, permission and times of a refusal.
/// `Refusal.cause` and `Refusal.textProblem` are left out, so that no message of the database leaves the server.
extension WireError {
    /// Converts any error that a method throws. An error of another type becomes `server.internal`, without its text.
    init(_ error: any Error) {
        switch error {
        case let error as WireError: self = error
        case let error as Refusal: self.init(error)
        default: self.init(.serverInternal)
        }
    }

    /// Converts a refusal.
    ///
    /// A ban or mute with an end gets the milliseconds that are left as its retry time, 0 if it is over. That replaces
    /// `retryAfterMilliseconds`.
    init(_ refusal: Refusal) {
        var wait = refusal.retryAfterMilliseconds
        if let until = refusal.untilMilliseconds { wait = max(0, until - MonotonicClock.wallMilliseconds()) }
        self.init(
            refusal.code, refusal.message, field: refusal.field, permission: refusal.permission,
            retryAfterMilliseconds: wait.map { Int(clamping: $0) }, version: refusal.version)
    }
}
