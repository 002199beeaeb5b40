internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What accounts have heard.
///
/// A hearing becomes a play once half of the track, or four minutes of it, have sounded. Its row and all counters are
/// written in one transaction, so that they agree whenever the server ends.
package struct Plays: Sendable {
    /// A hearing of a track that may go on.
    package struct Hearing: Sendable {
        package var track: MusicID
        /// Names the hearing among all of the account.
        package var key: String
        /// The time at which it began, ms since 1970.
        package var atMilliseconds: Int64
        /// How much of it was heard so far, as far as the server believes it.
        package var heardMilliseconds: Int64
        package var source: PlaySource
        package var room: RoomID?

        package init(
            track: MusicID, key: String, atMilliseconds: Int64, heardMilliseconds: Int64, source: PlaySource,
            room: RoomID? = nil
        ) {
            self.track = track
            self.key = key
            self.atMilliseconds = atMilliseconds
            self.heardMilliseconds = heardMilliseconds
            self.source = source
            self.room = room
        }
    }

    let dao: PlayDAO
    /// Gets each play of an account that sends what it hears somewhere.
    private let scrobbles: Scrobbles
    let clock: WallClock

    init(_ dao: PlayDAO, scrobbles: Scrobbles, clock: WallClock) {
        self.dao = dao
        self.scrobbles = scrobbles
        self.clock = clock
    }

    /// How much must be heard of a track, in ms. The length of some files is not known.
    static func threshold(of duration: Int64) -> Int64 {
        duration > 0 ? min((duration + 1) / 2, Limits.playMilliseconds) : Limits.playMilliseconds
    }

    // MARK: Writing

    /// Writes a hearing as far as it goes. A later report of the same hearing lengthens its row.
    ///
    /// - Returns: Whether it is a play. It is none while too little was heard, and never while the account listens
    ///   privately.
    /// - Throws: `trackNotFound`, also if the listener does not see it; `invalid` if the key was another track's;
    ///   `accountRequired` for guests; `tokenInvalid` if the account is gone; `busy`, `storage`.
    package func record(_ hearing: Hearing, for listener: Listener) async throws(Refusal) -> Bool {
        guard let uid = listener.uid else { throw .accountRequired }
        let isCounted = try await dao.write { db in try Self.record(hearing, uid, listener, &db) }
        if isCounted, scrobbles.has(uid) { scrobbles.tell() }
        return isCounted
    }

    static func record(
        _ hearing: Hearing, _ uid: UserID, _ listener: Listener, _ db: inout WriteAccess
    ) throws -> Bool {
        if try db.value("SELECT private FROM play_settings WHERE uid = \(uid)", as: Bool.self) == true { return false }
        let track = try db.first(
            """
            SELECT t.number, t.duration_ms, t.title, t.artist, t.album_name FROM tracks t
            WHERE t.id = \(hearing.track) AND \(Access.condition(for: listener))
            """
        ) { row in
            let (number, duration) = (try row.next(Int64.self), try row.next(Int64.self))
            let listen = Scrobbles.Listen(
                title: try row.next(), artist: try row.next(), album: try row.next(), durationMilliseconds: duration,
                atSeconds: hearing.atMilliseconds / 1_000)
            return (number: number, duration: duration, listen: listen)
        }
        guard let track else { throw Refusal(.trackNotFound) }
        let known = try db.first(
            "SELECT number, track, heard_ms FROM plays WHERE uid = \(uid) AND key = \(hearing.key)"
        ) { row in
            (number: try row.next(Int64.self), track: try row.next(Int64.self), heard: try row.next(Int64.self))
        }
        if let known {
            guard known.track == track.number else {
                throw Refusal(.requestInvalid, "This key names a hearing of another track.", field: "data.key")
            }
            if hearing.heardMilliseconds > known.heard {
                try db.execute(
                    "UPDATE plays SET heard_ms = \(hearing.heardMilliseconds) WHERE number = \(known.number)")
            }
            return true
        }
        guard hearing.heardMilliseconds >= threshold(of: track.duration) else { return false }
        try PlayCounters.count(track.number, by: uid, at: hearing.atMilliseconds, &db)
        try db.insert(
            PlayRecord(
                number: nil, uid: uid, track: track.number, atMilliseconds: hearing.atMilliseconds,
                heardMilliseconds: hearing.heardMilliseconds, source: hearing.source, room: hearing.room?.rawValue,
                key: hearing.key))
        try Scrobbles.add(track.listen, key: hearing.key, of: uid, &db)
        return true
    }

    // MARK: Settings

    /// Changes what is given. Without a change it only tells.
    ///
    /// - Throws: `tokenInvalid` if the account is gone; `busy`, `storage`.
    package func settings(_ request: PlaySettings, of uid: UserID) async throws(Refusal) -> PlayPrivacy {
        let isQuestion =
            request.isPrivate == nil && request.sharesPlays == nil && request.sharesTaste == nil
            && request.keepDays == nil
        if isQuestion {
            return try await dao.read { db in
                try db.first(PlaySettingsRecord.self, key: uid)?.settings ?? PlayPrivacy()
            }
        }
        let now = clock.nowMilliseconds()
        let settings = try await dao.write { db in
            var record = try db.first(PlaySettingsRecord.self, key: uid) ?? PlaySettingsRecord(uid: uid)
            record.settings.isPrivate = request.isPrivate ?? record.settings.isPrivate
            record.settings.sharesPlays = request.sharesPlays ?? record.settings.sharesPlays
            record.settings.sharesTaste = request.sharesTaste ?? record.settings.sharesTaste
            record.settings.keepDays = request.keepDays ?? record.settings.keepDays
            record.sharedSinceMilliseconds =
                record.settings.sharesPlays ? record.sharedSinceMilliseconds ?? now : nil
            try db.upsert(record)
            return record.settings
        }
        // What is older than the new limit goes at once.
        if request.keepDays ?? 0 > 0 { _ = try await forget(of: uid, before: Self.limit(settings.keepDays, clock)) }
        return settings
    }

    static func limit(_ days: Int, _ clock: WallClock) -> Int64 {
        clock.nowMilliseconds() - Int64(days) * 86_400_000
    }
}

extension Plays {
    /// Writes many hearings in one transaction. Those that are refused, because the track is gone or was never seen, are left
    /// out.
    ///
    /// - Throws: `busy`, `storage`.
    package func record(_ hearings: [(hearing: Hearing, listener: Listener)]) async throws(Refusal) {
        try await dao.write { db in
            for (hearing, listener) in hearings {
                guard let uid = listener.uid, try db.exists("SELECT 1 FROM users WHERE uid = \(uid)") else { continue }
                do { _ = try Self.record(hearing, uid, listener, &db) } catch is Refusal { continue }
            }
        }
        scrobbles.tell()
    }
}
