internal import SonaModel
internal import SonaWire

/// `auth.*`: who is who.
extension DurableMethods {
    static let signingIn: [DurableMethod] = [
        .open(AuthSignUp.self, endsOwnTokens: true) { (methods, request, caller) async throws(WireError) in
            let guest = caller.account.flatMap { $0.isGuest ? $0 : nil }
            let signUp = Accounts.SignUp(
                email: request.email, password: request.password, username: request.username.rawValue,
                displayName: request.displayName, locale: request.locale, guest: guest)
            return methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.signUp(signUp, address: caller.address)
                })
        },
        .open(AuthSignIn.self) { (methods, request, caller) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.signIn(
                        email: request.email, password: request.password, address: caller.address)
                })
        },
        .open(AuthExchange.self) { (methods, request, caller) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.exchange(
                        provider: request.provider, token: request.token, address: caller.address)
                })
        },
        .open(AuthRefresh.self) { (methods, request, caller) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.refresh(request.refreshToken, address: caller.address)
                })
        },
        .open(AuthGuest.self) { (methods, _, _) async throws(WireError) in
            methods.granted(methods.model.accounts.guest())
        },
        .open(AuthSignOut.self, endsOwnTokens: true) { (methods, request, _) async throws(WireError) in
            if let token = request.refreshToken {
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.signOut(refreshToken: token)
                }
            }
            return DurableOutcome(Empty(), signsOut: true)
        },
        .signedIn(AuthSignOutEverywhere.self, isNameless: true, endsOwnTokens: true) {
            (methods, _, account, _) async throws(WireError) in
            try await methods.asked { () async throws(AccountError) in
                try await methods.model.accounts.signOutEverywhere(account)
            }
            return DurableOutcome(Empty(), signsOut: true)
        },
        .signedIn(AuthReauthenticate.self, isNameless: true) {
            (methods, request, account, caller) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    switch request.proof {
                    case .password(let password):
                        try await methods.model.accounts.reauthenticate(
                            account, password: password, address: caller.address)
                    case .provider(let provider, let token):
                        try await methods.model.accounts.reauthenticate(
                            account, provider: provider, token: token, address: caller.address)
                    }
                })
        },
    ]
}
