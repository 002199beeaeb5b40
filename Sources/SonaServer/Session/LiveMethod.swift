internal import SonaModel
internal import SonaWire

/// A signed-in user whose request is answered on the loop.
struct LiveAsker {
    var account: Accounts.Account
    /// The identifier of the request, for answers that come later.
    var request: Int64
    /// When the request was taken up, µs of the loop's clock.
    var now: Int64

    var user: User { User(account) }
}

/// The method that answers one type of request on the live plane, from memory.
///
/// The counterpart of `Method` on the durable plane. All these requests need a signed-in user.
struct LiveMethod: Sendable {
    let type: String
    /// Decodes the request, checks whether the session may ask, and answers. On the loop.
    ///
    /// Returns false if the request is one for the durable plane.
    let call: @Sendable (Session, Request, Int64) throws(WireError) -> Bool

    /// A request that is answered with what `body` returns.
    ///
    /// - Parameter isTaken: Whether a request is answered here; others go to the durable plane.
    static func answered<Message: WireRequest>(
        where isTaken: @escaping @Sendable (Message) -> Bool = { _ in true },
        _ body: @escaping @Sendable (Session) -> (Message, LiveAsker) throws(WireError) -> Message.Response
    ) -> LiveMethod {
        LiveMethod(type: Message.type) { session, request, now throws(WireError) in
            let (message, account) = try Message.admitted(request.data, session.account)
            guard isTaken(message) else { return false }
            session.answer(
                request.id, try body(session)(message, LiveAsker(account: account, request: request.id, now: now)))
            return true
        }
    }

    /// A request that `body` answers itself, at once or later.
    static func handled<Message: WireRequest>(
        _ body: @escaping @Sendable (Session) -> (Message, LiveAsker) throws(WireError) -> Void
    ) -> LiveMethod {
        LiveMethod(type: Message.type) { session, request, now throws(WireError) in
            let (message, account) = try Message.admitted(request.data, session.account)
            try body(session)(message, LiveAsker(account: account, request: request.id, now: now))
            return true
        }
    }
}
