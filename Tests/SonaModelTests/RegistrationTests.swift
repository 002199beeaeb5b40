import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Who may make an account: by invite, and by approval.
struct RegistrationTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()
    private let mail = Mailbox()

    private func opened() async throws -> Model { try await Model.opened(folder, calendar, mail: mail) }

    private func signUp(
        _ model: Model, _ name: String, _ rule: Registration, invite: String? = nil, introduction: String? = nil,
        guest: Accounts.Account? = nil
    ) async throws(Refusal) -> Accounts.Grant {
        var request = Accounts.SignUp.named(name, guest: guest)
        request.application = Accounts.Application(rule: rule, invite: invite, introduction: introduction)
        return try await model.accounts.signUp(request)
    }

    private func exists(_ model: Model, _ name: String) async -> Bool {
        guard let username = Username(name) else { return false }
        return await failure { () async throws(Refusal) in try await model.accounts.summary(of: .username(username)) }
            == nil
    }

    // MARK: Invites

    @Test func `an invite makes as many accounts as it allows`() async throws {
        let model = try await opened()
        let invite = try await model.accounts.makeInvite(maxUses: 2, seconds: 3_600, note: "For the choir.", by: nil)
        #expect(await refusal { try await signUp(model, "ada", .invite) }?.code == .authInviteRequired)
        #expect(await refusal { try await signUp(model, "ada", .invite, invite: "nonsense") } == .inviteInvalid)
        #expect(
            await refusal { try await signUp(model, "ada", .closed, invite: invite.code) }?.code
                == .authRegistrationClosed)
        _ = try await signUp(model, "ada", .invite, invite: invite.code)
        _ = try await signUp(model, "bob", .invite, invite: invite.code)
        #expect(await refusal { try await signUp(model, "carl", .invite, invite: invite.code) } == .inviteUsedUp)
        #expect(await !exists(model, "carl"))
        let listed = try await model.accounts.invites(before: nil, limit: 10)
        #expect(listed.map(\.uses) == [2] && listed[0].note == "For the choir." && listed[0].by == nil)
        let lines = try await model.journal.page(kind: .signUp)
        #expect(
            lines.count == 2
                && lines.allSatisfy { $0.detail.contains("\"invite\":1") && !$0.detail.contains(invite.code) })
        // Where everybody may come, a code is not looked at.
        _ = try await signUp(model, "dora", .open, invite: "nonsense")
        await model.close()
    }

    @Test func `an invite ends when it expires, and when it is revoked`() async throws {
        let model = try await opened()
        let short = try await model.accounts.makeInvite(maxUses: nil, seconds: 60, note: nil, by: nil)
        let long = try await model.accounts.makeInvite(maxUses: nil, seconds: 3_600, note: nil, by: nil)
        calendar.advance(milliseconds: 59_999)
        _ = try await signUp(model, "ada", .invite, invite: short.code)
        calendar.advance(milliseconds: 1)
        #expect(await refusal { try await signUp(model, "bob", .invite, invite: short.code) } == .inviteExpired)
        _ = try await model.accounts.revokeInvite(long.id, by: nil)
        #expect(await refusal { try await signUp(model, "bob", .invite, invite: long.code) } == .inviteRevoked)
        #expect(try await model.accounts.revokeInvite(long.id, by: nil).revokedMilliseconds != nil)
        #expect(await refusal { try await model.accounts.revokeInvite(9, by: nil) } == .inviteInvalid)
        calendar.advance(milliseconds: Accounts.endedInviteMilliseconds)
        #expect(try await model.accounts.removeUnapproved() == 2)
        #expect(try await model.accounts.invites(before: nil, limit: 10).isEmpty)
        await model.close()
    }

    /// Goal: the last use is given once. Way: eight people come for it at the same time, five times over.
    @Test func `of people who race for the last use one gets an account`() async throws {
        let model = try await opened()
        for round in 0..<5 {
            let invite = try await model.accounts.makeInvite(maxUses: 1, seconds: 3_600, note: nil, by: nil)
            let codes = await withTaskGroup(of: ErrorCode?.self) { group in
                for racer in 0..<8 {
                    group.addTask {
                        await refusal {
                            try await signUp(model, "racer\(round)x\(racer)", .invite, invite: invite.code)
                        }?.code
                    }
                }
                return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1, "\(codes)")
            #expect(codes.filter { $0 == .inviteUsedUp }.count == 7, "\(codes)")
        }
        let uses = try await model.accounts.invites(before: nil, limit: 10).map(\.uses)
        #expect(uses == [1, 1, 1, 1, 1])
        #expect(try await model.journal.page(kind: .signUp).count == 5)
        await model.close()
    }

    @Test func `a thousand invites can be good at a time`() async throws {
        let model = try await opened()
        for _ in 0..<Limits.registrationInvitesMax {
            _ = try await model.accounts.makeInvite(maxUses: nil, seconds: 60, note: nil, by: nil)
        }
        let error = await refusal {
            try await model.accounts.makeInvite(maxUses: nil, seconds: 60, note: nil, by: nil)
        }
        #expect(error?.code == .requestInvalid)
        _ = try await model.accounts.revokeInvite(1, by: nil)
        _ = try await model.accounts.makeInvite(maxUses: nil, seconds: 60, note: nil, by: nil)
        await model.close()
    }

    // MARK: Approval

    @Test func `an account that waits cannot be signed in to, and can once it is approved`() async throws {
        let model = try await opened()
        let waits = await refusal { try await signUp(model, "ada", .approval, introduction: "I sing.") }
        #expect(waits == .approvalPending)
        // The address is confirmed meanwhile, and a new password gets nobody in.
        let confirmation = try #require(await mail.code(to: "ada@example.org"))
        try await model.accounts.confirmEmail(code: confirmation)
        #expect(await refusal { try await model.accounts.signIn("ada") } == .approvalPending)
        let recovery = try await model.accounts.recoveryCode(for: .username(try #require(Username("ada"))))
        #expect(
            await refusal { try await model.accounts.recover(code: recovery, password: "another password") }
                == .approvalPending)
        // Whoever does not know the password learns nothing.
        #expect(
            await refusal {
                try await model.accounts.signIn(email: "ada@example.org", password: "wrong password", address: nil)
            } == .credentialsInvalid)
        let (accounts, count) = try await model.accounts.waiting(after: nil, limit: 10)
        #expect(count == 1 && accounts[0].introduction == "I sing." && accounts[0].isEmailConfirmed)
        #expect(await refusal { try await signUp(model, "Ada", .open) } == .usernameTaken)
        _ = try await model.accounts.approve(.id(accounts[0].user.uid), by: nil)
        #expect(try await model.accounts.signIn("ada").account.username?.rawValue == "ada")
        #expect(mail.all.last?.subject == .approved)
        #expect(
            await refusal { try await model.accounts.reject(.id(accounts[0].user.uid), reason: nil, by: nil) }?.code
                == .registrationDecided)
        #expect(try await model.accounts.waiting(after: nil, limit: 10).count == 0)
        #expect(try await model.journal.page(kind: .registrationApproved).count == 1)
        // An approved account does not go after a month.
        calendar.advance(milliseconds: Accounts.waitingMilliseconds)
        #expect(try await model.accounts.removeUnapproved() == 0)
        await model.close()
    }

    @Test func `a rejected account tells why for a week, and then leaves nothing behind`() async throws {
        let model = try await opened()
        let before = try await Model.rowCounts(folder)
        #expect(await refusal { try await signUp(model, "ada", .approval) } == .approvalPending)
        let ada = try #require(Username("ada"))
        try await model.accounts.reject(.username(ada), reason: "We know nobody of this name.", by: nil)
        let told = await refusal { try await model.accounts.signIn("ada") }
        #expect(told?.code == .authRejected && told?.message == "We know nobody of this name.")
        #expect(mail.all.last?.subject == .rejected(reason: "We know nobody of this name."))
        #expect(
            await refusal { try await model.accounts.approve(.username(ada), by: nil) }?.code == .registrationDecided)
        calendar.advance(milliseconds: Accounts.rejectedMilliseconds - 1)
        #expect(try await model.accounts.removeUnapproved() == 0)
        calendar.advance(milliseconds: 1)
        #expect(try await model.accounts.removeUnapproved() == 1)
        #expect(await refusal { try await model.accounts.signIn("ada") } == .credentialsInvalid)
        var after = try await Model.rowCounts(folder)
        after["journal"] = before["journal"]
        #expect(after == before)
        _ = try await signUp(model, "ada", .open)
        await model.close()
    }

    @Test func `an account about which nobody decides goes after a month`() async throws {
        let model = try await opened()
        #expect(await refusal { try await signUp(model, "ada", .approval) } == .approvalPending)
        calendar.advance(milliseconds: Accounts.waitingMilliseconds - 1)
        #expect(try await model.accounts.removeUnapproved() == 0)
        calendar.advance(milliseconds: 1)
        #expect(try await model.accounts.removeUnapproved() == 1)
        #expect(await !exists(model, "ada"))
        await model.close()
    }

    @Test func `an invite stands for the approval, and a guest who waits stays a guest`() async throws {
        let model = try await opened()
        let guest = model.accounts.guest()
        #expect(
            await refusal { try await signUp(model, "ada", .approval, guest: guest.account) } == .approvalPending)
        #expect(try model.accounts.authenticate(accessToken: guest.accessToken).isGuest)
        let ada = try await model.accounts.summary(of: .username(try #require(Username("ada")))).user
        #expect(ada.uid != guest.account.uid)
        let invite = try await model.accounts.makeInvite(maxUses: 1, seconds: 60, note: nil, by: nil)
        let grant = try await signUp(model, "bob", .approval, invite: invite.code, guest: guest.account)
        #expect(grant.account.uid == guest.account.uid)
        #expect(await refusal { try await signUp(model, "carl", .approval, invite: invite.code) } == .inviteUsedUp)
        await model.close()
    }

    /// Goal: one decision. Way: four administrators decide at the same time, two each way.
    @Test func `two administrators do not both decide`() async throws {
        let model = try await opened()
        for round in 0..<5 {
            let name = "ada\(round)"
            #expect(await refusal { try await signUp(model, name, .approval) } == .approvalPending)
            let user = UserReference.username(try #require(Username(name)))
            let codes = await withTaskGroup(of: ErrorCode?.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        await refusal {
                            if number.isMultiple(of: 2) {
                                _ = try await model.accounts.approve(user, by: nil)
                            } else {
                                try await model.accounts.reject(user, reason: nil, by: nil)
                            }
                        }?.code
                    }
                }
                return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1 && codes.filter { $0 == .registrationDecided }.count == 3)
        }
        await model.close()
    }

    @Test func `only administrators decide`() async throws {
        let model = try await opened()
        let bob = try await model.accounts.signUp("bob").account.uid
        #expect(await refusal { try await signUp(model, "ada", .approval) } == .approvalPending)
        let ada = UserReference.username(try #require(Username("ada")))
        let wanted = Refusal.forbidden(Permission.registrationManage)
        #expect(await refusal { try await model.accounts.approve(ada, by: bob) } == wanted)
        #expect(await refusal { try await model.accounts.reject(ada, reason: nil, by: bob) } == wanted)
        #expect(
            await refusal { try await model.accounts.makeInvite(maxUses: nil, seconds: 60, note: nil, by: bob) }
                == wanted)
        #expect(await refusal { try await model.accounts.revokeInvite(1, by: bob) } == wanted)
        #expect(try await model.accounts.waiting(after: nil, limit: 10).count == 1)
        await model.close()
    }

    @Test func `an account that waits or was rejected gets no room, no standing and no attention`() async throws {
        let model = try await opened()
        let ada = try await model.accounts.signUp("ada").account.uid
        let chief = try await model.accounts.signUp("chief").account.uid
        _ = try await model.accounts.setRole(of: .id(chief), to: .admin, by: nil)
        let room = try await model.rooms.create(RoomSettings(title: "Ada's"), owner: ada).id
        #expect(await refusal { try await signUp(model, "carl", .approval) } == .approvalPending)
        let carl = try await model.accounts.summary(of: .username(try #require(Username("carl")))).user.uid
        for isRejected in [false, true] {
            if isRejected { try await model.accounts.reject(.id(carl), reason: nil, by: nil) }
            #expect(
                await refusal { try await model.roomTransfers.offer(room, to: .id(carl), by: ada) } == .userUnknown)
            #expect(
                await refusal { try await model.roomTransfers.move(room, to: .id(carl), by: nil) } == .userUnknown)
            let member = await refusal {
                try await model.roomStorage.membership.set(.cohost, for: carl, isGuest: false, in: room, by: ada)
            }
            #expect(member == .userUnknown)
            #expect(try await model.people.search("carl", for: ada, offset: nil, limit: 10).users.isEmpty)
            for asker in [ada, nil] {
                #expect(await refusal { try await model.people.details(of: .id(carl), for: asker) } == .userUnknown)
            }
            #expect(await refusal { try await model.people.follow(.id(carl), ada) } == .userUnknown)
            // An administrator has to know of whom to decide.
            let found = try await model.people.search("carl", for: chief, offset: nil, limit: 10).users
            #expect(found.map(\.user.uid) == [carl])
            #expect(try await model.people.details(of: .id(carl), for: chief).user.uid == carl)
        }
        await model.close()
    }

    @Test func `an account that waits inherits no room`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        try await at.execute("INSERT INTO waiting_accounts (uid, since_ms) VALUES (\(bob), 1)")
        let account = try await at.model.accounts.signIn("ada").account
        let code = try await at.model.accounts.export(account).code
        try await at.model.accounts.remove(account, code: code, rooms: .cohosts)
        #expect(try await at.model.rooms.room(at.room) == nil)
        await at.model.close()
    }

    @Test func `an administrator who waits for approval does not count as one who could sign in`() async throws {
        let model = try await opened()
        let ada = try await model.accounts.signUp("ada").account.uid
        _ = try await model.accounts.setRole(of: .id(ada), to: .admin, by: nil)
        #expect(await refusal { try await signUp(model, "carl", .approval) } == .approvalPending)
        let carl = UserReference.username(try #require(Username("carl")))
        _ = try await model.accounts.setRole(of: carl, to: .admin, by: nil)
        #expect(await refusal { try await model.accounts.setRole(of: .id(ada), to: .user, by: nil) } == .lastAdmin)
        // The one who waits can go, since nobody counts on them.
        _ = try await model.accounts.setRole(of: carl, to: .user, by: nil)
        _ = try await model.accounts.setRole(of: carl, to: .admin, by: nil)
        _ = try await model.accounts.approve(carl, by: nil)
        _ = try await model.accounts.setRole(of: .id(ada), to: .user, by: nil)
        await model.close()
    }

    @Test func `those who wait for longest come first, a page at a time`() async throws {
        let model = try await opened()
        for name in ["carl", "ada", "bob"] {
            #expect(await refusal { try await signUp(model, name, .approval) } == .approvalPending)
            calendar.advance(seconds: 1)
        }
        let first = try await model.accounts.waiting(after: nil, limit: 2)
        #expect(first.count == 3 && first.accounts.map { $0.user.username?.rawValue } == ["carl", "ada"])
        let last = first.accounts[1]
        let second = try await model.accounts.waiting(after: (last.sinceMilliseconds, last.user.uid), limit: 2)
        #expect(second.accounts.map { $0.user.username?.rawValue } == ["bob"])
        await model.close()
    }

    // MARK: Outside issuers

    @Test func `a first sign-in by an outside issuer follows the same rules`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let accounts = fixture.accounts
        func exchange(
            _ name: String, _ rule: Registration, invite: String? = nil
        ) async throws(Refusal) -> Accounts.Account {
            try await accounts.exchange(
                provider: "firebase", token: fixture.token(name), address: nil,
                application: Accounts.Application(rule: rule, invite: invite, introduction: "I sing.")
            ).account
        }
        #expect(await refusal { try await exchange("ada", .closed) }?.code == .authRegistrationClosed)
        #expect(await refusal { try await exchange("ada", .invite) }?.code == .authInviteRequired)
        let invite = try await accounts.makeInvite(maxUses: 1, seconds: 60, note: nil, by: nil)
        let ada = try await exchange("ada", .invite, invite: invite.code)
        // An account that exists needs no other invite.
        #expect(try await exchange("ada", .invite) == ada)
        #expect(try await exchange("ada", .closed) == ada)
        #expect(await refusal { try await exchange("bob", .invite, invite: invite.code) } == .inviteUsedUp)

        #expect(await refusal { try await exchange("bob", .approval) } == .approvalPending)
        #expect(await refusal { try await exchange("bob", .open) } == .approvalPending)
        let waiting = try await accounts.waiting(after: nil, limit: 10).accounts
        #expect(waiting.count == 1 && waiting[0].introduction == "I sing." && waiting[0].user.username == nil)
        _ = try await accounts.approve(.id(waiting[0].user.uid), by: nil)
        #expect(try await exchange("bob", .approval).uid == waiting[0].user.uid)

        #expect(await refusal { try await exchange("carl", .approval) } == .approvalPending)
        let carl = try #require(try await accounts.waiting(after: nil, limit: 10).accounts.first?.user.uid)
        try await accounts.reject(.id(carl), reason: nil, by: nil)
        #expect(await refusal { try await exchange("carl", .approval) }?.code == .authRejected)
        fixture.calendar.advance(milliseconds: Accounts.rejectedMilliseconds)
        #expect(try await accounts.removeUnapproved() == 1)
        #expect(try await fixture.lines(.accountRemoved).count == 1)
        await fixture.model.close()
    }
}
