internal import SonaModel
internal import SonaRooms
internal import SonaTransfer
internal import SonaWire

/// `webhook.*`: addresses that are told what happens in a room, or in all public rooms and at the server.
struct WebhookMethods: MethodArea {
    let access: RoomAccess
    let sender: WebhookSender

    private var store: WebhookStore { access.model.webhooks }

    static func area(of methods: Methods) -> WebhookMethods { methods.webhooks }

    static var methods: [Method] {
        // A test waits for somebody else's server, and what else the session asks for does not.
        [signedIn(add), signedIn(list), signedIn(update), signedIn(test, .apart), signedIn(remove)]
    }

    /// - Throws: `request.invalid` for what is no address or no event; `webhook.limit_reached`.
    func add(_ request: WebhookAdd, _ asker: Asker) async throws -> WebhookAdded {
        let room = try await room(request.room, asker)
        do throws(TransferError) { _ = try HTTPExchange.address(request.url, mayHaveQuery: true) } catch {
            throw WireError(.requestInvalid, "This is no address that can be told.", field: "data.url")
        }
        let possible = WebhookEvent.allCases.filter { $0 != .test && (room == nil || $0 != .submissionCreated) }
        let events = request.events ?? possible.map(\.rawValue)
        guard events.allSatisfy({ event in possible.contains { $0.rawValue == event } }) else {
            throw WireError(.requestInvalid, "There is no such event here.", field: "data.events")
        }
        return try await store.add(
            request.url, request.form ?? .json, possible.map(\.rawValue).filter(events.contains), in: room,
            by: asker.uid)
    }

    func list(_ request: WebhookList, _ asker: Asker) async throws -> Webhooks {
        Webhooks(webhooks: try await store.list(in: try await room(request.room, asker)))
    }

    func update(_ request: WebhookUpdate, _ asker: Asker) async throws -> WebhookResult {
        WebhookResult(webhook: try await store.update(request.id, isOn: request.isOn, by: asker.uid))
    }

    func test(_ request: WebhookTest, _ asker: Asker) async throws -> WebhookTested {
        WebhookTested(answer: try await sender.test(try await store.test(request.id, by: asker.uid)))
    }

    func remove(_ request: WebhookRemove, _ asker: Asker) async throws -> Empty {
        try await store.remove(request.id, by: asker.uid)
        return Empty()
    }

    /// The room that is meant; `nil` for all public ones.
    ///
    /// - Throws: `room.forbidden`; `auth.forbidden` without a room, unless the asker may inspect rooms.
    private func room(_ reference: RoomReference?, _ asker: Asker) async throws -> RoomID? {
        guard reference != nil else {
            guard asker.account.role.permissions.contains(.roomsInspect) else {
                throw WireError(.authForbidden, permission: Permission.roomsInspect.rawValue)
            }
            return nil
        }
        let room = try await access.reach(reference, asker)
        try await room.require(.control)
        return room.id
    }
}
