import SonaWire
import Testing

@Suite struct MessageTests {
    @Test func `every request encodes and decodes to itself`() throws {
        let room = try Samples.roomID
        let client = Program(name: "test", version: "1")
        let username = try #require(Username("ada"))
        try roundTrip(Hello(client: client, auth: nil))
        try roundTrip(Hello(client: client, auth: .guest))
        try roundTrip(Hello(client: client, auth: .token("t")))
        try roundTrip(AuthSignUp(email: "a@b", password: "12345678", username: username, displayName: "Ada"))
        try roundTrip(AuthSignIn(email: "a@b", password: "12345678"))
        try roundTrip(AuthRefresh(refreshToken: "r"))
        try roundTrip(AuthGuest())
        try roundTrip(AuthSignOut())
        try roundTrip(AuthSignOut(refreshToken: "r"))
        try roundTrip(UserMe())
        try roundTrip(RoomCreate())
        try roundTrip(
            RoomCreate(RoomSettings(title: "T", visibility: .private, delivery: .interactive, leadMilliseconds: 150)))
        try roundTrip(RoomGet(room: .id(room)))
        try roundTrip(RoomList(limit: 200, cursor: "c", isMine: true))
        try roundTrip(RoomJoin(room: .username(username), wantsAudio: false))
        try roundTrip(RoomLeave())
        try roundTrip(PlaybackGet(room: .id(room)))
        try roundTrip(PlaybackPlay(positionMicroseconds: 0))
        try roundTrip(PlaybackPause())
        try roundTrip(PlaybackSeek(positionMicroseconds: Limits.integerMax))
        try roundTrip(HostStart(stream: nil, pacing: .live))
        try roundTrip(
            HostStart(
                stream: StreamOffer(channels: 2, preSkip: 312), pacing: .server, track: Samples.track,
                positionMicroseconds: 5, continues: true, command: 9))
        try roundTrip(HostPause(command: 0))
        try roundTrip(HostTrack(track: Track()))
        try roundTrip(HostStop())
        try roundTrip(HostReject(command: 1, code: .other("example.reason"), message: "No."))
    }

    @Test func `every result encodes and decodes to itself`() throws {
        let user = try Samples.user
        let guest = User(uid: user.uid, username: nil, isGuest: true)
        let server = Program(name: "sona", version: "0.1.0")
        let session = try #require(SessionID("q3Zk8LmN1pRs5TuVw7Xy2A"))
        try roundTrip(Welcome(session: session, user: nil, server: server, clockID: 0, serverMicroseconds: -1))
        try roundTrip(
            Welcome(
                session: session, user: guest, server: server, clockID: .max, serverMicroseconds: 7,
                features: ["a", "b"], limits: .init(textBytes: 1, binaryBytes: 2, requestsPerSecond: 3),
                accessToken: "t", expiresInSeconds: 60))
        try roundTrip(Grant(user: user, accessToken: "a", expiresInSeconds: 1, refreshToken: "r"))
        try roundTrip(AccessGrant(user: guest, accessToken: "a", expiresInSeconds: 1))
        try roundTrip(
            Me(user: user, email: nil, profile: Profile(displayName: nil, bio: "a\nb", isPublic: true)))
        try roundTrip(RoomResult(room: try Samples.room))
        try roundTrip(RoomPage(rooms: [try Samples.room, try Samples.room], nextCursor: "c"))
        try roundTrip(
            RoomSnapshot(
                room: try Samples.room, seq: 3, you: .init(role: .owner), stream: Samples.stream,
                playback: Samples.playback, upcoming: [Samples.playback]))
        try roundTrip(PlaybackResult(playback: Samples.playback, upcoming: [], serverMicroseconds: 5))
        try roundTrip(PlaybackResult(playback: Samples.playback))
        try roundTrip(
            HostStarted(
                epoch: 1, startMicroseconds: 2, leadMicroseconds: 3, playback: Samples.playback, upcoming: []))
        try roundTrip(Empty())
        try roundTrip(WireError(.requestInvalid, field: "data.room", retryAfterMilliseconds: 5))
        try roundTrip(WireError(.authForbidden, permission: Permission.usersBan.rawValue))
    }

    @Test func `every event encodes and decodes to itself`() throws {
        try roundTrip(RoomUpdated(room: try Samples.room))
        try roundTrip(RoomClosed(reason: "closed_by_owner"))
        try roundTrip(RoomListeners(count: 3))
        try roundTrip(HostChanged(host: try Samples.user, state: .away))
        try roundTrip(HostChanged(host: nil, state: .none))
        try roundTrip(StreamStarted(stream: Samples.stream, track: nil))
        for reason in StreamEnded.Reason.allCases {
            try roundTrip(StreamEnded(epoch: 1, atMicroseconds: -2, reason: reason))
        }
        try roundTrip(TrackChanged(track: Samples.track, atMicroseconds: 5))
        try roundTrip(HostCommand(command: 1, action: .seek, positionMicroseconds: 0))
        try roundTrip(HostCommand(command: 1, action: .pause))
        try roundTrip(ServerDraining(reconnectInMilliseconds: 2_000))
    }

    @Test func `replies and events have the envelope of the protocol`() throws {
        let room = try Samples.roomID
        #expect(text(Reply.ok(id: 7, Empty())) == #"{"type":"ok","id":7,"data":{}}"#)
        #expect(text(Reply.ok(id: 7) { $0.object { $0.member("a", 1) } }) == #"{"type":"ok","id":7,"data":{"a":1}}"#)
        let error = WireError(.roomFull, "Full.", retryAfterMilliseconds: 9)
        let body = #"{"code":"room.full","message":"Full.","retry_after_ms":9}"#
        #expect(text(Reply.error(id: nil, error)) == #"{"type":"error","id":null,"error":\#(body)}"#)
        #expect(text(Reply.errorBody(error)) == #"{"type":"error","error":\#(body)}"#)
        #expect(text(Reply.okBody(Empty())) == #"{"type":"ok","data":{}}"#)
        #expect(
            text(Event.encode(RoomListeners(count: 2), room: room, seq: nil))
                == #"{"type":"room.listeners","room":"\#(room)","data":{"count":2}}"#)
        #expect(
            text(Event.encode(ServerDraining(reconnectInMilliseconds: 0), room: nil, seq: 1))
                == #"{"type":"server.draining","seq":1,"data":{"reconnect_in_ms":0}}"#)
    }

    @Test func `a fault in a nested array is named by its place`() throws {
        var page = RoomPage(rooms: [try Samples.room, try Samples.room], nextCursor: nil)
        page.rooms[1].settings.title = ""
        #expect(refusal(RoomPage.self, page.encoded())?.field == "rooms[1].title")
        #expect(refusal(RoomPage.self, Array(#"{"rooms":[1],"next_cursor":null}"#.utf8))?.field == "rooms[0]")
        #expect(refusal(RoomPage.self, Array("[]".utf8))?.field == "")
    }

    @Test func `an error code keeps its text, known or not`() {
        for code in ErrorCode.known {
            #expect(ErrorCode(code.text) == code)
            #expect(400...599 ~= code.httpStatus)
        }
        #expect(Set(ErrorCode.known.map(\.text)).count == ErrorCode.known.count)
        #expect(ErrorCode("store.sold_out") == .other("store.sold_out"))
        #expect(ErrorCode("nonsense") == nil)
        #expect(WireError(.roomFull).message == ErrorCode.roomFull.meaning)
    }

    // MARK: Helpers

    private func roundTrip<Message: WireObject & Equatable>(_ message: Message) throws {
        #expect(try Message(try JSON.parse(message.encoded())) == message)
    }

    private func refusal<Message: WireObject>(_ type: Message.Type, _ bytes: [UInt8]) -> WireError? {
        do {
            _ = try Message(try JSON.parse(bytes))
            return nil
        } catch {
            return error as? WireError
        }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// One of each object.
enum Samples {
    static var roomID: RoomID {
        get throws { try #require(RoomID("k2Vb7nQx0ZrT5mLp9sWd")) }
    }

    static var user: User {
        get throws {
            User(uid: try #require(UserID("h3QmZx7RkP0aVbN5tY2wLs9DfGeC")), username: Username("ada"), isGuest: false)
        }
    }

    static var room: Room {
        get throws {
            Room(
                id: try roomID, settings: RoomSettings(title: "Late night"), owner: try user, host: try user,
                hostState: .here, isLive: true, listenerCount: 2, createdMilliseconds: 1_767_225_600_000, track: track)
        }
    }

    static let track = Track(title: "Nocturne", artist: "Ada", durationMicroseconds: 214_000_000)
    static let stream = StreamInfo(
        epoch: 7, channels: 2, preSkip: 312, startMicroseconds: 1_200_000_000, continues: false)
    static let playback = Playback(
        state: .playing, anchorMicroseconds: 1_200_000_000, positionMicroseconds: 0, revision: 31, epoch: 7)
}
