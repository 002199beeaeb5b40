internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The requests that only the operator may make: through the Unix socket of a running server, or directly on the data
/// folder.
///
/// If the protocol has the same request, type and fields are the protocol's; the others are declared here. Documented
/// in deploy/README.md.
struct OperatorMethods: Sendable {
    private let model: Model
    private let links: AccountLinks
    private let setupLinks: AccountLinks

    /// - Parameter ownAddress: Where the server is reached on its own machine, if it runs: good for setting it up.
    init(model: Model, publicAddress: String?, ownAddress: String? = nil) {
        self.model = model
        links = AccountLinks(publicAddress: publicAddress)
        setupLinks = AccountLinks(publicAddress: publicAddress ?? ownAddress)
    }

    /// By type of request.
    private static let table = Dictionary(
        uniqueKeysWithValues: [
            method(create), method(setupLink), method(setPassword), method(recoveryLink), method(confirmationLink),
            method(Administration.listUsers), method(Administration.ban), method(Administration.unban),
            method(Administration.setRole), method(Administration.listJournal), method(Administration.verifyJournal),
            method(listAddresses), method(banAddresses), method(unbanAddresses),
            method(RegistrationMethods.invite), method(RegistrationMethods.invites),
            method(RegistrationMethods.revoke), method(RegistrationMethods.waiting),
            method(RegistrationMethods.approve), method(RegistrationMethods.reject),
        ])

    private typealias Call = @Sendable (OperatorMethods, JSON) async throws -> any WireObject

    private static func method<Message: WireRequest>(
        _ body: @escaping @Sendable (OperatorMethods) -> (Message) async throws -> Message.Response
    ) -> (String, Call) {
        (Message.type, { try await body($0)(try Message($1)) })
    }

    /// A request that administrators may send as well.
    private static func method<Message: WireRequest>(
        _ body: @escaping @Sendable (Administration) -> (Message, Asker?) async throws -> Message.Response
    ) -> (String, Call) {
        (Message.type, { try await body(Administration(model: $0.model))(try Message($1), nil) })
    }

    private static func method<Message: WireRequest>(
        _ body: @escaping @Sendable (RegistrationMethods) -> (Message, Asker?) async throws -> Message.Response
    ) -> (String, Call) {
        (Message.type, { try await body(RegistrationMethods(accounts: $0.model.accounts))(try Message($1), nil) })
    }

    /// - Throws: `request.unknown`, and the errors of the request.
    func call(_ type: String, _ data: JSON) async throws(WireError) -> any WireObject {
        guard let call = Self.table[type] else { throw WireError(.requestUnknown) }
        do { return try await call(self, data) } catch { throw WireError(error) }
    }

    private func create(_ request: OperatorCreateUser) async throws -> AdminUserResult {
        AdminUserResult(
            user: try await model.accounts.create(
                email: request.email, password: request.password, username: request.username.rawValue,
                role: request.role))
    }

    private func setPassword(_ request: OperatorSetPassword) async throws -> Empty {
        try await model.accounts.setPassword(of: request.user, to: request.password)
        return Empty()
    }

    // A running server answers these itself, because it must enforce them at once.

    private func listAddresses(_ request: AddressesList) async throws -> AddressBanResult {
        AddressBanResult(bans: try await model.addressBans.list())
    }

    private func banAddresses(_ request: AddressesBan) async throws -> AddressBanResult {
        guard let text = request.range else {
            throw WireError(.userNotFound, "No server runs, so nobody is connected.")
        }
        let ranges = [try AddressMethods.range(text).canonical]
        return AddressBanResult(
            bans: try await model.addressBans.ban(ranges, seconds: request.seconds, reason: request.reason, by: nil)
                .made)
    }

    private func unbanAddresses(_ request: AddressesUnban) async throws -> Empty {
        _ = try await model.addressBans.unban(AddressMethods.canonical(request.range), by: nil)
        return Empty()
    }

    private func recoveryLink(_ request: OperatorRecoveryLink) async throws -> OperatorLink {
        let code = try await model.accounts.recoveryCode(for: request.user)
        return OperatorLink(
            code: code, link: links.recovery(code), seconds: AccountCode.Purpose.recovery.lifetimeSeconds)
    }

    private func setupLink(_ request: OperatorSetupLink) async throws -> OperatorLink {
        guard let code = try await model.accounts.newSetupCode() else { throw WireError(.setupDone) }
        return OperatorLink(code: code, link: setupLinks.setup(code), seconds: Limits.setupSeconds)
    }

    private func confirmationLink(_ request: OperatorConfirmationLink) async throws -> OperatorLink {
        let code = try await model.accounts.confirmationCode(for: request.user, email: request.email)
        return OperatorLink(
            code: code, link: links.confirmation(code), seconds: AccountCode.Purpose.confirmation.lifetimeSeconds)
    }
}
