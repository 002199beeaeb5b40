internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What owners do with their rooms.
extension DurableMethods {
    /// A room of the caller's own.
    ///
    /// - Throws: As `resolve`; for somebody else's `room.banned`, or `room.forbidden` for want of `manage`.
    func own(
        _ reference: RoomReference, _ account: Accounts.Account
    ) async throws(WireError) -> RoomStore.StoredRoom {
        let stored = try await resolve(reference, account)
        guard stored.owner == account.uid else {
            try await refuseIfBanned(account, from: stored.id)
            throw .roomForbidden(.manage)
        }
        return stored
    }

    func update(_ request: RoomUpdate, _ account: Accounts.Account) async throws(WireError) -> DurableOutcome {
        let id = try await own(request.room, account).id
        // How audio leaves is decided when an epoch begins.
        let refused = await shard.perform { core -> String? in
            guard let room = core.rooms[id]?.room, room.isLive else { return nil }
            let settings = room.settings
            if (request.delivery ?? settings.delivery) != settings.delivery { return "data.delivery" }
            let lead = request.leadMilliseconds ?? settings.leadMilliseconds
            return lead == settings.leadMilliseconds ? nil : "data.lead_ms"
        }
        if let refused { throw WireError(.roomLive, field: refused) }
        do throws(RoomStoreError) {
            let (stored, changeNumber) = try await model.rooms.update(id, request)
            return DurableOutcome(RoomResult(room: await changed(stored, changeNumber)))
        } catch { throw WireError(error) }
    }

    /// Tells the room and the directory.
    private func changed(_ stored: RoomStore.StoredRoom, _ changeNumber: Int64) async -> Room {
        let room = await shard.perform { $0.changed(stored, changeNumber: changeNumber) }
        await directory.put(room, changeNumber: changeNumber)
        return room
    }

    func close(_ request: RoomClose, _ account: Accounts.Account) async throws(WireError) -> DurableOutcome {
        let id = try await own(request.room, account).id
        do throws(RoomStoreError) {
            _ = try await model.rooms.close(id)
        } catch { throw WireError(error) }
        await directory.remove(id)
        await shard.perform { $0.closed(id, "closed_by_owner") }
        return DurableOutcome(Empty())
    }

    /// Sets the picture of a room.
    func setPicture(
        _ bytes: [UInt8], of reference: RoomReference, _ account: Accounts.Account
    ) async throws(WireError) -> RoomResult {
        let id = try await own(reference, account).id
        do throws(PhotoError) {
            _ = try await model.photos.set(bytes, ofRoom: id, by: account.uid)
        } catch { throw error == .userUnknown ? WireError(.roomClosed) : WireError(error) }
        return RoomResult(room: try await pictureChanged(id))
    }

    func pictureChanged(_ id: RoomID) async throws(WireError) -> Room {
        do throws(RoomStoreError) {
            let (stored, changeNumber) = try await model.rooms.touched(id)
            return await changed(stored, changeNumber)
        } catch { throw WireError(error) }
    }
}
