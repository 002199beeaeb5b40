internal import SonaModel
internal import SonaWire

/// Passwords, addresses, and leaving.
extension DurableMethods {
    static let recovering: [DurableMethod] = [
        .signedIn(AuthChangePassword.self, isNameless: true, endsOwnTokens: true) {
            (methods, request, account, _) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.changePassword(account, to: request.newPassword)
                })
        },
        .open(AuthRequestRecovery.self) { (methods, request, caller) async throws(WireError) in
            try await methods.asked { () async throws(AccountError) in
                try methods.model.accounts.requestRecovery(email: request.email, address: caller.address)
            }
            return DurableOutcome(Empty())
        },
        .open(AuthRecover.self, endsOwnTokens: true) { (methods, request, _) async throws(WireError) in
            methods.granted(
                try await methods.asked { () async throws(AccountError) in
                    try await methods.model.accounts.recover(code: request.code, password: request.newPassword)
                })
        },
        .signedIn(AuthRequestConfirmation.self, isNameless: true) {
            (methods, _, account, caller) async throws(WireError) in
            try await methods.asked { () async throws(AccountError) in
                try await methods.model.accounts.requestConfirmation(account, address: caller.address)
            }
            return DurableOutcome(Empty())
        },
        .open(AuthConfirmEmail.self) { (methods, request, _) async throws(WireError) in
            try await methods.asked { () async throws(AccountError) in
                try await methods.model.accounts.confirmEmail(code: request.code)
            }
            return DurableOutcome(Empty())
        },
        .signedIn(AuthChangeEmail.self, isNameless: true) {
            (methods, request, account, caller) async throws(WireError) in
            try await methods.asked { () async throws(AccountError) in
                try await methods.model.accounts.changeEmail(account, to: request.email, address: caller.address)
            }
            return DurableOutcome(Empty())
        },
        .signedIn(AccountExport.self, isNameless: true, isApart: true) {
            (methods, _, account, _) async throws(WireError) in
            let (data, code) = try await methods.asked { () async throws(AccountError) in
                try await methods.model.accounts.export(account)
            }
            return DurableOutcome(
                AccountExportResult(
                    export: data, code: code, codeExpiresInSeconds: AccountCode.Purpose.removal.lifetimeSeconds))
        },
        .signedIn(AccountRemove.self, isNameless: true, endsOwnTokens: true) {
            (methods, request, account, _) async throws(WireError) in
            try await methods.asked { () async throws(AccountError) in
                try await methods.model.accounts.remove(account, code: request.code)
            }
            return DurableOutcome(Empty(), signsOut: true, ends: true)
        },
    ]
}
