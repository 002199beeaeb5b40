internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// `POST /v1/rpc/…`: requests of the durable plane over HTTP.
extension ShardCore {
    func call(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let type = String(request.path.dropFirst(Limits.rpcPathPrefix.count))
        figures.requests &+= 1
        logReceived(type, exchange.origin)
        func refuse(_ error: WireError) {
            count(refusal: error, exchange.origin, type: type)
            exchange.respond(.error(error))
        }
        guard request.method == .post else { return exchange.respond(.onlyPost) }
        guard let method = Methods.table[type], !method.needsConnection else {
            return refuse(WireError(.requestUnknown, "There is no request of type \(type.quoted) over HTTP."))
        }
        if isDraining { return refuse(WireError(.serverDraining, retryAfterMilliseconds: 2000)) }
        var caller = Caller(account: nil, address: services.limitedAddress(request.remote))
        let data: JSON
        do throws(WireError) {
            if let header = request.authorization { caller.account = try services.account(bearer: header) }
            data = try Self.parse(body: request.body)
        } catch { return refuse(error) }
        let (asks, parameters) = (caller, data)
        respond(exchange, type: type) { .json(200, Reply.okBody(try await $0.call(method, parameters, asks).response)) }
    }

    /// Responds to an exchange with the object that `body` returns, off the loop.
    func answer(
        _ exchange: ExchangeLink,
        _ body: @escaping @Sendable (Methods) async throws -> any WireObject
    ) {
        respond(exchange) { .json(200, Reply.okBody(try await body($0))) }
    }

    /// Responds to an exchange with the response that `body` makes, off the loop.
    ///
    /// - Parameters:
    ///   - type: The type of the request, for the log.
    ///   - headers: Additional headers of the response to an error.
    func respond(
        _ exchange: ExchangeLink, type: String? = nil,
        headers: @escaping @Sendable (WireError) -> [(name: String, value: String)] = { _ in [] },
        _ body: @escaping @Sendable (Methods) async throws -> HTTPResponse
    ) {
        respondOrLeave(exchange, type: type, headers: headers) { try await body($0) }
    }

    /// The same for a body that answers by itself where it returns `nil`.
    func respondOrLeave(
        _ exchange: ExchangeLink, type: String? = nil,
        headers: @escaping @Sendable (WireError) -> [(name: String, value: String)] = { _ in [] },
        _ body: @escaping @Sendable (Methods) async throws -> HTTPResponse?
    ) {
        let (shard, methods) = (self.shard, self.methods)
        Task {
            do {
                if let response = try await body(methods) { exchange.respond(response) }
            } catch {
                let error = WireError(error)
                await shard.perform { $0.count(refusal: error, exchange.origin, type: type) }
                var response = HTTPResponse.error(error)
                response.headers += headers(error)
                exchange.respond(response)
            }
        }
    }

    static func parse(body: [UInt8]) throws(WireError) -> JSON {
        if body.isEmpty { return .emptyObject }
        do {
            let json = try JSON.parse(body)
            guard json.object != nil else { throw WireError(.requestMalformed, "The body must be an object.") }
            return json
        } catch let error as JSONError {
            guard error.kind == .malformed else { throw WireError(.requestTooDeep) }
            throw WireError(.requestMalformed, "Not acceptable JSON: \(error).")
        } catch {
            throw error as? WireError ?? WireError(.requestMalformed)
        }
    }
}

extension ShardServices {
    func account(bearer header: String) throws(WireError) -> Accounts.Account {
        let scheme = "bearer "
        guard header.prefix(scheme.count).lowercased() == scheme else {
            throw WireError(.authTokenInvalid, "The Authorization header must carry a Bearer token.")
        }
        let account: Accounts.Account
        do {
            account = try model.accounts.authenticate(accessToken: String(header.dropFirst(scheme.count)))
        } catch {
            throw WireError(error)
        }
        if account.isGuest, !live.takesGuests { throw WireError(.authAccountRequired) }
        return account
    }

    /// The address that per-address limits count by; `nil` for exempt ones.
    func limitedAddress(_ remote: RemoteAddress) -> String? {
        live.isExempt(remote.text) ? nil : remote.group
    }
}

extension HTTPResponse {
    static var onlyPost: HTTPResponse {
        HTTPResponse(
            status: 405, contentType: "application/json",
            body: Reply.errorBody(WireError(.requestMalformed, "Requests are made with POST.")),
            headers: [(name: "allow", value: "POST")])
    }

    static func error(_ error: WireError) -> HTTPResponse {
        var response = HTTPResponse.json(error.code.httpStatus, Reply.errorBody(error))
        if let wait = error.retryAfterMilliseconds {
            response.headers.append((name: "retry-after", value: String((wait + 999) / 1000)))
        }
        if error.code == .authRequired || error.code == .authTokenInvalid || error.code == .authTokenExpired {
            response.headers.append((name: "www-authenticate", value: "Bearer"))
        }
        return response
    }
}
