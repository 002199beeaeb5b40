internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The web player's page, with a card and the first screen of the room that it shows.
extension ShardCore {
    func showSite(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let (services, rooms) = (self.services, self.methods.rooms)
        let profile = services.live.profile
        guard let reference = SiteRoutes.room(request.path) else {
            return exchange.respond(services.site.response(to: request, profile: profile))
        }
        let base = PageCard.base(
            publicAddress: services.live.publicAddress, host: request.host,
            isSecure: request.isSecure, isForwarded: request.isForwarded && request.remote == request.peer)
        Task {
            let room = await rooms.publicRoom(reference)
            exchange.respond(
                services.site.response(
                    to: request, room: room.map { (now: $0, base: base, path: "/r/\(reference.text)") },
                    profile: profile))
        }
    }
}
