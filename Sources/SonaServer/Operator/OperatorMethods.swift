internal import SonaModel
internal import SonaWire

/// What the person at the machine may ask, which nobody else may: through the Unix socket of a running server, or with
/// the data folder in hand.
///
/// Types and fields are those of the protocol where it has the same request; the rest is here. Documented in
/// deploy/README.md.
struct OperatorMethods: Sendable {
    private let model: Model
    private let links: AccountLinks

    init(model: Model, publicAddress: String?) {
        self.model = model
        links = AccountLinks(publicAddress: publicAddress)
    }

    /// - Throws: `request.unknown`, and what the request is refused for.
    func call(_ type: String, _ data: JSON) async throws(WireError) -> any WireObject {
        let administration = Administration(model: model)
        switch type {
        case OperatorCreateUser.type: return try await create(OperatorCreateUser(data))
        case OperatorSetPassword.type: return try await setPassword(OperatorSetPassword(data))
        case OperatorRecoveryLink.type: return try await recoveryLink(OperatorRecoveryLink(data))
        case OperatorConfirmationLink.type: return try await confirmationLink(OperatorConfirmationLink(data))
        case UsersList.type: return try await administration.list(UsersList(data))
        case UsersBan.type: return try await administration.ban(UsersBan(data), by: nil)
        case UsersUnban.type: return try await administration.unban(UsersUnban(data), by: nil)
        case UsersSetRole.type: return try await administration.setRole(UsersSetRole(data), by: nil)
        case JournalList.type: return try await administration.list(JournalList(data))
        case JournalVerify.type: return try await administration.verifyJournal()
        default: throw WireError(.requestUnknown)
        }
    }

    private func create(_ request: OperatorCreateUser) async throws(WireError) -> AdminUserResult {
        do {
            return AdminUserResult(
                try await model.accounts.create(
                    email: request.email, password: request.password, username: request.username.rawValue,
                    role: request.role))
        } catch { throw WireError(error) }
    }

    private func setPassword(_ request: OperatorSetPassword) async throws(WireError) -> Empty {
        do { try await model.accounts.setPassword(of: request.user, to: request.password) } catch {
            throw WireError(error)
        }
        return Empty()
    }

    private func recoveryLink(_ request: OperatorRecoveryLink) async throws(WireError) -> OperatorLink {
        do {
            let code = try await model.accounts.recoveryCode(for: request.user)
            return OperatorLink(
                code: code, link: links.recovery(code), seconds: AccountCode.Purpose.recovery.lifetimeSeconds)
        } catch { throw WireError(error) }
    }

    private func confirmationLink(_ request: OperatorConfirmationLink) async throws(WireError) -> OperatorLink {
        do {
            let code = try await model.accounts.confirmationCode(for: request.user, email: request.email)
            return OperatorLink(
                code: code, link: links.confirmation(code),
                seconds: AccountCode.Purpose.confirmation.lifetimeSeconds)
        } catch { throw WireError(error) }
    }
}
