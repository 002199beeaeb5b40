internal import SonaLibrary
internal import SonaWire

/// The queue that the account plays alone, on whatever device.
extension Call {
    private func player() async throws -> (state: PlayerState, now: Int64, items: [PlayerItem]) {
        var (items, from): ([PlayerItem], Int) = ([], 0)
        while true {
            let page = try await library.players.page(
                PlayerGet(from: from, limit: Int(Limits.playerPage.upperBound)), for: listener)
            items += page.items
            from += page.items.count
            guard !page.items.isEmpty, from < page.player.count else {
                return (page.player, page.nowMilliseconds, items)
            }
        }
    }

    private func queue(isByIndex: Bool) async throws -> Element {
        let (state, now, items) = try await player()
        var position = state.positionMilliseconds
        if state.isPlaying { position += max(0, now - state.atMilliseconds) * Int64(state.speedPercent) / 100 }
        let shelved = Dictionary(
            try await finder.shelvedTracks(Array(Set(items.map(\.id))), for: listener).map { ($0.track.id, $0) }
        ) { first, _ in first }
        // Songs that are gone, or not for the account any more, have no element.
        let index = items.prefix(state.index).count { shelved[$0.id] != nil }
        var told = Element()
        if items.indices.contains(state.index) {
            if isByIndex {
                told.set("currentIndex", index)
            } else {
                told.set("current", items[state.index].id.rawValue)
            }
        }
        told.set("position", position)
        told.set("username", username)
        told.set("changed", date(state.atMilliseconds))
        told.set("changedBy", state.device?.name ?? service.server.name)
        told.set("entry", items.compactMap { shelved[$0.id]?.element })
        return told
    }

    func playQueue() async throws -> Element {
        Element("playQueue", try await queue(isByIndex: false))
    }

    func playQueueByIndex() async throws -> Element {
        Element("playQueueByIndex", try await queue(isByIndex: true))
    }

    func savePlayQueue() async throws -> Element {
        let ids = try parameters.ids("id")
        var index = 0
        if let current = parameters.first("current") {
            guard let place = ids.firstIndex(where: { $0.rawValue == current }) else {
                throw SubsonicError(.generic, "current must be one of the songs.")
            }
            index = place
        }
        return try await save(ids, index: index)
    }

    func savePlayQueueByIndex() async throws -> Element {
        let ids = try parameters.ids("id")
        let index = try parameters.number("currentIndex") ?? 0
        guard ids.isEmpty || parameters.has("currentIndex") else { throw SubsonicError.missing("currentIndex") }
        guard ids.isEmpty || ids.indices.contains(index) else {
            throw SubsonicError(.generic, "currentIndex must be the place of a song.")
        }
        return try await save(ids, index: ids.isEmpty ? 0 : index)
    }

    /// Replaces the queue, whatever it was: an app asks for nothing else.
    private func save(_ ids: [MusicID], index: Int) async throws -> Element {
        let position = Int64(try parameters.number("position") ?? 0)
        guard position >= 0 else { throw SubsonicError(.generic, "position must not be less than 0.") }
        let name = parameters.first("c").map { String($0.prefix(32)) } ?? "OpenSubsonic"
        let device = PlayerDevice(id: "subsonic-\(name.filter { $0.isASCII && $0.isLetter })", name: name)
        for _ in 0..<3 {
            let revision = try await library.players.page(PlayerGet(limit: 1), for: listener).player.revision
            let first = Array(ids.prefix(Limits.playerPieceMax))
            var result = try await ask(
                PlayerUpdate(
                    revision: revision, device: device, tracks: first,
                    index: first.isEmpty ? nil : min(index, first.count - 1),
                    positionMilliseconds: first.isEmpty ? nil : position, isPlaying: false))
            guard result.isStored else { continue }
            for start in stride(from: first.count, to: ids.count, by: Limits.playerPieceMax) {
                let piece = Array(ids[start..<min(start + Limits.playerPieceMax, ids.count)])
                result = try await ask(
                    PlayerUpdate(revision: result.player.revision, tracks: piece, isAppended: true))
                guard result.isStored else { break }
            }
            if index >= first.count, result.isStored {
                _ = try await ask(
                    PlayerUpdate(revision: result.player.revision, index: index, positionMilliseconds: position))
            }
            return Element()
        }
        throw SubsonicError(.generic, "Another device changed the queue at the same time.")
    }
}
