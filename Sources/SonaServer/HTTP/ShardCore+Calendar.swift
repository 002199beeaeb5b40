internal import SonaCalendar
internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The schedule of a room as a file for calendars: `GET /v1/rooms/ID/calendar.ics`.
///
/// Source: Protocol/spec/schedules.md, "The calendar".
extension ShardCore {
    /// The room whose calendar a path is.
    ///
    /// - Returns: `nil` if it is another path, or holds no identifier.
    static func calendar(_ path: String) -> RoomID? {
        let ending = "/calendar.ics"
        guard path.hasPrefix(Limits.roomsPathPrefix), path.hasSuffix(ending) else { return nil }
        return RoomID(String(path.dropFirst(Limits.roomsPathPrefix.count).dropLast(ending.count)))
    }

    func showCalendar(of id: RoomID, _ request: HTTPRequest, _ exchange: ExchangeLink) {
        let (services, base) = (services, services.live.publicAddress ?? services.live.ownAddress)
        respond(exchange, headers: { _ in [(name: "cache-control", value: "no-store")] }) { methods in
            let room: RoomStore.StoredRoom
            if let header = request.authorization {
                let account = try services.account(bearer: header)
                room = try await methods.access.resolve(.id(id), account)
                try await methods.access.refuseIfBanned(account, from: id)
            } else {
                let found = try await methods.access.stored(.id(id)).first { $0.settings.visibility == .public }
                guard let found, found.closedMilliseconds == nil else { throw WireError(.roomNotFound) }
                room = found
            }
            let schedule = try await services.model.roomStorage.schedules.schedule(of: id)
            let now = MonotonicClock.wallMilliseconds()
            let events = schedule.entries.map { entry in
                let about = entry.slot.title == nil ? room.settings.about : room.settings.title
                let dj = entry.slot.dj.flatMap { $0.state == .accepted ? $0.user : nil }
                let lines = [about, dj.map { "DJ: \($0.username?.rawValue ?? $0.uid.rawValue)" }].compactMap(\.self)
                return ICalendarEvent(
                    uid: entry.slot.id.rawValue, summary: entry.slot.title ?? room.settings.title,
                    about: lines.isEmpty ? nil : lines.joined(separator: "\n"),
                    url: base.map { "\($0)/r/\(id.rawValue)" }, recurrence: entry.recurrence,
                    changedMilliseconds: entry.changedMilliseconds, revision: entry.revision)
            }
            let calendar = ICalendar(
                product: "-//Sona//Sona \(ServerVersion.number)//EN", name: room.settings.title, events, now: now)
            return HTTPResponse(
                contentType: "text/calendar; charset=utf-8", body: calendar.bytes,
                headers: [
                    (name: "cache-control", value: "private, max-age=300"),
                    (name: "content-disposition", value: "inline; filename=\"\(id.rawValue).ics\""),
                    (name: "x-content-type-options", value: "nosniff"),
                    (name: "content-security-policy", value: "default-src 'none'"),
                ])
        }
    }
}
