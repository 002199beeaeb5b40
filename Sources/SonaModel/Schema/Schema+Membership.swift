internal import SonaDatabase

extension ModelSchema {
    /// Adds what is stored of rooms: members, bans, mutes, invites, chat, history and queue.
    ///
    /// Columns of users have no foreign keys here, because guests are in no table. `RoomTraces.erase` removes the rows
    /// of an account.
    @Sendable static func createMembership(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE rooms ADD COLUMN waiting_room INTEGER NOT NULL DEFAULT 0 CHECK (waiting_room IN (0, 1));
            ALTER TABLE rooms ADD COLUMN chat TEXT NOT NULL DEFAULT 'everyone'
                CHECK (chat IN ('everyone', 'members', 'moderators', 'off'));
            ALTER TABLE rooms ADD COLUMN slow_mode_s INTEGER NOT NULL DEFAULT 0 CHECK (slow_mode_s BETWEEN 0 AND 3600);
            """)
        try createMembers(&db)
        try createInvites(&db)
        try createTalkAndPlay(&db)
    }

    private static func createMembers(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_members (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                uid TEXT NOT NULL CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                standing TEXT NOT NULL CHECK (standing IN ('member', 'moderator', 'cohost')),
                given TEXT CHECK (given IN ('member', 'moderator', 'cohost') OR given IS NULL),
                invite_id TEXT,
                role TEXT CHECK (role IN ('listen', 'suggest', 'vote', 'control', 'cohost') OR role IS NULL),
                is_guest INTEGER NOT NULL CHECK (is_guest IN (0, 1)),
                since_ms INTEGER NOT NULL,
                PRIMARY KEY (room_id, uid),
                CHECK (given IS NOT NULL OR invite_id IS NOT NULL),
                CHECK ((invite_id IS NULL) = (role IS NULL))
            ) STRICT;
            CREATE INDEX room_members_by_age ON room_members (room_id, since_ms DESC, uid DESC);
            CREATE INDEX room_members_by_user ON room_members (uid);
            CREATE INDEX room_members_by_invite ON room_members (invite_id) WHERE invite_id IS NOT NULL;
            CREATE INDEX room_guests_by_age ON room_members (since_ms) WHERE is_guest;

            CREATE TABLE room_bans (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                uid TEXT NOT NULL CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                is_guest INTEGER NOT NULL CHECK (is_guest IN (0, 1)),
                until_ms INTEGER,
                reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 200),
                by_uid TEXT,
                invite_id TEXT,
                created_ms INTEGER NOT NULL,
                PRIMARY KEY (room_id, uid)
            ) STRICT;
            CREATE INDEX room_bans_by_age ON room_bans (room_id, created_ms DESC, uid DESC);
            CREATE INDEX room_bans_by_user ON room_bans (uid);
            CREATE INDEX room_bans_by_giver ON room_bans (by_uid) WHERE by_uid IS NOT NULL;
            CREATE INDEX room_bans_by_invite ON room_bans (invite_id) WHERE invite_id IS NOT NULL;
            CREATE INDEX room_bans_by_end ON room_bans (until_ms) WHERE until_ms IS NOT NULL;
            CREATE INDEX room_guest_bans_by_age ON room_bans (created_ms) WHERE is_guest;

            CREATE TABLE room_mutes (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                uid TEXT NOT NULL CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                is_guest INTEGER NOT NULL CHECK (is_guest IN (0, 1)),
                until_ms INTEGER,
                by_uid TEXT,
                created_ms INTEGER NOT NULL,
                PRIMARY KEY (room_id, uid)
            ) STRICT;
            CREATE INDEX room_mutes_by_user ON room_mutes (uid);
            CREATE INDEX room_mutes_by_giver ON room_mutes (by_uid) WHERE by_uid IS NOT NULL;
            CREATE INDEX room_mutes_by_end ON room_mutes (until_ms) WHERE until_ms IS NOT NULL;
            CREATE INDEX room_guest_mutes_by_age ON room_mutes (created_ms) WHERE is_guest;
            """)
    }

    private static func createInvites(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_invites (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) BETWEEN 12 AND 12),
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                role TEXT NOT NULL CHECK (role IN ('listen', 'suggest', 'vote', 'control', 'cohost')),
                label TEXT CHECK (length(CAST(label AS BLOB)) BETWEEN 1 AND 60),
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
                uses INTEGER NOT NULL CHECK (uses >= 0),
                uses_max INTEGER CHECK (uses_max >= 1 AND uses <= uses_max),
                revoked_ms INTEGER,
                created_by TEXT
            ) STRICT;
            CREATE INDEX room_invites_by_room ON room_invites (room_id, created_ms DESC, id DESC);
            CREATE INDEX room_invites_by_end ON room_invites (expires_ms);
            CREATE INDEX room_invites_by_giver ON room_invites (created_by) WHERE created_by IS NOT NULL;

            CREATE TABLE room_invite_uses (
                invite_id TEXT NOT NULL REFERENCES room_invites (id) ON DELETE CASCADE,
                uid TEXT NOT NULL CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                is_guest INTEGER NOT NULL CHECK (is_guest IN (0, 1)),
                at_ms INTEGER NOT NULL,
                PRIMARY KEY (invite_id, uid)
            ) STRICT;
            CREATE INDEX room_invite_uses_by_user ON room_invite_uses (uid, at_ms DESC);
            CREATE INDEX room_invite_guests_by_age ON room_invite_uses (at_ms) WHERE is_guest;
            """)
    }

    private static func createTalkAndPlay(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_chat (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                id INTEGER NOT NULL CHECK (id >= 1),
                uid TEXT NOT NULL CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                username TEXT CHECK (length(CAST(username AS BLOB)) BETWEEN 3 AND 24),
                is_guest INTEGER NOT NULL CHECK (is_guest IN (0, 1)),
                text TEXT NOT NULL CHECK (length(CAST(text AS BLOB)) <= 4000),
                at_ms INTEGER NOT NULL,
                edited_ms INTEGER,
                deleted_ms INTEGER,
                reply_to INTEGER,
                mentions TEXT NOT NULL,
                PRIMARY KEY (room_id, id),
                CHECK ((text = '') = (deleted_ms IS NOT NULL))
            ) STRICT;
            CREATE INDEX room_chat_by_user ON room_chat (uid, at_ms DESC);

            CREATE TABLE room_history (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                id INTEGER NOT NULL CHECK (id >= 1),
                at_ms INTEGER NOT NULL,
                title TEXT CHECK (length(CAST(title AS BLOB)) BETWEEN 0 AND 512),
                artist TEXT CHECK (length(CAST(artist AS BLOB)) BETWEEN 0 AND 512),
                album TEXT CHECK (length(CAST(album AS BLOB)) BETWEEN 0 AND 512),
                duration_us INTEGER CHECK (duration_us BETWEEN 0 AND 9007199254740991),
                artwork TEXT CHECK (length(CAST(artwork AS BLOB)) BETWEEN 1 AND 1024),
                host_uid TEXT,
                PRIMARY KEY (room_id, id)
            ) STRICT;
            CREATE INDEX room_history_by_time ON room_history (room_id, at_ms, id);
            CREATE INDEX room_history_by_host ON room_history (host_uid) WHERE host_uid IS NOT NULL;

            CREATE TABLE room_queue (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                state TEXT NOT NULL CHECK (length(CAST(state AS BLOB)) BETWEEN 1 AND 524288),
                revision INTEGER NOT NULL CHECK (revision >= 0)
            ) STRICT;
            """)
    }
}
