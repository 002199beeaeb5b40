internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
internal import SonaText
package import SonaWire

/// App passwords: what apps of other makers sign in with, one for each app, in place of the account's password.
///
/// Source: Protocol/spec/app-passwords.md.
extension Accounts {
    /// Makes an app password.
    ///
    /// - Returns: It, and what it says, which is shown once.
    /// - Throws: `reauthenticationRequired`; `invalid` for a name that shows nothing; `appPasswordLimitReached`;
    ///   `banned`, `userUnknown`, `tokenInvalid` if the sign-in has ended meanwhile, `busy`, `storage`.
    package func makeAppPassword(
        _ account: Account, name: String
    ) async throws(Refusal) -> (password: AppPassword, secret: String) {
        try requireProof(account)
        var rules = DisplayText.Rules.name
        rules.bytesMax = Limits.appPasswordNameBytes.upperBound
        guard let name = try? DisplayText(name, rules).text else {
            throw Refusal(.requestInvalid, "This can't be shown as a name.", field: "data.name")
        }
        var random = SecureRandom.Generator()
        let id = Int64.random(in: 1...Limits.integerMax, using: &random)
        let (secret, now, journal) = (AppPasswordSecret.random(), clock.nowMilliseconds(), self.journal)
        let record = AppPasswordRecord(
            id: id, uid: account.uid, name: name,
            sealed: sealing.seal(Array(secret.utf8), for: AppPasswordSecret.context(id, account.uid)),
            hash: appPasswordKey.tag(secret.utf8), createdMilliseconds: now)
        try await appPasswords.write { db in
            guard try db.exists(UserRecord.self, key: account.uid) else { throw Refusal.userUnknown }
            try UserDAO.refuseIfBanned(account.uid, now: now, in: &db)
            try Self.refuseIfEnded(account, in: &db)
            let count = try db.count(AppPasswordRecord.filter(AppPasswordRecord.uid == account.uid))
            guard count < Limits.appPasswordsMax else { throw Refusal(.appPasswordLimitReached) }
            try db.insert(record)
            try journal.append(.own(.appPasswordMade, account.uid), in: &db)
        }
        return (AppPassword(record), secret)
    }

    /// The app passwords of an account, the newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func appPasswords(of uid: UserID) async throws(Refusal) -> [AppPassword] {
        try await appPasswords.read { db in try AppPasswordDAO.all(of: uid, in: &db).map(AppPassword.init) }
    }

    /// Revokes an app password: from then on no request is answered by it.
    ///
    /// - Throws: `appPasswordNotFound`, also for those of others; `tokenInvalid` if the sign-in has ended meanwhile;
    ///   `busy`, `storage`.
    package func revokeAppPassword(_ id: Int64, of account: Account) async throws(Refusal) {
        let journal = self.journal
        try await appPasswords.write { db in
            try Self.refuseIfEnded(account, in: &db)
            let known = try db.first(AppPasswordRecord.self, key: id)
            guard let known, known.uid == account.uid else { throw Refusal(.appPasswordNotFound) }
            _ = try db.delete(AppPasswordRecord.self, key: id)
            try journal.append(.own(.appPasswordRevoked, account.uid), in: &db)
        }
    }

    // MARK: Signing in

    /// How an app shows that it knows an app password.
    package enum AppProof: Sendable {
        case password(username: String, password: String)
        /// The lower-case hexadecimal MD5 of the password followed by a salt of the app's choice.
        case token(username: String, token: String, salt: String)
        /// The password alone.
        case key(String)

        /// Most bytes of a password or a salt: hashing what strangers send is to cost little.
        private static let bytesMax = 256

        fileprivate var isOfUsualSize: Bool {
            switch self {
            case .password(_, let secret), .key(let secret): secret.utf8.count <= Self.bytesMax
            case .token(_, let token, let salt): token.utf8.count == 32 && salt.utf8.count <= Self.bytesMax
            }
        }
    }

    /// The account that an app may act for. Costs a read of the database.
    ///
    /// A password that is right counts for nothing in the limits, so that an app with an old password does not lock out
    /// the others of a household; only while there are too many failures are strange networks refused.
    ///
    /// - Parameters:
    ///   - client: What the app calls itself.
    ///   - address: The address that limits go by; `nil` for exempt ones.
    ///   - from: The address of the app.
    /// - Throws: `credentialsInvalid`, `rateLimited`; `banned`, `approvalPending`, `rejected`; `busy`, `storage`.
    package func signIn(
        _ proof: AppProof, client: String?, address: String?, from: String
    ) async throws(Refusal) -> Account {
        let now = clock.nowMilliseconds()
        let (sealing, key) = (self.sealing, appPasswordKey)
        guard proof.isOfUsualSize else { throw .credentialsInvalid }
        let found: (user: UserRecord, password: AppPasswordRecord?)? = try await appPasswords.read { db in
            try Self.find(proof, sealing, key, in: &db)
        }
        guard let user = found?.user, let password = found?.password else {
            let uid = found?.user.uid
            try limits.appFailures.take(address, now: now)
            writeFailure(uid, address)
            throw .credentialsInvalid
        }
        if limits.appFailures.isFull(address, now: now), !places.contains(user.uid, address, now: now) {
            throw .rateLimited(retryAfterMilliseconds: 60_000)
        }
        try await appPasswords.read { db in
            try UserDAO.refuseIfBanned(user.uid, now: now, in: &db)
            try RegistrationDAO.refuseIfWaiting(user.uid, in: &db)
        }
        places.note(user.uid, address, now: now)
        noteUse(of: password, client, from: AddressGroup(from).description, now: now)
        return Account(user, family: nil, authenticatedAt: nil)
    }

    /// The user that a proof names, and the password if the proof is right. Takes the same time however much is right.
    private static func find(
        _ proof: AppProof, _ sealing: SealingKey, _ key: HMACKey, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> (user: UserRecord, password: AppPasswordRecord?)? {
        func named(_ name: String, _ db: inout some DatabaseAccess & ~Copyable) throws -> UserRecord? {
            guard let username = Username(name) else { return nil }
            return try db.first(UserRecord.filter(UserRecord.usernameKey == username.key))
        }
        switch proof {
        case .key(let secret):
            let hash = key.tag(secret.utf8)
            guard let password = try db.first(AppPasswordRecord.filter(AppPasswordRecord.hash == hash)),
                let user = try db.first(UserRecord.self, key: password.uid)
            else { return nil }
            return (user, password)
        case .password(let name, let secret):
            guard let user = try named(name, &db) else { return nil }
            let hash = key.tag(secret.utf8)
            let password = try db.first(AppPasswordRecord.filter(AppPasswordRecord.hash == hash))
            return (user, password?.uid == user.uid ? password : nil)
        case .token(let name, let token, let salt):
            guard let user = try named(name, &db) else { return nil }
            let wanted = Array(token.lowercased().utf8)
            var right: AppPasswordRecord?
            for password in try AppPasswordDAO.all(of: user.uid, in: &db) {
                let context = AppPasswordSecret.context(password.id, password.uid)
                guard let secret = sealing.open(password.sealed, for: context) else { continue }
                let hex = Digest.md5(secret + Array(salt.utf8)).flatMap { byte in
                    [Self.hex[Int(byte >> 4)], Self.hex[Int(byte & 15)]]
                }
                if Digest.constantTimeEquals(hex, wanted) { right = password }
            }
            return (user, right)
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)

    /// How old the note of a use may grow before it is written anew.
    private static let useMilliseconds: Int64 = 60_000

    /// Writes that a password was used, at most once a minute unless it is used from elsewhere or by another app. Nobody
    /// waits for it, and a failure is ignored.
    private func noteUse(of password: AppPasswordRecord, _ client: String?, from: String, now: Int64) {
        var client = client?.cut(bytes: Limits.appClientBytesMax)
        if client?.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) == true || client == ""
        {
            client = nil
        }
        let isNews = password.usedFrom != from || password.client != client
        if let used = password.usedMilliseconds, now - used < (isNews ? 1_000 : Self.useMilliseconds) { return }
        var noted = password
        (noted.usedMilliseconds, noted.usedFrom, noted.client) = (now, from, client)
        let (dao, changed) = (appPasswords, noted)
        Task {
            _ = try? await dao.write { db in
                guard let current = try db.first(AppPasswordRecord.self, key: changed.id) else { return }
                try db.updateChanges(changed, from: current)
            }
        }
    }
}
