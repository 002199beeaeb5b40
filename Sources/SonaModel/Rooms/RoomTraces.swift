internal import SonaDatabase
internal import SonaWire

/// What is stored of one account in rooms: for its export, and to be taken out when it is removed.
struct RoomTraces: Sendable {
    /// As many messages as one export can carry, the newest.
    static let messagesMax = 1_000

    private let memberships: [RoomMemberRecord]
    private let bans: [RoomBanRecord]
    private let mutes: [RoomMuteRecord]
    private let invites: [InviteRecord]
    private let transfers: [RoomTransferRecord]
    private let messages: [ChatRecord]
    private let messageCount: Int
    private let playedCount: Int

    init(of uid: UserID, in db: inout some DatabaseAccess & ~Copyable) throws {
        memberships = try db.all(RoomMemberRecord.filter(RoomMemberRecord.uid == uid))
        bans = try db.all(RoomBanRecord.filter(RoomBanRecord.uid == uid))
        mutes = try db.all(RoomMuteRecord.filter(RoomMuteRecord.uid == uid))
        invites = try db.all(RoomTraces.invites(by: uid))
        transfers = try db.all(
            RoomTransferRecord.filter(RoomTransferRecord.from == uid || RoomTransferRecord.to == uid))
        messages = try db.all(
            ChatRecord.self,
            "WHERE uid = \(uid) AND deleted_ms IS NULL ORDER BY at_ms DESC LIMIT \(Self.messagesMax)")
        messageCount =
            try db.value("SELECT count(*) FROM room_chat WHERE uid = \(uid) AND deleted_ms IS NULL") ?? 0
        playedCount = try db.value("SELECT count(*) FROM room_history WHERE host_uid = \(uid)") ?? 0
    }

    /// Not by `==`: that is `IS` for what may be NULL, and SQLite then uses no index that leaves NULLs out.
    private static func invites(by uid: UserID) -> Query<InviteRecord> {
        InviteRecord.filter(Condition("created_by = \(uid)"))
    }

    /// Adds members to the object that an export is.
    func write(into writer: inout JSONWriter) {
        Self.array("room_memberships", memberships, &writer) { writer, member in
            writer.member("room", member.room.rawValue)
            writer.member("standing", member.standing.rawValue)
            writer.member("since_ms", member.sinceMilliseconds)
        }
        Self.array("room_bans", bans, &writer) { writer, ban in
            writer.member("room", ban.room.rawValue)
            writer.member("until_ms", orNull: ban.untilMilliseconds)
            writer.member("reason", orNull: ban.reason)
            writer.member("created_ms", ban.createdMilliseconds)
        }
        Self.array("room_mutes", mutes, &writer) { writer, mute in
            writer.member("room", mute.room.rawValue)
            writer.member("until_ms", orNull: mute.untilMilliseconds)
        }
        Self.array("room_invites", invites, &writer) { writer, invite in
            writer.member("room", invite.room.rawValue)
            writer.member("label", orNull: invite.label)
            writer.member("created_ms", invite.createdMilliseconds)
        }
        Self.array("room_transfers", transfers, &writer) { writer, transfer in
            writer.member("room", transfer.room.rawValue)
            writer.member("from", transfer.from.rawValue)
            writer.member("to", transfer.to.rawValue)
            writer.member("created_ms", transfer.createdMilliseconds)
        }
        writer.member("chat_count", messageCount)
        Self.array("chat", messages, &writer) { writer, message in
            writer.member("room", message.room.rawValue)
            writer.member("at_ms", message.atMilliseconds)
            writer.member("text", message.text)
        }
        writer.member("tracks_played", playedCount)
    }

    private static func array<Element>(
        _ key: StaticString, _ elements: [Element], _ writer: inout JSONWriter,
        _ members: (inout JSONWriter, Element) -> Void
    ) {
        writer.key(key)
        writer.beginArray()
        for element in elements { writer.object { members(&$0, element) } }
        writer.endArray()
    }

    /// Takes an account out of the storage of rooms, in the transaction that removes it: it belongs to none, is banned
    /// from none, and what it said is erased, text and name. What it did to others stays done, by nobody.
    static func erase(_ uid: UserID, now: Int64, in db: inout WriteAccess) throws {
        try db.execute("DELETE FROM room_members WHERE uid = \(uid)")
        try db.execute("DELETE FROM room_invite_uses WHERE uid = \(uid)")
        try db.execute("DELETE FROM room_bans WHERE uid = \(uid)")
        try db.execute("DELETE FROM room_mutes WHERE uid = \(uid)")
        try db.execute("UPDATE room_bans SET by_uid = NULL WHERE by_uid = \(uid)")
        try db.execute("UPDATE room_mutes SET by_uid = NULL WHERE by_uid = \(uid)")
        try db.execute("UPDATE room_invites SET created_by = NULL, label = NULL WHERE created_by = \(uid)")
        try db.execute("UPDATE room_history SET host_uid = NULL WHERE host_uid = \(uid)")
        try db.execute(
            """
            UPDATE room_chat SET text = '', mentions = '[]', username = NULL,
                deleted_ms = coalesce(deleted_ms, \(now)) WHERE uid = \(uid)
            """)
    }
}
