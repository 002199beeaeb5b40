internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The web player's page, with a card of what it shows, and the first screen of a room.
extension ShardCore {
    func showSite(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let services = self.services
        let profile = services.live.profile
        guard SiteRoutes.room(request.path) != nil || SiteRoutes.music(request.path) != nil else {
            return exchange.respond(services.site.response(to: request, profile: profile))
        }
        let base = PageCard.base(
            publicAddress: services.live.publicAddress, host: request.host,
            isSecure: request.isSecure, isForwarded: request.isForwarded && request.remote == request.peer)
        let moment = SiteRoutes.moment(request.queryValue(SiteRoutes.momentKey))
        let previews = LinkPreviews(rooms: methods.rooms, library: services.library)
        Task {
            let subject = await previews.subject(request.path)
            let room: RoomNow? = if case .room(let now) = subject { now } else { nil }
            exchange.respond(
                services.site.response(
                    to: request, card: subject?.card(base: base, path: request.path, at: moment), room: room,
                    profile: profile))
        }
    }
}
