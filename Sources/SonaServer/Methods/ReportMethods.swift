internal import SonaModel
internal import SonaWire

/// `report.send`, and the inbox of administrators.
struct ReportMethods: MethodArea {
    let access: RoomAccess

    private var model: Model { access.model }

    static func area(of methods: Methods) -> ReportMethods { methods.reports }

    static var methods: [Method] { [signedIn(send), signedIn(sendFeedback), signedIn(list), signedIn(resolve)] }

    func send(_ request: ReportSend, _ asker: Asker) async throws -> Empty {
        let subject: Reports.Subject
        switch (request.room, request.message, request.user) {
        case (let room?, nil, nil): subject = .room(try await access.resolve(room, asker.account).id)
        case (let room?, let message?, nil):
            // Whoever reports a message can read it.
            subject = .message(try await access.reach(room, asker).id, id: message)
        case (let room?, nil, let user?):
            let reached = try await access.reach(room, asker)
            guard let person = await reached.present(user) else { throw WireError(.userNotFound) }
            subject = .present(person, in: reached.id)
        case (nil, nil, .id(let uid)?):
            // A guest is known only while connected.
            let guest = await access.shard.perform { core in
                core.sessions(of: uid).lazy.compactMap(\.account).first { $0.isGuest }.map { User($0) }
            }
            subject = guest.map { .present($0, in: nil) } ?? .user(.id(uid))
        case (nil, nil, let user?): subject = .user(user)
        case (nil, _?, _): throw WireError(.requestInvalid, "Name the room of the message.", field: "data.room")
        default: throw WireError(.requestInvalid, "Name a room, a message in it or a user.", field: "data.room")
        }
        try await model.reports.send(request.kind, about: subject, text: request.text, by: asker.uid)
        return Empty()
    }

    func sendFeedback(_ request: FeedbackSend, _ asker: Asker) async throws -> Empty {
        try await model.reports.sendFeedback(request.text, by: asker.uid)
        return Empty()
    }

    /// - Parameter asker: `nil` for the operator, here and below.
    func list(_ request: ReportsList, _ asker: Asker?) async throws -> ReportPage {
        let found = try await model.reports.page(
            isOpen: request.isOpen, kind: request.kind, before: request.before, limit: request.limit)
        return ReportPage(reports: found, nextBefore: found.count == request.limit ? found.last?.id : nil)
    }

    func resolve(_ request: ReportsResolve, _ asker: Asker?) async throws -> ReportResult {
        ReportResult(report: try await model.reports.resolve(request.id, note: request.note, by: asker?.uid))
    }
}
