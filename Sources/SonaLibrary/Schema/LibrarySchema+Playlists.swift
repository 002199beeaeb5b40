internal import SonaDatabase

extension LibrarySchema {
    /// Adds playlists.
    @Sendable static func createPlaylists(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE playlists (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                owner_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) BETWEEN 1 AND 100),
                key TEXT NOT NULL,
                description TEXT NOT NULL CHECK (length(CAST(description AS BLOB)) <= 1000),
                visibility TEXT NOT NULL CHECK (visibility IN ('private', 'unlisted', 'public')),
                rule TEXT,
                version INTEGER NOT NULL,
                generation INTEGER NOT NULL,
                entries INTEGER NOT NULL CHECK (entries BETWEEN 0 AND 10000),
                duration_ms INTEGER NOT NULL,
                invite BLOB,
                invite_expires_ms INTEGER,
                request_key TEXT,
                created_ms INTEGER NOT NULL,
                changed_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX playlists_by_owner ON playlists (owner_uid, changed_ms DESC, number DESC);
            CREATE INDEX public_playlists ON playlists (changed_ms DESC, number DESC) WHERE visibility = 'public';
            CREATE UNIQUE INDEX playlists_by_request ON playlists (owner_uid, request_key)
                WHERE request_key IS NOT NULL;
            CREATE TABLE playlist_entries (
                number INTEGER PRIMARY KEY,
                playlist INTEGER NOT NULL REFERENCES playlists (number) ON DELETE CASCADE,
                id TEXT NOT NULL,
                key TEXT NOT NULL CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 64),
                track INTEGER REFERENCES tracks (number) ON DELETE SET NULL,
                by_uid TEXT REFERENCES users (uid) ON DELETE SET NULL,
                added_ms INTEGER NOT NULL,
                duration_ms INTEGER NOT NULL,
                UNIQUE (playlist, id)
            ) STRICT;
            CREATE INDEX playlist_entries_by_key ON playlist_entries (playlist, key, id);
            CREATE INDEX playlist_entries_by_track ON playlist_entries (track, playlist) WHERE track IS NOT NULL;
            CREATE INDEX playlist_entries_by_user ON playlist_entries (by_uid) WHERE by_uid IS NOT NULL;
            CREATE TABLE playlist_removals (
                playlist INTEGER NOT NULL REFERENCES playlists (number) ON DELETE CASCADE,
                entry TEXT NOT NULL,
                removed_ms INTEGER NOT NULL,
                PRIMARY KEY (playlist, entry)
            ) STRICT;
            CREATE INDEX playlist_removals_by_age ON playlist_removals (removed_ms);
            CREATE TABLE playlist_pins (
                playlist INTEGER NOT NULL REFERENCES playlists (number) ON DELETE CASCADE,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                pinned_ms INTEGER NOT NULL,
                PRIMARY KEY (playlist, uid)
            ) STRICT;
            CREATE INDEX playlist_pins_by_user ON playlist_pins (uid, pinned_ms DESC, playlist DESC);
            CREATE TABLE playlist_collaborators (
                playlist INTEGER NOT NULL REFERENCES playlists (number) ON DELETE CASCADE,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                joined_ms INTEGER NOT NULL,
                PRIMARY KEY (playlist, uid)
            ) STRICT;
            CREATE INDEX playlist_collaborators_by_user ON playlist_collaborators (uid, playlist);
            CREATE VIRTUAL TABLE "playlists_search" USING fts5("key", content='playlists', content_rowid='number',
                tokenize='sona_words 1', prefix='1 2 3');
            CREATE TRIGGER "playlists_search_insert" AFTER INSERT ON "playlists" BEGIN INSERT INTO "playlists_search"
                (rowid, "key") VALUES (new."number", new."key"); END;
            CREATE TRIGGER "playlists_search_delete" AFTER DELETE ON "playlists" BEGIN INSERT INTO "playlists_search"
                ("playlists_search", rowid, "key") VALUES ('delete', old."number", old."key"); END;
            CREATE TRIGGER "playlists_search_update" AFTER UPDATE ON "playlists" WHEN old."number" IS NOT
                new."number" OR old."key" IS NOT new."key"
            BEGIN INSERT INTO "playlists_search" ("playlists_search", rowid, "key") VALUES ('delete', old."number",
                old."key"); INSERT INTO "playlists_search" (rowid, "key") VALUES (new."number", new."key"); END;
            """)
    }
}
