internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// `POST /v1/cookie/…`: staying signed in, for pages whose scripts should not hold the refresh token.
///
/// Source: Protocol/spec/accounts.md, "The refresh token in a cookie".
extension ShardCore {
    func useCookie(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        figures.requests &+= 1
        guard request.method == .post else { return exchange.respond(.onlyPost) }
        let cookie = RefreshCookie(for: request), address = services.limitedAddress(request.remote)
        do throws(WireError) {
            if isDraining { throw WireError(.serverDraining, retryAfterMilliseconds: 2000) }
            let data = try Self.parse(body: request.body), shown = cookie.token(of: request)
            switch request.path.dropFirst(Limits.cookiePath.utf8.count) {
            case "/keep":
                let token = try AuthRefresh(data).refreshToken
                guard RefreshCookie.canHold(token) else {
                    throw WireError(.requestInvalid, "No refresh token of this server.", field: "data.refresh_token")
                }
                exchange.respond(.ok(Empty(), cookie.kept(token)))
            case "/refresh":
                guard let shown else { throw WireError(.authRefreshInvalid) }
                // An invalid token is deleted from the browser.
                respond(exchange, headers: { $0.code == .authRefreshInvalid ? [cookie.removed] : [] }) {
                    let grant = try await $0.model.accounts.refresh(shown, address: address)
                    return .ok(AccessGrant(grant), cookie.kept(grant.refreshToken))
                }
            case "/sign_out":
                guard let shown else { return exchange.respond(.ok(Empty(), cookie.removed)) }
                respond(exchange) {
                    try await $0.model.accounts.signOut(refreshToken: shown)
                    return .ok(Empty(), cookie.removed)
                }
            default: throw WireError(.requestUnknown)
            }
        } catch {
            count(refusal: error, exchange.origin)
            exchange.respond(.error(error))
        }
    }
}

extension HTTPResponse {
    fileprivate static func ok(_ data: some WireObject, _ header: (name: String, value: String)) -> HTTPResponse {
        var response = HTTPResponse.json(200, Reply.okBody(data))
        response.headers.append(header)
        return response
    }
}

extension AccessGrant {
    /// A grant without its refresh token.
    fileprivate init(_ grant: Accounts.Grant) {
        self.init(
            user: User(grant.account), accessToken: grant.accessToken, expiresInSeconds: grant.expiresInSeconds)
    }
}
