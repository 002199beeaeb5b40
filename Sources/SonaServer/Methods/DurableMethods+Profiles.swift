internal import SonaModel
internal import SonaWire

/// What people say about themselves, and what others see of it.
extension DurableMethods {
    static let profiles: [DurableMethod] = [
        .signedIn(UserMe.self, isNameless: true) { (methods, _, account, _) async throws(WireError) in
            DurableOutcome(try await methods.me(account))
        },
        .signedIn(UserGet.self) { (methods, request, account, _) async throws(WireError) in
            DurableOutcome(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.people.details(
                        of: request.user, for: account.isGuest ? nil : account.uid)
                })
        },
        .signedIn(UserSearch.self) { (methods, request, account, _) async throws(WireError) in
            var offset: Int?
            if let cursor = request.cursor {
                guard let number = Int(cursor), number >= 0 else { throw .cursorUnknown("user.search") }
                offset = number
            }
            return DurableOutcome(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.people.search(
                        request.query, for: account.uid, offset: offset, limit: request.limit)
                })
        },
        .signedIn(ProfileUpdate.self, isNameless: true) {
            (methods, request, account, _) async throws(WireError) in
            DurableOutcome(
                ProfileResult(
                    profile: try await methods.asked { () async throws(AccountError) in
                        try await methods.model.people.update(request, of: account.uid)
                    }))
        },
        .signedIn(SettingsUpdate.self, isNameless: true) {
            (methods, request, account, _) async throws(WireError) in
            DurableOutcome(
                SettingsResult(
                    settings: try await methods.asked { () async throws(AccountError) in
                        try await methods.model.people.update(request, of: account.uid)
                    }))
        },
        .signedIn(PhotoRemove.self, isNameless: true) {
            (methods, _, account, _) async throws(WireError) in
            do throws(PhotoError) {
                return DurableOutcome(ProfileResult(profile: try await methods.model.photos.remove(of: account.uid)))
            } catch { throw WireError(error) }
        },
    ]

    private func me(_ account: Accounts.Account) async throws(WireError) -> Me {
        let permissions = account.permissions.map(\.rawValue).sorted()
        guard !account.isGuest else {
            return Me(
                user: User(account), email: nil, role: nil,
                profile: Profile(displayName: nil, bio: nil, isPublic: false), settings: nil,
                permissions: permissions)
        }
        let own = try await asked { () async throws(AccountError) in try await model.people.own(account.uid) }
        return Me(
            user: User(account), email: own.email, isEmailConfirmed: own.isEmailConfirmed, role: own.role,
            profile: own.profile, settings: own.settings, permissions: permissions)
    }
}

extension WireError {
    static func cursorUnknown(_ type: String) -> WireError {
        WireError(.requestInvalid, "This is no cursor of \(type).", field: "data.cursor")
    }
}
