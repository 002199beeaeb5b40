package import SonaWire

/// A room in memory: its members, its host, and the place of the music.
///
/// A state machine: every function takes the present time (server µs) and an input, changes the room and returns the
/// effects to carry out. It knows no sockets, no disk and no clock.
///
/// Two states run beside each other: the seat (`HostSeat`) and the stream (none → an epoch, begun by `startHost`, ended
/// by `stopHost` or by the seat's falling vacant). An epoch whose host pauses stays, so that late comers get its last
/// packets to prepare their decoders.
package struct LiveRoom: Sendable {
    package struct Member: Sendable, Equatable, Codable {
        package var user: User
        package var wantsAudio: Bool
        /// A ghost is counted but not named.
        package var isGhost = false
        /// Ms since 1970.
        package var joinedMilliseconds: Int64 = 0
    }

    package let id: RoomID
    package internal(set) var owner: User
    let createdMilliseconds: Int64
    package internal(set) var settings: RoomSettings
    /// Who may host by the schedule.
    package var slotHosts = SlotHosts()
    /// Who took the seat by the schedule: the DJ of a later slot may take it from them.
    var slotSeat: UserID?
    var picture: Photo?
    let gatheringMicroseconds: Int64
    package internal(set) var members: [MemberID: Member] = [:]
    package internal(set) var presence = RoomPresence()
    /// Members who hear the room later than others do.
    var shifted: Set<MemberID> = []
    package internal(set) var seat = HostSeat.vacant
    /// Whether the host said that it plays what the room's queue says. Means nothing while the seat is vacant.
    var hostFollowsQueue = false
    /// Whether the host has agreed to be recorded. Ends with their time in the seat.
    var agreesToRecording = false
    /// The room plays by itself: the server takes a seat that falls vacant.
    package internal(set) var hasServer = false
    package internal(set) var roster: RoomRoster
    /// The last offer of the seat.
    var offer: Offer?
    /// The claim of the user who had the seat when the server ended.
    var claim: Claim?
    package internal(set) var stream: HostedStream?
    /// Epochs before `stream`, oldest first, as long as somebody may still need to know of them.
    var earlier: [HostedStream] = []
    /// Listeners by HTTP, who are no members.
    package private(set) var radioListeners = 0
    package internal(set) var playback: PlaybackHistory
    /// The track that the host named last, for now or for a moment to come.
    package internal(set) var track: Track?
    package var tracks = TrackTimeline()
    /// Largest error of the position by the host's own account, µs; 0 if the audio gives the position.
    package internal(set) var positionError: UInt32 = 0
    /// Number of the last event; the next is one more.
    package internal(set) var sequence: Int64 = 0
    /// Number of the next packet. Numbers rise for the life of the room (serial-number arithmetic at the wrap).
    package internal(set) var nextPacket: UInt32
    var lastEpoch: UInt16
    /// Server time at which the last ended stream has sounded to its end, µs. No other may begin earlier.
    var soundsUntil: Int64?
    /// The end of the sound that has been sent, µs; `nil` if none was.
    package var soundEdge: Int64? { stream?.timeline.edge ?? soundsUntil }

    /// - Parameter gatheringMicroseconds: A broadcast begins this much later than it could. People who are told of it
    ///   at that moment are then there for its first note.
    /// - Parameter firstPacket: Number of the first packet; any number will do.
    package init(
        _ id: RoomID, of owner: User, createdMilliseconds: Int64 = 0, _ settings: RoomSettings, picture: Photo? = nil,
        roster: RoomRoster = RoomRoster(), playback: PlaybackHistory, gatheringMicroseconds: Int64 = 0,
        firstPacket: UInt32 = 0
    ) {
        self.id = id
        self.owner = owner
        self.createdMilliseconds = createdMilliseconds
        self.settings = settings
        self.picture = picture
        self.roster = roster
        self.gatheringMicroseconds = gatheringMicroseconds
        self.playback = playback
        nextPacket = firstPacket
        lastEpoch = playback.latest.epoch
    }

    package var leadMicroseconds: Int64 { Int64(settings.leadMilliseconds) * 1000 }
    /// Time that the ring reaches back. What the server plays is in files: only those who come in or fall behind need it.
    package var ringMicroseconds: Int64 { leadMicroseconds + (seat == .server ? 1_500_000 : 10_000_000) }
    package var listenerCount: Int {
        members.count + radioListeners - (seat.connection.flatMap { members[$0] } == nil ? 0 : 1)
    }
    package var isLive: Bool { stream != nil }
    /// Nobody is here and nothing is going on. The room may be dropped from memory until it is asked for again.
    package var isIdle: Bool {
        members.isEmpty && radioListeners == 0 && (seat == .vacant || seat == .server) && stream == nil
    }

    package mutating func nextSequence() -> Int64 {
        sequence += 1
        return sequence
    }

    package func description() -> Room {
        Room(
            id: id, settings: settings, owner: owner, host: seat.host, hostState: seat.state,
            hostFollowsQueue: seat == .vacant ? nil : hostFollowsQueue, isLive: isLive, listenerCount: listenerCount,
            createdMilliseconds: createdMilliseconds, track: track, picture: picture,
            isRecorded: recordedHost == nil ? nil : true)
    }

    /// The state of the seat as an event.
    var seatEvent: HostChanged {
        HostChanged(
            host: seat.host, state: seat.state, followsQueue: seat == .vacant ? nil : hostFollowsQueue,
            isRecorded: recordedHost == nil ? nil : true)
    }

    package func role(of user: User) -> Role { user.uid == owner.uid ? .owner : .listener }

    /// Whether a user may know of the room at all. A private room is visible to everybody inside it, whatever their
    /// standing.
    package func isVisible(to user: User?) -> Bool {
        guard settings.visibility == .private else { return true }
        guard let user else { return false }
        return user.uid == owner.uid || roster.entries[user.uid] != nil || presence.contains(user.uid)
            || slotHosts.welcome.contains(user.uid)
    }

    // MARK: Members

    /// Lets a member in.
    ///
    /// - Parameters:
    ///   - namesRoom: See `admit`.
    ///   - wall: Ms since 1970, which bans and mutes go by.
    /// - Throws: As `admit`, and `room.full`.
    package mutating func join(
        _ member: MemberID, _ user: User, wantsAudio: Bool, isGhost: Bool = false, namesRoom: Bool = true, now: Int64,
        wall: Int64 = 0
    ) throws(WireError) -> (snapshot: RoomSnapshot, effects: [RoomEffect]) {
        try admit(user, namesRoom: namesRoom, wall: wall)
        try requirePlace(for: member)
        playback.advance(to: now)
        let before = members[member]
        // A host is never a ghost.
        let isGhost = isGhost && seat.member != member
        // Who comes in is at the live place.
        shifted.remove(member)
        members[member] = Member(
            user: user, wantsAudio: wantsAudio, isGhost: isGhost, joinedMilliseconds: before?.joinedMilliseconds ?? wall
        )
        presence.change(user.uid, isGhost: isGhost, by: 1)
        if let before { presence.change(before.user.uid, isGhost: before.isGhost, by: -1) }
        return (snapshot(for: user, isGhost: isGhost, now: now, wall: wall), [.listenersChanged])
    }

    package func snapshot(
        for user: User, isGhost: Bool = false, now: Int64, wall: Int64 = 0
    ) -> RoomSnapshot {
        let heard = tracks.view(at: now)
        return RoomSnapshot(
            room: description(), seq: sequence, you: membership(of: user, isGhost: isGhost, wall: wall),
            stream: stream?.info, streams: streamsToHear(now: now), playback: playback.current,
            upcoming: playback.upcoming, nowPlaying: heard.current, upcomingTracks: heard.upcoming)
    }

    /// The epochs of which a joiner gets packets: those that still sound or are to come, and before them those whose
    /// packets may prepare the decoder because the next epoch continues them.
    private func streamsToHear(now: Int64) -> [StreamInfo] {
        guard let stream else { return [] }
        var infos = [stream.info]
        for older in earlier.reversed() {
            guard older.timeline.edge > now || infos[0].continues else { break }
            infos.insert(older.info, at: 0)
        }
        return infos
    }

    /// An epoch that is being sent, or was sent not long ago.
    package func streamInfo(of epoch: UInt16) -> StreamInfo? {
        if let stream, stream.info.epoch == epoch { return stream.info }
        return earlier.last { $0.info.epoch == epoch }?.info
    }

    /// So many listen by HTTP from now on.
    package mutating func setRadioListeners(_ count: Int) -> [RoomEffect] {
        guard count != radioListeners else { return [] }
        radioListeners = count
        return [.listenersChanged]
    }

    /// Replaces the current epoch by the next one.
    mutating func succeed(with next: HostedStream) {
        if var stream {
            stream.live = nil
            earlier.append(stream)
        }
        earlier.removeFirst(max(0, earlier.count - Self.earlierMax))
        stream = next
    }

    private static let earlierMax = 8

    /// A member leaves, on purpose (`isLost` false) or because the connection broke.
    package mutating func leave(_ member: MemberID, isLost: Bool, now: Int64) -> [RoomEffect] {
        guard let former = members.removeValue(forKey: member) else { return [] }
        shifted.remove(member)
        presence.change(former.user.uid, isGhost: former.isGhost, by: -1)
        defer { endOfferWithoutGiver() }
        if case .away(let user, let until, member) = seat {
            guard isLost else { return vacate(.finished, now: now) + [.listenersChanged] }
            // The user may come back with another session for as long as the seat is theirs.
            seat = .away(user, until: until, lost: nil)
            return [.listenersChanged]
        }
        guard case .held(member, let user) = seat else { return [.listenersChanged] }
        guard isLost else { return vacate(.finished, now: now) + [.listenersChanged] }
        return keepSeat(of: user, lost: nil, now: now)
    }

    /// Turns a ghost's connection into a visible one.
    ///
    /// - Returns: Whether it was a ghost's.
    mutating func endGhost(_ member: MemberID) -> Bool {
        guard let known = members[member], known.isGhost else { return false }
        members[member]?.isGhost = false
        presence.change(known.user.uid, isGhost: false, by: 1)
        presence.change(known.user.uid, isGhost: true, by: -1)
        return true
    }

    /// A user has a new name, or a guest has become an account: updates them as member, owner and host.
    /// O(`candidates`).
    ///
    /// - Parameter candidates: All members that are connections of the user; others are left as they are.
    package mutating func rename(_ user: User, as candidates: [MemberID]) -> [RoomEffect] {
        var isSeen = false
        for member in candidates {
            guard let known = members[member], known.user.uid == user.uid else { continue }
            if !known.isGhost, known.user != user { isSeen = true }
            members[member]?.user = user
        }
        let isOwner = owner.uid == user.uid
        if isOwner { owner = user }
        let isHost = seat.rename(user)
        var effects: [RoomEffect] = isOwner || isHost ? [.event(RoomUpdated(room: description()))] : []
        if isSeen {
            effects.append(
                .event(
                    RoomStandingChanged(
                        user: user, standing: standing(of: user), may: Capability.words(capabilities(of: user)))))
        }
        return effects
    }

    // MARK: Time

    /// The next moment at which `tick` has something to do, if any.
    ///
    /// Mutating in name only. It is read after each packet, and a plain getter would copy the whole room for that.
    package var deadline: Int64? {
        mutating get {
            var deadline: Int64?
            if case .away(_, let until, _) = seat { deadline = until }
            if let stream, !stream.isStarved, playback.latest.state == .playing {
                deadline = min(deadline ?? .max, stream.soundsUntil)
            }
            if let change = tracks.deadline(edge: stream?.timeline.edge) { deadline = min(deadline ?? .max, change) }
            return deadline
        }
    }

    package mutating func tick(now: Int64) -> [RoomEffect] {
        playback.advance(to: now)
        var effects = hear(now: now)
        if case .away(_, let until, _) = seat, until <= now { effects += vacate(.hostLost, now: now) }
        if let stream, !stream.isStarved, playback.latest.state == .playing, stream.soundsUntil <= now {
            effects += starve(now: now) + [.persist]
        }
        return effects
    }

    /// The music has run out although nobody stopped it. The position stays where it was last heard.
    mutating func starve(now: Int64) -> [RoomEffect] {
        guard let stream else { return [] }
        self.stream?.isStarved = true
        let edge = stream.edge(now: now)
        let held = playback.announce(
            .buffering, anchor: edge, position: stream.timeline.position(at: edge), epoch: stream.info.epoch, now: now)
        return [.position(held)]
    }

    /// Ends the broadcast where its packets end and frees the seat. In a room that plays by itself the broadcast goes on.
    mutating func vacate(_ reason: StreamEnded.Reason, now: Int64) -> [RoomEffect] {
        if hasServer, seat != .server, reason != .closed { return passSeatToServer(now: now) }
        let latest = playback.latest
        // A position that does not move stays where it is. After a seek during a pause that is not where the sound
        // ended.
        var place = (time: max(now, latest.anchorMicroseconds), position: latest.positionMicroseconds)
        if latest.state == .playing {
            let end = stream?.edge(now: now) ?? max(now, soundsUntil ?? now)
            place = (end, stream?.timeline.position(at: end) ?? playback.position(at: end))
        }
        let edge = max(now, soundEdge(now: now))
        var effects = hear(now: now) + endStream(reason)
        seat = .vacant
        agreesToRecording = false
        track = nil
        tracks.end(at: edge)
        endOfferWithoutGiver()
        effects.append(.event(seatEvent))
        guard latest.state != .stopped else { return effects }
        let stopped = playback.announce(
            .stopped, anchor: place.time, position: place.position, epoch: lastEpoch, now: now)
        return effects + [.position(stopped), .persist]
    }

    /// Ends the stream; packets already sent still sound.
    mutating func endStream(_ reason: StreamEnded.Reason) -> [RoomEffect] {
        guard let stream else { return [] }
        self.stream = nil
        earlier = []
        soundsUntil = stream.timeline.edge
        return [
            .event(StreamEnded(epoch: stream.info.epoch, atMicroseconds: stream.timeline.edge, reason: reason))
        ]
    }
}
