internal import SonaEventLoop
package import SonaWire

/// Opens connections as the right user: with a token given, with kept credentials, or as a guest.
///
/// An access token that has expired, or is refused as such, is renewed with the refresh token and kept again.
package struct SignIn: Sendable {
    package var address: ServerAddress
    package var program: Program
    /// A token from outside: used as it is, never renewed.
    package var token: String?
    /// nil keeps nothing.
    package var store: CredentialStore?
    /// The clock of the connections it opens.
    package var localClock = LocalClock.machine

    package init(address: ServerAddress, program: Program, token: String?, store: CredentialStore?) {
        self.address = address
        self.program = program
        self.token = token
        self.store = store
    }

    package enum Need: Sendable {
        /// Fails with `auth.required` if nobody has signed in on this machine. A guest that is kept counts as somebody:
        /// what guests may do is the server's to say.
        case account
        /// Becomes a guest then.
        case anybody
    }

    /// A token this close to its end is renewed first, ms.
    private static let marginMilliseconds: Int64 = 30_000

    /// Connects and signs in.
    ///
    /// - Parameter comeback: See `Client.connect`. As the guest in it comes back who is no other.
    /// - Throws: As `Client.connect`; `.refused` with `auth.required` as said above, or with `auth.refresh_invalid` if
    ///   the sign-in has run out; `.credentials`.
    package func open(
        _ need: Need, comeback: Reconnection = Reconnection()
    ) async throws(ClientError) -> Client {
        if let token { return try await connect(.token(token), comeback) }
        guard let kept = try kept() else {
            guard need == .anybody else { throw notSignedIn }
            return try await connectAsGuest(comeback)
        }
        if isFresh(kept) {
            do {
                return try await connect(.token(kept.accessToken), comeback)
            } catch {
                guard error.isOfToken else { throw error }
            }
        }
        guard kept.refreshToken == nil else { return try await renew(kept, comeback) }
        guard need == .anybody else { throw guestIsOver }
        return try await connectAsGuest(comeback)
    }

    private func connectAsGuest(_ comeback: Reconnection) async throws(ClientError) -> Client {
        if let token = comeback.guestToken {
            do {
                return try await connect(.token(token), comeback)
            } catch {
                guard error.isOfToken else { throw error }
            }
        }
        return try await connect(.guest, comeback)
    }

    /// A connection that has not signed in, for the requests that do so.
    package func anonymous() async throws(ClientError) -> Client { try await connect(nil, Reconnection()) }

    /// A connection to sign up on: of the guest that is kept, who then becomes the account, or else of nobody.
    package func newcomer() async throws(ClientError) -> Client {
        if let kept = try kept(), kept.user.isGuest, isFresh(kept) {
            do {
                return try await connect(.token(kept.accessToken), Reconnection())
            } catch {
                guard error.isOfToken else { throw error }
            }
        }
        return try await anonymous()
    }

    private func connect(_ auth: Hello.Auth?, _ comeback: Reconnection) async throws(ClientError) -> Client {
        try await Client.connect(
            to: address, auth: auth, program: program, comeback: comeback, localClock: localClock)
    }

    private func isFresh(_ credentials: Credentials) -> Bool {
        credentials.expiresMilliseconds > MonotonicClock.wallMilliseconds() + Self.marginMilliseconds
    }

    private var notSignedIn: ClientError {
        ClientError(
            .refused(WireError(.authRequired)),
            "Nobody is signed in at \(address); run sonactl login or sonactl signup.")
    }

    private var guestIsOver: ClientError {
        ClientError(
            .refused(WireError(.authRequired)),
            "The guest's stay at \(address) is over; run sonactl login or sonactl signup.")
    }

    private func renew(_ old: Credentials, _ comeback: Reconnection) async throws(ClientError) -> Client {
        guard let store else { throw notSignedIn }
        return try await store.exclusively(address) { () async throws(ClientError) -> Client in
            // Somebody may have renewed them while we waited, or signed out.
            guard let kept = try kept(), let refreshToken = kept.refreshToken else { throw notSignedIn }
            if kept != old, isFresh(kept) { return try await connect(.token(kept.accessToken), comeback) }
            var plain = comeback
            plain.resume = nil
            let client = try await connect(nil, plain)
            do throws(ClientError) {
                let grant = try await client.call(AuthRefresh(refreshToken: refreshToken))
                try write(Credentials(grant, now: MonotonicClock.wallMilliseconds()))
                guard comeback.resume != nil else { return client }
                // A session goes on with who is signed in when greeting.
                await client.close()
                return try await connect(.token(grant.accessToken), comeback)
            } catch {
                await client.close()
                guard error.code == .authRefreshInvalid else { throw error }
                throw ClientError(error.kind, "The sign-in at \(address) has run out; run sonactl login.")
            }
        }
    }
}

extension ClientError {
    /// Whether the access token was refused, which another one may not be.
    fileprivate var isOfToken: Bool { code == .authTokenExpired || code == .authTokenInvalid }
}
