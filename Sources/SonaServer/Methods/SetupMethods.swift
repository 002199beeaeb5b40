internal import SonaModel
internal import SonaWire

/// `setup.*`: the first administrator's account, for whoever has the code that stands in the server's log.
struct SetupMethods: MethodArea {
    let accounts: Accounts

    static func area(of methods: Methods) -> SetupMethods { methods.setup }

    static var methods: [Method] { [open(state), open(changing: finish)] }

    func state(_ request: SetupState, _ caller: Caller) async throws -> SetupStateResult {
        SetupStateResult(expiresMilliseconds: try await accounts.setupExpiry(of: request.code))
    }

    func finish(_ request: SetupFinish, _ caller: Caller) async throws -> Outcome<Grant> {
        Outcome(
            try await accounts.setUp(
                code: request.code, email: request.email, password: request.password,
                username: request.username.rawValue, locale: request.locale, address: caller.address))
    }
}
