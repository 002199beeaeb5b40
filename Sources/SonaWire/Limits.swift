/// The numbers of the protocol: sizes in bytes, counts, and times.
///
/// Those marked "default" can be configured on a server, which announces what it uses in the welcome; the others are
/// part of the protocol and the same everywhere.
///
/// Source: Protocol/spec/connection.md, "Limits", and the pages of the fields concerned.
public enum Limits {
    // MARK: Numbers

    /// The largest integer a text message may carry, 2^53 − 1: the largest every JSON implementation holds exactly.
    public static let integerMax: Int64 = 9_007_199_254_740_991
    /// The revision of the protocol that this module speaks.
    public static let protocolVersion = 1
    /// The WebSocket subprotocol that names the protocol and its major version.
    public static let subprotocol = "sona.v1"
    /// The path of the WebSocket endpoint.
    public static let webSocketPath = "/v1/ws"
    /// What precedes a request's type in the path of its HTTP form.
    public static let rpcPathPrefix = "/v1/rpc/"
    /// What the paths begin with that the cookie with a refresh token goes to.
    public static let cookiePath = "/v1/cookie"
    /// Where a photo is sent to with POST.
    public static let photoUploadPath = "/v1/photo"
    /// What precedes a photo's identifier and size in its path.
    public static let photosPathPrefix = "/v1/photos/"
    /// What precedes a room's identifier in the path its picture is sent to; see `Room.pictureUploadPath`.
    public static let roomsPathPrefix = "/v1/rooms/"
    /// The feature that announces usernames, profiles, following, roles and the rest of accounts.
    public static let peopleFeature = "people"
    /// The feature that announces changing, closing, finding and watching rooms.
    public static let directoryFeature = "directory"
    /// The feature that announces invites, waiting rooms, standing, and the host seat changing hands.
    public static let membershipFeature = "membership"
    /// The feature that announces chat and reactions.
    public static let chatFeature = "chat"
    /// The feature that announces what plays and played: now-playing, history, recaps.
    public static let historyFeature = "history"
    /// The feature that announces the queue and votes.
    public static let queueFeature = "queue"
    /// The feature that announces sessions that go on over lost connections.
    public static let resumeFeature = "resume"
    /// The feature that announces reports of what listeners measure, and the meter that shows them.
    public static let meterFeature = "meter"

    // MARK: Messages

    /// Default. Bytes of one text message from a client.
    public static let textBytesMax = 65_536
    /// Default. Bytes of one binary message from a client.
    public static let binaryUpBytesMax = 16_384
    /// Bytes of one binary message from the server; a bundle is split before it would grow past this.
    public static let binaryDownBytesMax = 65_536
    /// Objects and arrays inside one another in a text message, the outermost counted.
    public static let nestingDepthMax = 16
    /// Members of one JSON object. Bounds the search for duplicate keys.
    public static let objectMembersMax = 256
    /// Bytes of a request's or event's type.
    public static let typeBytesMax = 64

    // MARK: Conduct of a connection

    /// Default. Requests per second and connection.
    public static let requestsPerSecond = 60
    /// Default. Requests per second and network address, over all its connections.
    public static let requestsPerSecondAndAddress = 1000
    /// Requests of a connection that wait for those before them.
    public static let requestsWaitingMax = 128
    public static let requestsWaitingBytesMax = 1_048_576
    /// The malformed message within `malformedWindowSeconds` that closes with 4400.
    public static let malformedMessagesMax = 20
    public static let malformedWindowSeconds = 60
    /// Seconds from the WebSocket handshake to `hello`.
    public static let helloSecondsMax = 10
    /// Seconds between two pings of the server.
    public static let pingIntervalSeconds = 15
    /// Seconds without a pong after which the server closes with 4408.
    public static let pongSecondsMax = 40
    /// Seconds a lost host's seat is kept for it.
    public static let hostSeatSeconds = 60
    /// Seconds a listener may stay behind the live edge before it is closed with 4408.
    public static let listenerLagSecondsMax = 5
    /// What the kernel may hold for a listener, in seconds of the room's packets, until it counts as behind; and the
    /// bytes below which that is not looked at.
    public static let unsentSecondsMax = 3
    public static let unsentBytesMin = 4096
    /// Gathering: listeners are served in turns, a round of three where the room's delivery says so and of six under
    /// pressure. A packet that must be there within a round and the margin is not gathered, unless the loop is late itself.
    public static let gatherTurnMicroseconds: Int64 = 20_000
    public static let gatherTurns = 3
    public static let gatherTurnsMax = 6
    public static let gatherMarginMicroseconds: Int64 = 150_000
    /// Resting: where a loop passes on so many packets of hosts in a second, it lets about that many come together
    /// before it takes them, for no longer than the last; where there are several loops, for a part of that.
    public static let restingPacketsPerSecond: Int64 = 1_000
    public static let packetsPerTurn: Int64 = 40
    public static let turnMicrosecondsMax: Int64 = 6_000

    /// Seconds a host has to answer a command.
    public static let hostCommandSeconds = 5
    /// How far ahead of the lead a host may be before it is held back.
    public static let hostAheadMicrosecondsMax: Int64 = 2_000_000
    /// A packet from the host that sounds earlier than this after its arrival is late.
    public static let hostLateMicroseconds: Int64 = 20_000
    /// How much longer or shorter the server may have the samples of a live host last, millionths.
    public static let liveStretchPPMMax = 200
    /// A live epoch that nothing precedes begins so much later than a file's, since a packet is captured before it is sent.
    public static let liveHeadstartMicroseconds: Int64 = 250_000
    /// Live packets that come too late are left out for so long; if they still do then, the host is behind for good.
    public static let liveLateMicroseconds: Int64 = 300_000
    /// How much further ahead than the lead a live host may be from the beginning on.
    public static let liveEarlyMicrosecondsMax: Int64 = 1_000_000
    /// How much further ahead than at first it may come to be before the rest of it is left out.
    public static let liveAheadMicrosecondsMax: Int64 = 250_000
    /// How long a room plays on after a live packet marked SILENCE that nothing follows.
    public static let liveSilenceMicroseconds: Int64 = 5_000_000
    /// How far from server time the anchor of a host's POSITION may lie.
    public static let hostAnchorMicrosecondsMax: Int64 = 10_000_000
    /// A reported position this far from the predicted one is news.
    public static let positionNewsMicroseconds: Int64 = 30_000

    // MARK: Identifiers and texts, in UTF-8 bytes unless said otherwise

    public static let userIDBytes = 1...128
    public static let usernameBytes = 3...24
    public static let titleBytes = 1...200
    public static let trackTextBytes = 0...512
    public static let artworkBytes = 1...1_024
    public static let emailBytes = 3...254
    /// In Unicode scalar values, and at most `passwordBytesMax` bytes.
    public static let passwordScalars = 8...128
    public static let passwordBytesMax = 512
    public static let displayNameBytes = 1...100
    public static let bioBytes = 0...2_000
    public static let tokenBytes = 1...8_192
    public static let refreshTokenBytes = 1...512
    public static let programTextBytes = 1...64
    public static let cursorBytes = 1...256
    public static let errorCodeBytes = 3...64
    public static let errorMessageBytes = 0...512
    public static let reasonBytes = 1...64

    // MARK: Accounts

    /// Seconds since the last proof of identity within which sensitive requests are granted.
    public static let proofSecondsMax = 300
    public static let providerBytes = 1...32
    /// Bytes of the token of an outside issuer.
    public static let providerTokenBytes = 1...8_192
    /// Bytes of a code that came by mail or with an export.
    public static let codeBytes = 1...128
    public static let recoveryCodeSeconds = 3_600
    public static let confirmationCodeSeconds = 86_400
    public static let removalCodeSeconds = 3_600
    /// Mails with a recovery code per hour and account; further ones are silently not sent.
    public static let recoveryMailsPerHourMax = 3

    // MARK: People

    /// Bytes of what may be asked about as a username, which need not be one.
    public static let usernameCheckBytes = 0...256
    public static let usernameSuggestionCount = 0...5
    public static let linkTitleBytes = 1...50
    public static let linkURLBytes = 1...300
    public static let linkCount = 0...5
    public static let photoIDBytes = 1...64
    /// Pixels of a side of a photo.
    public static let photoSide: ClosedRange<Int64> = 1...65_535
    /// Bytes of an image that is sent to become a photo: 5 MiB.
    public static let photoUploadBytesMax = 5_242_880
    public static let searchQueryBytes = 1...100
    /// Users in one page.
    public static let userPageCount: ClosedRange<Int64> = 1...100
    public static let userPageCountDefault = 20
    public static let followsMax = 5_000
    public static let blocksMax = 5_000

    // MARK: Administration

    public static let permissionBytes = 1...64
    public static let usersQueryBytes = 0...100
    public static let banReasonBytes = 0...200
    /// Up to ten years.
    public static let banSeconds: ClosedRange<Int64> = 1...315_360_000
    public static let journalKindBytes = 1...64
    public static let journalPartyBytes = 1...128
    /// Lines in one page of the journal.
    public static let journalPageCount: ClosedRange<Int64> = 1...200
    public static let journalPageCountDefault = 50

    // MARK: Rooms

    /// Default. Rooms one user may own.
    public static let roomsPerUserMax = 8
    /// Default. Listeners in one room.
    public static let listenersPerRoomMax = 100_000
    /// Rooms in one answer to `room.list`.
    public static let roomListCount: ClosedRange<Int64> = 1...200
    public static let roomListCountDefault = 50
    public static let roomTagCount = 0...8
    public static let roomTagBytes = 1...32
    public static let roomDescriptionBytes = 1...1_000
    public static let roomQueryBytes = 0...100
    /// Rooms in one answer to `room.search`.
    public static let roomSearchCount: ClosedRange<Int64> = 1...100
    public static let roomSearchCountDefault = 20
    /// Rooms in a live list.
    public static let roomWatchCount: ClosedRange<Int64> = 1...100
    public static let roomWatchCountDefault = 50
    /// Bytes of an answer to `room.search` or `room.watch` and of `rooms.changed`: a page gets shorter and a change is
    /// told in several events before one would grow past this.
    public static let directoryBytesMax = 65_536
    /// Milliseconds from one round of `rooms.changed` to the next, and to the change of a room being seen by all.
    public static let directoryIntervalMilliseconds = 1_000
    /// How far ahead of its sounding a room sends its audio.
    public static let leadMilliseconds: ClosedRange<Int64> = 150...10_000
    public static let leadMillisecondsDefault = 600

    // MARK: Joining

    public static let inviteIDBytes = 1...64
    public static let inviteCodeBytes = 1...200
    /// Bytes of the path of a link.
    public static let invitePathBytes = 1...300
    public static let inviteLabelBytes = 1...60
    /// From a minute to 90 days; a week if nobody says.
    public static let inviteExpirySeconds: ClosedRange<Int64> = 60...7_776_000
    public static let inviteExpirySecondsDefault = 604_800
    public static let inviteUses: ClosedRange<Int64> = 1...100_000
    /// Invites of one room that are neither revoked nor expired nor used up; further ones are `room.limit_reached`.
    public static let invitesPerRoomMax = 200
    /// People who wait for one room; further ones are `room.full`.
    public static let waitingRoomMax = 200

    // MARK: Resuming

    public static let resumeTokenBytes = 1...512
    /// Default. Seconds the session of a lost connection is kept.
    public static let resumeSeconds = 60
    /// Sessions of one user that are kept; one more, and the one that was lost first ends.
    public static let keptSessionsPerUserMax = 4
    /// Default. Sessions of all users that are kept.
    public static let keptSessionsMax = 32_768
    /// Events of a room that are kept for those who come back, their bytes, and how long: a lost connection is noticed
    /// after 55 s at the latest, and then the session is kept for a minute.
    public static let keptRoomEvents = 512
    public static let keptRoomEventBytes = 192 * 1024
    public static let keptRoomEventSeconds = 120
    /// Personal events that are kept for the client to come back, their bytes, and how old they get while it is there.
    public static let keptPersonalEvents = 512
    public static let keptPersonalEventBytes = 128 * 1024
    public static let keptPersonalEventSeconds = 60

    // MARK: Roles in a room

    /// Seconds an offer of the host seat is good for.
    public static let hostOfferSeconds = 60
    /// Seconds between two `host.requested` about one person; what they ask in between is not told.
    public static let hostRequestSeconds = 10
    /// Users in `joined`, and in `left`, of `room.members_changed`.
    public static let membersChangedCount = 0...50
    /// Members that are told of others in a second: in larger rooms `room.members_changed` and `room.listeners` come
    /// after as many seconds as that takes, and after so many at most.
    public static let membersToldPerSecond = 50
    public static let membersIntervalSecondsMax = 10

    // MARK: The queue

    public static let queueEntryID: ClosedRange<Int64> = 1...integerMax
    /// Tracks in one request.
    public static let queueAddCount = 1...20
    public static let trackSourceBytes = 1...512
    /// Entries of a page.
    public static let queuePageCount: ClosedRange<Int64> = 1...100
    public static let queuePageCountDefault = 50
    /// More than any queue has entries.
    public static let queueOffsetMax: Int64 = 1_000
    /// Bytes of the entries of one page together.
    public static let queueBytesMax = 65_536

    // MARK: Chat

    public static let chatID: ClosedRange<Int64> = 1...integerMax
    /// Grapheme clusters of a message.
    public static let chatTextGraphemes = 1...500
    public static let chatTextBytesMax = 4_000
    public static let chatLineBreaksMax = 10
    /// Users mentioned in one message; further ones are not told.
    public static let chatMentionCount = 0...20
    /// Messages in a snapshot.
    public static let chatSnapshotCount = 50
    /// Messages in one page of the history.
    public static let chatPageCount: ClosedRange<Int64> = 1...100
    public static let chatPageCountDefault = 50
    /// Bytes of the messages in a snapshot or a page, as JSON: it gets shorter before it would grow past this.
    public static let chatBytesMax = 65_536
    /// Seconds after which an author can no longer edit.
    public static let chatEditSeconds = 900
    /// Messages and edits of one person in a room within `chatRateSeconds`; further ones are `chat.rate_limited`.
    public static let chatRateMessages = 5
    public static let chatRateSeconds = 10
    public static let slowModeSeconds: ClosedRange<Int64> = 0...3_600
    public static let reactionBytes = 1...32
    /// Different signs in one `reactions`.
    public static let reactionKinds = 1...32
    /// Reactions of one connection in a second that are counted; further ones change nothing.
    public static let reactionsPerSecond = 10
    /// Milliseconds from one `reactions` to the next.
    public static let reactionsIntervalMilliseconds = 250
    /// A reaction further than this from now belongs to now.
    public static let reactionReachMicroseconds: Int64 = 10_000_000

    // MARK: Listening

    public static let playID: ClosedRange<Int64> = 1...integerMax
    /// Plays in one page of the history.
    public static let historyPageCount: ClosedRange<Int64> = 1...100
    public static let historyPageCountDefault = 50
    /// Bytes of the plays in a page, as JSON: it gets shorter before it would grow past this.
    public static let historyBytesMax = 65_536
    /// Plays in a recap, and bytes of its text: more is `history.too_long`.
    public static let recapCountMax = 2_000
    public static let recapBytesMax = 1_048_576
    public static let mediaTypeBytes = 1...64
    /// Joins of the same room by one connection beyond the first that are granted at once; from there on one in
    /// `resyncSeconds`.
    public static let resyncBurst = 2
    public static let resyncSeconds = 5
    /// The same track that begins again within this has not been played twice.
    public static let replayMicroseconds: Int64 = 10_000_000

    // MARK: The meter

    /// How long a report may be about.
    public static let meterWindowMilliseconds: ClosedRange<Int64> = 1...600_000
    /// Errors, latencies and round trips in a report: what is a minute or more is told as a minute.
    public static let meterMicroseconds: ClosedRange<Int64> = 0...60_000_000
    public static let meterDriftPPB: ClosedRange<Int64> = -100_000_000...100_000_000
    public static let meterBufferMilliseconds: ClosedRange<Int64> = 0...600_000
    /// What is counted within a window.
    public static let meterCount: ClosedRange<Int64> = 0...1_000_000
    /// Seconds between two reports of a listener, and how many there must be at least: what comes sooner is
    /// `request.rate_limited`.
    public static let meterIntervalSeconds = 10
    public static let meterIntervalSecondsMin = 2
    /// Milliseconds after which a report says nothing about now.
    public static let meterStaleMilliseconds: Int64 = 30_000
    /// Bytes of an answer to `room.meter`: a page gets shorter before it would grow past this.
    public static let meterBytesMax = 65_536

    // MARK: Audio

    /// Samples per second of every sample count in the protocol, whatever the source was sampled at.
    public static let sampleRate: Int64 = 48_000
    /// Bytes of one Opus packet: six frames of 1275 bytes are the most that 120 ms can hold (RFC 6716, section 3.4).
    public static let packetBytesMax = 7_650
    /// Samples of one Opus packet: 120 ms.
    public static let packetSamplesMax: UInt32 = 5_760
    /// Packets a late joiner decodes without rendering, so that the decoder has settled when sound begins.
    public static let prerollPackets = 8
    /// A joiner gets no audio that sounds earlier than this after the join.
    public static let joinMarginMicroseconds: Int64 = 60_000
    /// A bundle ends where the computed time of a packet would be further than this from its own.
    public static let bundleToleranceMicroseconds: Int64 = 100
    /// `rate_ppm` of a playback; 1 000 000 is normal speed.
    public static let ratePPM: ClosedRange<Int64> = 0...4_000_000
}
