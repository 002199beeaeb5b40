internal import SonaModel
internal import SonaWire

/// The sender of a request.
struct Caller: Sendable {
    var account: Accounts.Account?
    /// The address that limits per address go by; `nil` for exempt ones.
    var address: String?
    /// The session, over a WebSocket; `nil` over HTTP.
    var session: UInt64?
    /// The room that the session was in when it sent the request.
    var room: RoomID?
    /// Which of the session's requests about its watched list this is; 0 after its connection was lost.
    var watchGeneration: UInt64 = 0
}

/// A signed-in user who sent a request: an account with a name, or a guest.
struct Asker: Sendable {
    var account: Accounts.Account
    var caller: Caller

    var uid: UserID { account.uid }
    var user: User { User(account) }
}

/// A response together with what the request changes about the connection it came by.
struct Outcome<Response: Sendable>: Sendable {
    var response: Response
    /// The account that the connection belongs to from now on.
    var signsIn: Accounts.Account?
    var signsOut = false
    /// The account is gone: the connection ends after the reply.
    var ends = false
    /// Whether the connection watches a list of rooms from now on; `nil` if the request is not about that.
    var isWatching: Bool?

    init(
        _ response: Response, signsIn: Accounts.Account? = nil, signsOut: Bool = false, ends: Bool = false,
        isWatching: Bool? = nil
    ) {
        self.response = response
        self.signsIn = signsIn
        self.signsOut = signsOut
        self.ends = ends
        self.isWatching = isWatching
    }
}

/// An outcome of any request.
typealias AnyOutcome = Outcome<any WireObject>

extension Outcome where Response: WireObject {
    fileprivate var erased: AnyOutcome {
        AnyOutcome(response, signsIn: signsIn, signsOut: signsOut, ends: ends, isWatching: isWatching)
    }
}

/// The method that answers one type of request on the durable plane.
struct Method: Sendable {
    /// Properties of a method that its message does not tell.
    struct Traits: OptionSet {
        let rawValue: Int
        /// An account that has not chosen a username yet may ask, too.
        static let nameless = Traits(rawValue: 1)
        /// The tokens that the connection signed in by may end. The connection is not closed for that.
        static let endsOwnTokens = Traits(rawValue: 2)
        /// The method takes long and changes nothing, so later requests of the session do not wait for it.
        static let apart = Traits(rawValue: 4)
    }

    let type: String
    /// Whether the sender must be signed in.
    let needsAccount: Bool
    let endsOwnTokens: Bool
    /// The request is about a connection, so it is not served over HTTP.
    let needsConnection: Bool
    let isApart: Bool
    /// Decodes the data, checks whether the caller may ask, and answers. Off the loop.
    let call: @Sendable (Methods, JSON, Caller) async throws -> AnyOutcome

    fileprivate init<Message: WireRequest>(
        _: Message.Type, _ traits: Traits, needsAccount: Bool,
        _ call: @escaping @Sendable (Methods, JSON, Caller) async throws -> AnyOutcome
    ) {
        type = Message.type
        self.needsAccount = needsAccount
        endsOwnTokens = traits.contains(.endsOwnTokens)
        needsConnection = Message.needsConnection
        isApart = traits.contains(.apart)
        self.call = call
    }
}

/// The methods of one area of the protocol.
///
/// A request takes one function and one entry of `methods`:
///
/// ```swift
/// static var methods: [Method] { [signedIn(follow)] }
///
/// func follow(_ request: PeopleFollow, _ asker: Asker) async throws -> RelationResult
/// ```
///
/// A function throws `WireError`, or any error of the domains: the dispatch turns it into a `WireError`.
protocol MethodArea: Sendable {
    static func area(of methods: Methods) -> Self
    static var methods: [Method] { get }
}

extension MethodArea {
    /// A request that may be sent without being signed in.
    static func open<Message: WireRequest>(
        _ body: @escaping @Sendable (Self) -> (Message, Caller) async throws -> Message.Response,
        _ traits: Method.Traits = []
    ) -> Method {
        Method(Message.self, traits, needsAccount: false) { methods, data, caller in
            AnyOutcome(try await body(area(of: methods))(try Message(data), caller))
        }
    }

    /// A request that may be sent without being signed in, and changes something about the connection.
    static func open<Message: WireRequest>(
        changing body: @escaping @Sendable (Self) -> (Message, Caller) async throws -> Outcome<Message.Response>,
        _ traits: Method.Traits = []
    ) -> Method {
        Method(Message.self, traits, needsAccount: false) { methods, data, caller in
            try await body(area(of: methods))(try Message(data), caller).erased
        }
    }

    /// A request of a signed-in user who has the permission it needs.
    static func signedIn<Message: WireRequest>(
        _ body: @escaping @Sendable (Self) -> (Message, Asker) async throws -> Message.Response,
        _ traits: Method.Traits = []
    ) -> Method {
        Method(Message.self, traits, needsAccount: true) { methods, data, caller in
            let (message, asker) = try methods.admit(Message.self, traits, data, caller)
            return AnyOutcome(try await body(area(of: methods))(message, asker))
        }
    }

    /// The same for a request that changes something about the connection.
    static func signedIn<Message: WireRequest>(
        changing body: @escaping @Sendable (Self) -> (Message, Asker) async throws -> Outcome<Message.Response>,
        _ traits: Method.Traits = []
    ) -> Method {
        Method(Message.self, traits, needsAccount: true) { methods, data, caller in
            let (message, asker) = try methods.admit(Message.self, traits, data, caller)
            return try await body(area(of: methods))(message, asker).erased
        }
    }
}

extension Methods {
    /// Decodes a request and takes it from the budget of its account.
    ///
    /// - Throws: As `WireRequest.admitted`; `request.rate_limited`.
    fileprivate func admit<Message: WireRequest>(
        _: Message.Type, _ traits: Method.Traits, _ data: JSON, _ caller: Caller
    ) throws -> (Message, Asker) {
        let (message, account) = try Message.admitted(
            data, caller.account, isNameless: traits.contains(.nameless))
        try model.accounts.take(Message.type, account)
        return (message, Asker(account: account, caller: caller))
    }
}
