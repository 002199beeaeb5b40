internal import SonaModel
internal import SonaWire

/// `app_password.*`: what apps of other makers sign in with.
struct AppPasswordMethods: MethodArea {
    let accounts: Accounts

    static func area(of methods: Methods) -> AppPasswordMethods { methods.appPasswords }

    static var methods: [Method] { [signedIn(create), signedIn(list), signedIn(revoke)] }

    func create(_ request: AppPasswordCreate, _ asker: Asker) async throws -> AppPasswordMade {
        let (password, secret) = try await accounts.makeAppPassword(asker.account, name: request.name)
        return AppPasswordMade(appPassword: password, secret: secret)
    }

    func list(_ request: AppPasswordList, _ asker: Asker) async throws -> AppPasswords {
        AppPasswords(appPasswords: try await accounts.appPasswords(of: asker.uid))
    }

    func revoke(_ request: AppPasswordRevoke, _ asker: Asker) async throws -> Empty {
        try await accounts.revokeAppPassword(request.id, of: asker.account)
        return Empty()
    }
}
