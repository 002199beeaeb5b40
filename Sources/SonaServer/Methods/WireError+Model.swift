internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Refusals of the domains, as they travel. What the database said stays here.
extension WireError {
    /// Any error that a method throws.
    init(_ error: any Error) {
        switch error {
        case let error as WireError: self = error
        case let error as AccountError: self.init(error)
        case let error as RoomStorageError: self.init(error)
        case let error as RoomStoreError: self.init(error)
        case let error as PhotoError: self.init(error)
        default: self.init(.serverInternal)
        }
    }

    init(_ error: AccountError) {
        self.init(ErrorCode(error.code) ?? .serverInternal)
        switch error {
        case .rateLimited(let milliseconds), .tooMany(let milliseconds), .busy(let milliseconds),
            .databaseBusy(let milliseconds):
            retryAfterMilliseconds = milliseconds
        case .banned(let milliseconds): retryAfterMilliseconds = milliseconds.map { Int(clamping: $0) }
        case .usernameInvalid: if let sentence = error.nameProblem { message = sentence }
        case .displayNameInvalid:
            message =
                "This can't be shown as a name: nothing in it is visible, or something in it disturbs what is around."
            field = "data.display_name"
        case .bioInvalid:
            message = "This can't be shown: something in it disturbs the text around."
            field = "data.bio"
        case .forbidden(let missing): permission = missing.rawValue
        case .oneself:
            message = "That can't be done with oneself."
            field = "data.user"
        default: break
        }
    }

    init(_ error: PhotoError) {
        self.init(ErrorCode(error.code) ?? .serverInternal)
        switch error {
        case .busy(let milliseconds), .databaseBusy(let milliseconds), .tooMany(let milliseconds):
            retryAfterMilliseconds = milliseconds
        default: break
        }
    }

    init(_ error: RoomStorageError) {
        self.init(ErrorCode(error.code) ?? .serverInternal)
        switch error {
        case .busy(let milliseconds): retryAfterMilliseconds = milliseconds
        case .banned(let until, let reason):
            retryAfterMilliseconds = until.map { Int(clamping: max(0, $0 - MonotonicClock.wallMilliseconds())) }
            if let reason { message = reason }
        case .textInvalid: field = "data.text"
        case .forbidden(let capability): permission = capability?.rawValue
        case .muted(let until):
            retryAfterMilliseconds = until.map { Int(clamping: max(0, $0 - MonotonicClock.wallMilliseconds())) }
        default: break
        }
    }

    init(_ error: RoomStoreError) {
        self.init(ErrorCode(error.code) ?? .serverInternal)
        switch error {
        case .busy(let milliseconds): retryAfterMilliseconds = milliseconds
        case .titleInvalid:
            message =
                "This can't be shown as a title: nothing in it is visible, or something in it disturbs what is around."
            field = "data.title"
        default: break
        }
    }
}
