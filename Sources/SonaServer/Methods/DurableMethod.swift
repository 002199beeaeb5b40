internal import SonaModel
internal import SonaWire

/// Who asks, and from where.
struct Caller: Sendable {
    var account: Accounts.Account?
    /// The address that limits per address go by; nil for exempt ones.
    var address: String?
    /// The connection, over a WebSocket.
    var session: UInt64?
    /// The room it was in when it asked.
    var room: RoomID?
    /// Of the connection's requests about itself (`needsConnection`), which this is; 0 if it is lost.
    var watchGeneration: UInt64 = 0
}

/// What a durable request came to.
struct DurableOutcome: Sendable {
    var result: any WireObject
    /// The account that the connection belongs to from now on.
    var signsIn: Accounts.Account?
    var signsOut = false
    /// The account is gone: the connection ends behind the reply.
    var ends = false
    /// Whether the connection watches a list of rooms from now on; `nil` for what has nothing to do with it.
    var isWatching: Bool?

    init(
        _ result: any WireObject, signsIn: Accounts.Account? = nil, signsOut: Bool = false, ends: Bool = false
    ) {
        self.result = result
        self.signsIn = signsIn
        self.signsOut = signsOut
        self.ends = ends
    }
}

/// One request of the durable plane: who may ask it, and what answers it.
///
/// Faults are looked for in the order of Protocol/spec/connection.md, "Which error".
struct DurableMethod: Sendable {
    let type: String
    /// Whether the tokens it came by may end without that being news to the connection it came by.
    private(set) var endsOwnTokens = false
    /// Whether it is about a connection, and so means nothing over HTTP.
    private(set) var needsConnection = false
    /// Whether it takes long and changes nothing, so that nothing behind it need wait.
    private(set) var isApart = false
    let call: @Sendable (DurableMethods, JSON, Caller) async throws(WireError) -> DurableOutcome

    /// A request that needs nobody to be signed in.
    static func open<Message: WireRequest>(
        _: Message.Type, endsOwnTokens: Bool = false,
        _ body: @escaping @Sendable (DurableMethods, Message, Caller) async throws(WireError) -> DurableOutcome
    ) -> DurableMethod {
        DurableMethod(type: Message.type, endsOwnTokens: endsOwnTokens) {
            (methods, data, caller) async throws(WireError) in
            try await body(methods, try Message(data), caller)
        }
    }

    /// A request of somebody signed in, who has the permission it needs.
    ///
    /// - Parameter isNameless: Whether an account that has not chosen a username may ask it, too.
    static func signedIn<Message: WireRequest>(
        _: Message.Type, isNameless: Bool = false, endsOwnTokens: Bool = false, needsConnection: Bool = false,
        isApart: Bool = false,
        _ body:
            @escaping @Sendable (DurableMethods, Message, Accounts.Account, Caller) async throws(WireError) ->
            DurableOutcome
    ) -> DurableMethod {
        DurableMethod(
            type: Message.type, endsOwnTokens: endsOwnTokens, needsConnection: needsConnection, isApart: isApart
        ) { (methods, data, caller) async throws(WireError) in
            guard let account = caller.account else { throw WireError(.authRequired) }
            let message = try Message(data)
            if let permission = Message.permission { try account.require(permission) }
            if !isNameless { try account.requireName() }
            try methods.take(Message.type, account)
            return try await body(methods, message, account, caller)
        }
    }
}

extension Accounts.Account {
    /// Guests have no role, and fewer permissions than any.
    var permissions: Set<Permission> { isGuest ? Permission.ofGuests : role.permissions }

    /// - Throws: `auth.account_required` for guests, `auth.forbidden` for accounts, both naming the permission.
    func require(_ permission: Permission) throws(WireError) {
        guard !permissions.contains(permission) else { return }
        var error = WireError(isGuest ? .authAccountRequired : .authForbidden)
        error.permission = permission.rawValue
        throw error
    }

    /// - Throws: `auth.username_required` for an account that would be shown without a name.
    func requireName() throws(WireError) {
        if !isGuest, username == nil { throw WireError(.authUsernameRequired) }
    }
}

extension User {
    init(_ account: Accounts.Account) {
        self.init(uid: account.uid, username: account.username, isGuest: account.isGuest)
    }
}
