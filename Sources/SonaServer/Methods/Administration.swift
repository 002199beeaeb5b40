internal import SonaModel
internal import SonaWire

/// `users.*` and `journal.*`: requests of administrators, and of the operator through the Unix socket.
struct Administration: MethodArea {
    let model: Model

    static func area(of methods: Methods) -> Administration { methods.administration }

    static var methods: [Method] {
        [
            signedIn(listUsers),
            signedIn(ban),
            signedIn(unban),
            signedIn(setRole),
            signedIn(listJournal),
            signedIn(verifyJournal, .apart),
        ]
    }

    // MARK: Accounts

    /// - Parameter asker: `nil` for the operator, here and below.
    func listUsers(_ request: UsersList, _ asker: Asker?) async throws -> AdminUserPage {
        let after = try PageCursor.parse(request.cursor, of: UsersList.type)
        let filter = Accounts.Filter(query: request.query, role: request.role, isBanned: request.isBanned)
        let found = try await model.accounts.list(
            filter, after: after.map { ($0.sortKey, $0.uid) }, limit: request.limit)
        let last = found.count == request.limit ? found.last : nil
        return AdminUserPage(
            users: found,
            nextCursor: last.map { PageCursor(sortKey: $0.createdMilliseconds, uid: $0.user.uid).text })
    }

    func ban(_ request: UsersBan, _ asker: Asker?) async throws -> AdminUserResult {
        AdminUserResult(
            user: try await model.accounts.ban(
                request.user, seconds: request.seconds, reason: request.reason, by: asker?.account))
    }

    func unban(_ request: UsersUnban, _ asker: Asker?) async throws -> AdminUserResult {
        AdminUserResult(user: try await model.accounts.unban(request.user, by: asker?.account))
    }

    func setRole(_ request: UsersSetRole, _ asker: Asker?) async throws -> AdminUserResult {
        AdminUserResult(user: try await model.accounts.setRole(of: request.user, to: request.role, by: asker?.account))
    }

    // MARK: The journal

    func listJournal(_ request: JournalList, _ asker: Asker?) async throws -> JournalPage {
        var kind: JournalEntry.Kind?
        if let word = request.kind {
            // No entry of the journal has a kind that this server does not know.
            guard let known = JournalEntry.Kind(rawValue: word) else {
                return JournalPage(entries: [], nextBefore: nil)
            }
            kind = known
        }
        let lines = try await model.journal.page(
            before: request.before, limit: request.limit, kind: kind, subject: try await subject(request.user))
        let last = lines.count == request.limit ? lines.last : nil
        return JournalPage(entries: lines.map { SonaWire.JournalLine($0) }, nextBefore: last?.id)
    }

    /// The subject that journal entries name. Entries outlive an account, which then is known by its identifier only.
    private func subject(_ reference: UserReference?) async throws -> String? {
        switch reference {
        case nil: nil
        case .id(let uid): uid.rawValue
        case .some(let reference): try await model.accounts.summary(of: reference).user.uid.rawValue
        }
    }

    func verifyJournal(_ request: JournalVerify, _ asker: Asker?) async throws -> SonaWire.JournalVerification {
        SonaWire.JournalVerification(try await model.journal.verify())
    }
}

extension SonaWire.JournalLine {
    init(_ line: SonaModel.JournalLine) {
        self.init(
            id: line.id, atMilliseconds: line.atMilliseconds, kind: line.kind, actor: line.actor,
            subject: line.subject, detail: (try? JSON.parse(Array(line.detail.utf8))) ?? .emptyObject)
    }
}

extension SonaWire.JournalVerification {
    init(_ found: SonaModel.JournalVerification) {
        self.init(
            entryCount: found.entries, isIntact: found.reason == nil && found.checkedFrom <= 1,
            firstFault: found.firstFault, reason: found.reason?.rawValue ?? (found.checkedFrom > 1 ? "reset" : nil))
    }
}
