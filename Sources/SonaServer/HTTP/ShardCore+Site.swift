internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The web player's page, with a card of the room it is a link to.
extension ShardCore {
    func showSite(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let (services, methods) = (self.services, self.methods)
        guard let reference = SiteRoutes.room(request.path) else {
            return exchange.respond(services.site.response(to: request))
        }
        let base = PageCard.base(
            publicAddress: services.configuration.publicAddress, host: request.host,
            isSecure: request.isSecure, isForwarded: request.isForwarded && request.remote == request.peer)
        Task {
            let room = await methods.publicRoom(reference)
            let card = room.map { PageCard($0, base: base, path: "/r/\(reference.text)") }
            exchange.respond(services.site.response(to: request, card: card))
        }
    }
}

extension DurableMethods {
    /// What anybody may know of a room; nil for one that is private, closed or not there, between which a link makes no
    /// difference.
    fileprivate func publicRoom(_ reference: RoomReference) async -> RoomNow? {
        let stored =
            switch reference {
            case .id(let id): try? await model.rooms.room(id)
            case .username(let name): try? await model.rooms.room(ofUsername: name).first(where: \.isPublic)
            }
        guard let stored, stored.isPublic, stored.closedMilliseconds == nil else { return nil }
        let now = await shard.perform { $0.describeNow(stored) }
        return now.room.visibility == .public ? now : nil
    }
}
