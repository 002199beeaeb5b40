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

    package init(address: ServerAddress, program: Program, token: String?, store: CredentialStore?) {
        self.address = address
        self.program = program
        self.token = token
        self.store = store
    }

    package enum Need: Sendable {
        /// Fails with `auth.required` if nobody has signed in on this machine.
        case account
        /// Becomes a guest then.
        case anybody
    }

    /// A token this close to its end is renewed first, ms.
    private static let marginMilliseconds: Int64 = 30_000

    /// Connects and signs in.
    ///
    /// - Parameter clock: See `Client.connect`.
    /// - Throws: As `Client.connect`; `.refused` with `auth.required` as said above, or with `auth.refresh_invalid` if
    ///   the sign-in has run out; `.credentials`.
    package func open(_ need: Need, clock: ClockFilter = ClockFilter()) async throws(ClientError) -> Client {
        if let token { return try await connect(.token(token), clock) }
        guard let kept = try read() else {
            guard need == .anybody else { throw notSignedIn }
            return try await connect(.guest, clock)
        }
        guard isFresh(kept) else { return try await renew(kept, clock) }
        do {
            return try await connect(.token(kept.accessToken), clock)
        } catch {
            switch error.code {
            case .authTokenExpired, .authTokenInvalid: return try await renew(kept, clock)
            default: throw error
            }
        }
    }

    /// A connection that has not signed in, for the requests that do so.
    package func anonymous() async throws(ClientError) -> Client { try await connect(nil, ClockFilter()) }

    /// Keeps what a sign-up, sign-in or refresh has brought.
    package func keep(_ grant: Grant) throws(ClientError) {
        guard let store else { return }
        let credentials = Credentials(grant, now: MonotonicClock.wallMilliseconds())
        do throws(CredentialError) { try store.write(credentials, for: address) } catch { throw .credentials(error) }
    }

    private func connect(_ auth: Hello.Auth?, _ clock: ClockFilter) async throws(ClientError) -> Client {
        try await Client.connect(to: address, auth: auth, program: program, clock: clock)
    }

    private func read() throws(ClientError) -> Credentials? {
        guard let store else { return nil }
        do throws(CredentialError) { return try store.read(address) } catch { throw .credentials(error) }
    }

    private func isFresh(_ credentials: Credentials) -> Bool {
        credentials.expiresMilliseconds > MonotonicClock.wallMilliseconds() + Self.marginMilliseconds
    }

    private var notSignedIn: ClientError {
        ClientError(
            .refused(WireError(.authRequired)),
            "Nobody is signed in at \(address); run sonactl login or sonactl signup.")
    }

    private func renew(_ old: Credentials, _ clock: ClockFilter) async throws(ClientError) -> Client {
        guard let store else { throw notSignedIn }
        return try await store.exclusively(address) { () async throws(ClientError) -> Client in
            // Somebody may have renewed them while we waited.
            guard let kept = try read() else { throw notSignedIn }
            if kept != old, isFresh(kept) { return try await connect(.token(kept.accessToken), clock) }
            let client = try await connect(nil, clock)
            do throws(ClientError) {
                try keep(try await client.call(AuthRefresh(refreshToken: kept.refreshToken)))
                return client
            } catch {
                await client.close()
                guard error.code == .authRefreshInvalid else { throw error }
                throw ClientError(error.kind, "The sign-in at \(address) has run out; run sonactl login.")
            }
        }
    }
}
