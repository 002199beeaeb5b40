internal import SonaModel
internal import SonaWire

/// `registration.*`: invites to make an account, and the approval of accounts, by administrators and the operator.
struct RegistrationMethods: MethodArea {
    let accounts: Accounts

    static func area(of methods: Methods) -> RegistrationMethods { methods.registration }

    static var methods: [Method] {
        [
            signedIn(invite), signedIn(invites), signedIn(revoke), signedIn(waiting), signedIn(approve),
            signedIn(reject),
        ]
    }

    /// - Parameter asker: `nil` for the operator, here and below.
    func invite(_ request: RegistrationInviteCreate, _ asker: Asker?) async throws -> RegistrationInviteResult {
        RegistrationInviteResult(
            invite: try await accounts.makeInvite(
                maxUses: request.maxUses, seconds: request.seconds, note: request.note, by: asker?.uid))
    }

    func invites(_ request: RegistrationInvites, _ asker: Asker?) async throws -> RegistrationInvitePage {
        let found = try await accounts.invites(before: request.before, limit: request.limit)
        return RegistrationInvitePage(
            invites: found, nextBefore: found.count == request.limit ? found.last?.id : nil)
    }

    func revoke(_ request: RegistrationRevoke, _ asker: Asker?) async throws -> RegistrationInviteResult {
        RegistrationInviteResult(invite: try await accounts.revokeInvite(request.id, by: asker?.uid))
    }

    func waiting(_ request: RegistrationWaiting, _ asker: Asker?) async throws -> WaitingAccountPage {
        let after = try PageCursor.parse(request.cursor, of: RegistrationWaiting.type)
        let (found, count) = try await accounts.waiting(
            after: after.map { ($0.sortKey, $0.uid) }, limit: request.limit)
        let last = found.count == request.limit ? found.last : nil
        return WaitingAccountPage(
            accounts: found, count: count,
            nextCursor: last.map { PageCursor(sortKey: $0.sinceMilliseconds, uid: $0.user.uid).text })
    }

    func approve(_ request: RegistrationApprove, _ asker: Asker?) async throws -> AdminUserResult {
        AdminUserResult(user: try await accounts.approve(request.user, by: asker?.uid))
    }

    func reject(_ request: RegistrationReject, _ asker: Asker?) async throws -> Empty {
        try await accounts.reject(request.user, reason: request.reason, by: asker?.uid)
        return Empty()
    }
}
