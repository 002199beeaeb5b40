internal import SonaEventLoop
internal import SonaWire

/// Requests of the operator through the Unix socket in the data folder: access is granted by the folder's mode.
extension ShardCore {
    func operate(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        // For anyone else this path does not exist.
        guard request.remote.isLocal, !request.isForwarded else {
            return exchange.respond(.text(404, "There is nothing here."))
        }
        guard request.method == .post else { return exchange.respond(.text(405, "Only POST is known here.")) }
        let type = String(request.path.dropFirst(OperatorDoor.pathPrefix.count))
        let data: JSON
        do throws(WireError) { data = try Self.parse(body: request.body) } catch {
            return exchange.respond(.error(error))
        }
        let publicAddress = services.live.publicAddress
        answer(exchange) { methods in
            // The meter is about what is live, so no data folder has it.
            if type == RoomMeter.type { return try await methods.meter.meter(RoomMeter(data)) }
            return try await OperatorMethods(model: methods.model, publicAddress: publicAddress).call(type, data)
        }
    }
}
