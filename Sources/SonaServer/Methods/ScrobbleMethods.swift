internal import SonaLibrary
internal import SonaModel
internal import SonaTransfer
internal import SonaWire

/// `scrobble.*`: services to which an account sends what it hears.
struct ScrobbleMethods: MethodArea {
    let library: Library
    let live: LiveConfiguration

    private var scrobbles: Scrobbles { library.scrobbles }

    static func area(of methods: Methods) -> ScrobbleMethods { methods.scrobbling }

    static var methods: [Method] {
        // Those that ask a service wait for it, and what else the session asks for does not.
        [signedIn(list), signedIn(authorize, .apart), signedIn(connect, .apart), signedIn(disconnect)]
    }

    func list(_ request: ScrobbleList, _ asker: Asker) async throws -> ScrobbleConnections {
        let offered = ScrobbleService.allCases.filter { $0 != .lastfm || live.configuration.services.lastFM != nil }
        return ScrobbleConnections(
            connections: try await scrobbles.list(of: asker.uid), services: offered.map(\.rawValue))
    }

    /// - Throws: `service.unavailable` for a service that needs no such step or that the operator does not offer;
    ///   `service.unreachable`.
    func authorize(_ request: ScrobbleAuthorize, _ asker: Asker) async throws -> ScrobbleAuthorization {
        guard request.service == .lastfm, let account = live.configuration.services.lastFM else {
            throw WireError(.serviceUnavailable)
        }
        do throws(TransferError) {
            let (url, token) = try await LastFM(account: account).authorization()
            return ScrobbleAuthorization(url: url, token: token)
        } catch { throw WireError(service: error) }
    }

    /// - Throws: `service.refused` if the service does not take the token; `service.unreachable`,
    ///   `service.address_forbidden`, `service.unavailable`; `scrobble.limit_reached`.
    func connect(_ request: ScrobbleConnect, _ asker: Asker) async throws -> ScrobbleConnected {
        let services = live.configuration.services
        switch request.service {
        case .listenbrainz:
            let service: ListenBrainz
            let name: String?
            do throws(TransferError) {
                guard request.token.utf8.allSatisfy({ 33...126 ~= $0 }) else { throw TransferError(.refused, "") }
                service = ListenBrainz(
                    root: try ListenBrainz.root(request.address ?? ListenBrainz.usualAddress), token: request.token,
                    mayBePrivate: services.mayBePrivate)
                name = try await service.check()
            } catch {
                throw error.code == .refused ? WireError(.serviceRefused) : WireError(service: error)
            }
            guard let name else { throw WireError(.serviceRefused) }
            return ScrobbleConnected(
                connection: try await scrobbles.connect(
                    .listenbrainz, service.root, token: request.token, name: name, of: asker.uid))
        case .lastfm:
            guard let account = services.lastFM else { throw WireError(.serviceUnavailable) }
            guard request.address == nil else {
                throw WireError(.requestInvalid, "The operator says where Last.fm is.", field: "data.address")
            }
            let session: (key: String, name: String)?
            do throws(TransferError) {
                session = try await LastFM(account: account).session(of: request.token)
            } catch { throw WireError(service: error) }
            guard let session else { throw WireError(.serviceRefused) }
            return ScrobbleConnected(
                connection: try await scrobbles.connect(
                    .lastfm, "", token: session.key, name: session.name, of: asker.uid))
        }
    }

    func disconnect(_ request: ScrobbleDisconnect, _ asker: Asker) async throws -> Empty {
        try await scrobbles.disconnect(request.id, of: asker.uid)
        return Empty()
    }
}
