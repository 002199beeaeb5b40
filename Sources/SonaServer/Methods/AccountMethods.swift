internal import SonaModel
internal import SonaWire

/// `auth.*`, `username.*` and `account.*`.
struct AccountMethods: MethodArea {
    let model: Model
    let live: LiveConfiguration

    private var accounts: Accounts { model.accounts }

    static func area(of methods: Methods) -> AccountMethods { methods.accounts }

    static var methods: [Method] {
        [
            open(changing: signUp, .endsOwnTokens),
            open(changing: signIn),
            open(changing: exchange),
            open(changing: refresh),
            open(changing: beGuest),
            open(changing: signOut, .endsOwnTokens),
            signedIn(changing: signOutEverywhere, [.nameless, .endsOwnTokens]),
            signedIn(changing: reauthenticate, .nameless),
            signedIn(changing: changePassword, [.nameless, .endsOwnTokens]),
            open(requestRecovery),
            open(changing: recover, .endsOwnTokens),
            signedIn(requestConfirmation, .nameless),
            open(confirmEmail),
            signedIn(changeEmail, .nameless),
            signedIn(export, [.nameless, .apart]),
            signedIn(changing: remove, [.nameless, .endsOwnTokens]),
            open(checkUsername),
            signedIn(changing: claimUsername, .nameless),
            signedIn(changing: changeUsername),
        ]
    }

    // MARK: Signing in

    func signUp(_ request: AuthSignUp, _ caller: Caller) async throws -> Outcome<Grant> {
        let configuration = live.configuration
        guard configuration.registration != .closed else { throw WireError(.authRegistrationClosed) }
        if configuration.profile.requiresTerms, request.acceptsTerms != true { throw WireError(.authTermsRequired) }
        var texts = FilteredTexts(model.words)
        try texts.takeName(request.username.rawValue, "data.username")
        let displayName = try texts.take(ifPresent: request.displayName, "data.display_name")
        let guest = caller.account.flatMap { $0.isGuest ? $0 : nil }
        let signUp = Accounts.SignUp(
            email: request.email, password: request.password, username: request.username.rawValue,
            displayName: displayName, locale: request.locale, guest: guest,
            application: application(request.invite, request.introduction))
        let (reports, flagged) = (model.reports, texts.flagged)
        let names = [request.username.rawValue, displayName].compactMap { $0 }.joined(separator: "\n")
        return Outcome(
            try await accounts.signUp(signUp, address: caller.address) { uid in
                await reports.flag(flagged, names, about: .user(uid), by: uid)
            })
    }

    func signIn(_ request: AuthSignIn, _ caller: Caller) async throws -> Outcome<Grant> {
        Outcome(
            try await accounts.signIn(email: request.email, password: request.password, address: caller.address))
    }

    func exchange(_ request: AuthExchange, _ caller: Caller) async throws -> Outcome<Grant> {
        Outcome(
            try await accounts.exchange(
                provider: request.provider, token: request.token, address: caller.address,
                application: application(request.invite, request.introduction)))
    }

    /// How somebody asks for an account, by the rule of this moment.
    private func application(_ invite: String?, _ introduction: String?) -> Accounts.Application {
        Accounts.Application(
            rule: live.configuration.registration.rule, invite: invite, introduction: introduction)
    }

    func refresh(_ request: AuthRefresh, _ caller: Caller) async throws -> Outcome<Grant> {
        Outcome(try await accounts.refresh(request.refreshToken, address: caller.address))
    }

    func beGuest(_ request: AuthGuest, _ caller: Caller) async throws -> Outcome<AccessGrant> {
        guard live.takesGuests else { throw WireError(.authAccountRequired) }
        return Outcome(accounts.guest())
    }

    func signOut(_ request: AuthSignOut, _ caller: Caller) async throws -> Outcome<Empty> {
        if let token = request.refreshToken { try await accounts.signOut(refreshToken: token) }
        return Outcome(Empty(), signsOut: true)
    }

    func signOutEverywhere(_ request: AuthSignOutEverywhere, _ asker: Asker) async throws -> Outcome<Empty> {
        try await accounts.signOutEverywhere(asker.account)
        return Outcome(Empty(), signsOut: true)
    }

    func reauthenticate(_ request: AuthReauthenticate, _ asker: Asker) async throws -> Outcome<AccessGrant> {
        let address = asker.caller.address
        switch request.proof {
        case .password(let password):
            return Outcome(try await accounts.reauthenticate(asker.account, password: password, address: address))
        case .provider(let provider, let token):
            return Outcome(
                try await accounts.reauthenticate(asker.account, provider: provider, token: token, address: address))
        }
    }

    // MARK: Passwords and addresses

    func changePassword(_ request: AuthChangePassword, _ asker: Asker) async throws -> Outcome<Grant> {
        Outcome(try await accounts.changePassword(asker.account, to: request.newPassword))
    }

    func requestRecovery(_ request: AuthRequestRecovery, _ caller: Caller) async throws -> Empty {
        try accounts.requestRecovery(email: request.email, address: caller.address)
        return Empty()
    }

    func recover(_ request: AuthRecover, _ caller: Caller) async throws -> Outcome<Grant> {
        Outcome(try await accounts.recover(code: request.code, password: request.newPassword))
    }

    func requestConfirmation(_ request: AuthRequestConfirmation, _ asker: Asker) async throws -> Empty {
        try await accounts.requestConfirmation(asker.account, address: asker.caller.address)
        return Empty()
    }

    func confirmEmail(_ request: AuthConfirmEmail, _ caller: Caller) async throws -> Empty {
        try await accounts.confirmEmail(code: request.code)
        return Empty()
    }

    func changeEmail(_ request: AuthChangeEmail, _ asker: Asker) async throws -> Empty {
        try await accounts.changeEmail(asker.account, to: request.email, address: asker.caller.address)
        return Empty()
    }

    // MARK: Leaving

    func export(_ request: AccountExport, _ asker: Asker) async throws -> AccountExportResult {
        let (data, code) = try await accounts.export(asker.account)
        return AccountExportResult(
            export: data, code: code, codeExpiresInSeconds: AccountCode.Purpose.removal.lifetimeSeconds)
    }

    func remove(_ request: AccountRemove, _ asker: Asker) async throws -> Outcome<Empty> {
        try await accounts.remove(asker.account, code: request.code, rooms: request.rooms ?? .erase)
        return Outcome(Empty(), signsOut: true, ends: true)
    }

    // MARK: Usernames

    func checkUsername(_ request: UsernameCheck, _ caller: Caller) async throws -> UsernameAvailability {
        do throws(Refusal) {
            return UsernameAvailability(
                try await accounts.check(username: request.username, for: caller.account, address: caller.address))
        } catch {
            // Too many checks are no failure of a sign-in, so they have another code here.
            var refusal = error
            if refusal.code == .authRateLimited { refusal.code = .requestRateLimited }
            throw refusal
        }
    }

    func claimUsername(_ request: UsernameClaim, _ asker: Asker) async throws -> Outcome<AccessGrant> {
        var texts = FilteredTexts(model.words)
        try texts.takeName(request.username.rawValue, "data.username")
        let access = try await accounts.claim(username: request.username.rawValue, asker.account)
        await flag(texts, [request.username.rawValue], by: asker.uid)
        return Outcome(access)
    }

    func changeUsername(_ request: UsernameChange, _ asker: Asker) async throws -> Outcome<AccessGrant> {
        var texts = FilteredTexts(model.words)
        try texts.takeName(request.username.rawValue, "data.username")
        let access = try await accounts.change(
            username: request.username.rawValue, from: request.oldUsername, asker.account)
        await flag(texts, [request.username.rawValue], by: asker.uid)
        return Outcome(access)
    }

    private func flag(_ texts: FilteredTexts, _ names: [String?], by uid: UserID) async {
        let quote = names.compactMap { $0 }.joined(separator: "\n")
        await model.reports.flag(texts.flagged, quote, about: .user(uid), by: uid)
    }
}

// MARK: Replies

extension Outcome<Grant> {
    /// Signs the connection in.
    init(_ grant: Accounts.Grant) {
        self.init(
            Grant(
                user: User(grant.account), accessToken: grant.accessToken, expiresInSeconds: grant.expiresInSeconds,
                refreshToken: grant.refreshToken),
            signsIn: grant.account)
    }
}

extension Outcome<AccessGrant> {
    /// Signs the connection in.
    fileprivate init(_ access: Accounts.Access) {
        self.init(
            AccessGrant(
                user: User(access.account), accessToken: access.accessToken,
                expiresInSeconds: access.expiresInSeconds),
            signsIn: access.account)
    }
}

extension UsernameAvailability {
    fileprivate init(_ availability: Accounts.Availability) {
        guard let refusal = availability.refusal else {
            self.init(isAvailable: true)
            return
        }
        let reason: Reason =
            if refusal.isReservedName {
                .reserved
            } else if refusal == .usernameTaken {
                .taken
            } else {
                .invalid
            }
        self.init(
            isAvailable: false, reason: reason, message: WireError(refusal).message,
            suggestions: availability.suggestions)
    }
}
