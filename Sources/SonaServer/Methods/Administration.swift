internal import SonaModel
internal import SonaWire

/// What administrators and the operator ask, whichever way they come. Whether they may is decided before.
struct Administration: Sendable {
    let model: Model

    // MARK: Accounts

    func list(_ request: UsersList) async throws(WireError) -> AdminUserPage {
        var after: (createdMs: Int64, uid: UserID)?
        if let cursor = request.cursor {
            guard let parsed = PageCursor(cursor) else { throw .cursorUnknown(UsersList.type) }
            after = (parsed.sortKey, parsed.uid)
        }
        let filter = Accounts.Filter(query: request.query, role: request.role, isBanned: request.isBanned)
        let found: [Accounts.Summary]
        do { found = try await model.accounts.list(filter, after: after, limit: request.limit) } catch {
            throw WireError(error)
        }
        let last = found.count == request.limit ? found.last : nil
        return AdminUserPage(
            users: found.map { AdminUser($0) },
            nextCursor: last.map { PageCursor(sortKey: $0.createdMilliseconds, uid: $0.uid).text })
    }

    /// - Parameter actor: Who asks; `nil` for the operator.
    func ban(_ request: UsersBan, by actor: Accounts.Account?) async throws(WireError) -> AdminUserResult {
        do {
            return AdminUserResult(
                try await model.accounts.ban(request.user, seconds: request.seconds, reason: request.reason, by: actor))
        } catch { throw WireError(error) }
    }

    func unban(_ request: UsersUnban, by actor: Accounts.Account?) async throws(WireError) -> AdminUserResult {
        do { return AdminUserResult(try await model.accounts.unban(request.user, by: actor)) } catch {
            throw WireError(error)
        }
    }

    func setRole(_ request: UsersSetRole, by actor: Accounts.Account?) async throws(WireError) -> AdminUserResult {
        do {
            return AdminUserResult(
                try await model.accounts.setRole(of: request.user, to: request.role, by: actor))
        } catch { throw WireError(error) }
    }

    // MARK: The journal

    func list(_ request: JournalList) async throws(WireError) -> JournalPage {
        var kind: JournalEntry.Kind?
        if let word = request.kind {
            // A word that no line has.
            guard let known = JournalEntry.Kind(rawValue: word) else {
                return JournalPage(entries: [], nextBefore: nil)
            }
            kind = known
        }
        do {
            let lines = try await model.journal.page(
                before: request.before, limit: request.limit, kind: kind, subject: try await subject(request.user))
            let last = lines.count == request.limit ? lines.last : nil
            return JournalPage(entries: lines.map { SonaWire.JournalLine($0) }, nextBefore: last?.id)
        } catch { throw WireError(error) }
    }

    /// Whom lines are about. The lines of an account outlive it, and then it has its identifier only.
    private func subject(_ reference: UserReference?) async throws(AccountError) -> String? {
        switch reference {
        case nil: nil
        case .id(let uid): uid.rawValue
        case .some(let reference): try await model.accounts.summary(of: reference).uid.rawValue
        }
    }

    func verifyJournal() async throws(WireError) -> SonaWire.JournalVerification {
        do { return SonaWire.JournalVerification(try await model.journal.verify()) } catch { throw WireError(error) }
    }
}

extension AdminUserResult {
    init(_ summary: Accounts.Summary) { self.init(user: AdminUser(summary)) }
}

extension AdminUser {
    init(_ summary: Accounts.Summary) {
        self.init(
            user: User(uid: summary.uid, username: summary.username, isGuest: false), role: summary.role,
            createdMilliseconds: summary.createdMilliseconds, ban: summary.ban)
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
