internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What an account plays alone, as a room can go on with it.
struct HeardAlone: Sendable {
    /// The present track and those after it, at least one.
    var tracks: [TrackReference]
    var repeats: RepeatMode
    /// Microseconds in the first track.
    var position: Int64
    /// Server time at which it is there, µs; `nil` if it is paused.
    var since: Int64?
}

/// Rooms that are made of what an account plays alone.
///
/// Source: Protocol/spec/rooms.md, "room.create".
extension RoomMethods {
    /// Tracks that go into the queue at most.
    private static let tracksMax = 100

    /// - Throws: `queue.empty` if there is nothing that a room may play; `request.invalid` for a time that is not about now.
    func heard(at place: PlayerPlace, _ asker: Asker) async throws -> HeardAlone {
        let now = MonotonicClock.nowMicroseconds()
        let at = place.atMicroseconds ?? now
        guard abs(at - now) <= Limits.hostAnchorMicrosecondsMax else {
            throw WireError(.requestInvalid, "The time of the place is not about now.", field: "data.from_player.at_us")
        }
        let (state, tracks) = try await library.players.upcoming(
            Self.tracksMax, for: try await library.listener(for: asker.account))
        let references = tracks.compactMap { try? TrackReference(Track($0), source: $0.id.rawValue) }
        guard !references.isEmpty else { throw WireError(.queueEmpty) }
        let repeats: RepeatMode =
            switch state.repeats {
            case .off: .off
            case .one: .one
            case .all: .all
            }
        return HeardAlone(
            tracks: references, repeats: repeats,
            position: place.positionMicroseconds ?? state.positionMilliseconds * 1_000,
            since: state.isPlaying ? at : nil)
    }

    /// Has a new room play it. A room that cannot be filled is closed again.
    func begin(_ heard: HeardAlone, in stored: RoomStore.StoredRoom, _ asker: Asker) async throws {
        do {
            let autoplays = model.roomStorage.autoplays
            _ = try await autoplays.set(Autoplay(isOn: true, playlist: nil), in: stored.id, by: asker.uid)
            let state = try await access.storedState(of: stored)
            let user = asker.user
            let result = await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<RoomQueue.Done, WireError>, Never>) in
                shard.post { core in
                    do throws(WireError) {
                        let home = try core.home(stored, state)
                        home.begin(heard, by: user) { continuation.resume(returning: $0) }
                    } catch { continuation.resume(returning: .failure(error)) }
                }
            }
            _ = try result.get()
        } catch {
            _ = try? await close(RoomClose(room: .id(stored.id)), asker)
            throw error
        }
    }
}

extension RoomHome {
    fileprivate func begin(_ heard: HeardAlone, by user: User, _ completion: @escaping RoomQueue.Completion) {
        guard let queue, let autoplay else { return completion(.failure(WireError(.serverInternal))) }
        let (member, wall) = (PartyMember.server(for: user.uid), MonotonicClock.wallMilliseconds())
        autoplay.begin(at: heard.position, since: heard.since, now: MonotonicClock.nowMicroseconds())
        if heard.repeats != .off { queue.perform(.setRepeat(heard.repeats), nil, as: member, now: wall) { _ in } }
        queue.perform(.add(heard.tracks, at: .last), user, as: member, now: wall) { [weak autoplay] result in
            completion(result)
            autoplay?.followSoon()
        }
    }
}
