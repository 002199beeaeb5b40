internal import Glibc
package import SonaBase
package import SonaWire

/// The accounts and rooms that a test makes, and removes in the end: also after Ctrl-C, and after a failure.
package final class Premises {
    private let calls: HTTPCalls
    /// The account that `--token` speaks for; nil: accounts are made.
    private let ownToken: String?
    private var accounts: [ThrowawayAccount] = []
    private var roomsOfLastAccount = 0
    /// The rooms made, with the number of their owner's account; nil: that of `--token`.
    private var made: [(id: RoomID, account: Int?)] = []
    private let stop: StopFlag

    package init(_ target: Target, ownToken: String?, stop: StopFlag) throws(LoadError) {
        calls = try HTTPCalls(target)
        self.ownToken = ownToken
        self.stop = stop
    }

    package var rooms: [Engine.Room] {
        made.map { room in
            let account = room.account.map { accounts[$0] }
            return Engine.Room(id: room.id, token: account?.token ?? ownToken ?? "", account: account)
        }
    }

    /// Makes as many rooms as are missing, eight to an account, which is what a user may own by default.
    ///
    /// Accounts made for earlier runs are signed in to again, so that their tokens last for this one.
    ///
    /// - Throws: `load.refused` with the server's code. `clear` still removes everything made by then.
    package func prepare(_ count: Int, delivery: Delivery) throws(LoadError) {
        for index in accounts.indices where accounts[index].isTokenOld && !accounts[index].token.isEmpty && !stop.isSet
        {
            try signIn(&accounts[index])
        }
        while made.count < count && !stop.isSet {
            let token = try owner()
            let create = RoomCreate(RoomSettings(title: "sonaload \(made.count + 1)", delivery: delivery))
            do {
                let id = try calls.call(create, token: token).room.id
                made.append((id, ownToken == nil ? accounts.count - 1 : nil))
                roomsOfLastAccount += 1
            } catch  where error.serverCode == ErrorCode.roomLimitReached.text {
                if ownToken == nil && roomsOfLastAccount > 0 {
                    // This server grants fewer.
                    roomsOfLastAccount = Limits.roomsPerUserMax
                    continue
                }
                throw LoadError(
                    .refused,
                    "An account may own no further room: \(made.count) of \(count) could be made. Without --token accounts "
                        + "are made for the test, one for 8 rooms.", serverCode: error.serverCode)
            }
        }
    }

    /// - Throws: `load.unreachable` or `load.not_sona` if no server answers any more.
    package func checkServer() throws(LoadError) {
        do { _ = try calls.exchange("GET", "/") } catch  where error.code == .turnedAway {
            // By one that is there.
        }
    }

    private func owner() throws(LoadError) -> String {
        if let ownToken { return ownToken }
        if let last = accounts.last, roomsOfLastAccount < Limits.roomsPerUserMax { return last.token }
        var account = ThrowawayAccount.make()
        for attempt in 1... {
            do {
                account.hold(try calls.call(account.signUp).accessToken)
                break
            } catch  where Self.mayPass(error) && attempt < 20 && !stop.isSet {
                usleep(250_000)
            } catch {
                // A request without a proper answer may have been carried out.
                let isRefused = error.serverCode != nil && error.serverCode != ErrorCode.serverInternal.text
                if calls.wasSent && !isRefused { accounts.append(account) }
                throw error
            }
        }
        accounts.append(account)
        roomsOfLastAccount = 0
        return account.token
    }

    private static func mayPass(_ error: LoadError) -> Bool {
        error.serverCode == ErrorCode.authBusy.text || error.serverCode == ErrorCode.serverBusy.text
    }

    /// Closes the rooms and removes the accounts, those of sign-ups too.
    ///
    /// - Returns: A sentence about each thing that could not be removed.
    package func clear(alsoRemoving made: [ThrowawayAccount] = []) -> [String] {
        var left: [String] = []
        // A server that does not answer once is not asked a thousand times more.
        var silence: LoadError?
        func attempt(_ what: String, isLeft: Bool = true, _ remove: () throws(LoadError) -> Void) {
            var error = silence
            if error == nil {
                do { try remove() } catch let failure {
                    error = failure
                    if failure.code == .unreachable { silence = failure }
                }
            }
            if let error, isLeft { left.append("\(what) still there: \(error)") }
        }
        for room in rooms {
            // An account that is removed takes its rooms along, also where its token has expired meanwhile.
            attempt("room \(room.id.rawValue) is", isLeft: ownToken != nil) { () throws(LoadError) in
                _ = try calls.call(RoomClose(room: .id(room.id)), token: room.token)
            }
        }
        self.made.removeAll()
        for account in accounts + made {
            let isSure = !account.token.isEmpty
            attempt("account \(account.username.rawValue) \(isSure ? "is" : "may be")") { () throws(LoadError) in
                try remove(account)
            }
        }
        accounts.removeAll()
        return left
    }

    /// Removing needs a proof of the last five minutes, which the sign-up is no more after a long run. Of an account
    /// without a token nobody knows whether it came to be.
    private func remove(_ account: ThrowawayAccount) throws(LoadError) {
        do {
            try remove(token: account.token)
        } catch {
            guard account.token.isEmpty || error.serverCode?.hasPrefix("auth.") == true else { throw error }
            var account = account
            do { try signIn(&account) } catch  where error.serverCode == ErrorCode.authCredentialsInvalid.text {
                // It never came to be.
                return
            }
            try remove(token: account.token)
        }
    }

    private func signIn(_ account: inout ThrowawayAccount) throws(LoadError) {
        for attempt in 1... {
            do { return account.hold(try calls.call(account.signIn).accessToken) } catch
                where Self.mayPass(error) && attempt < 20
            {
                usleep(250_000)
            }
        }
    }

    private func remove(token: String) throws(LoadError) {
        let code = try calls.call(AccountExport(), token: token).code
        _ = try calls.call(AccountRemove(code: code), token: token)
    }
}
