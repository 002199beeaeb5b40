internal import SonaDatabase

extension LibrarySchema {
    /// Adds the library: folders, music, files, and the work on them.
    @Sendable static func createLibrary(_ db: inout WriteAccess) throws {
        try createFolders(&db)
        try createMusic(&db)
        try createFiles(&db)
        try createSearch(&db)
    }

    /// Adds music folders and their directories.
    private static func createFolders(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE music_folders (
                number INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
                audience TEXT NOT NULL DEFAULT 'accounts' CHECK (audience IN ('accounts', 'chosen', 'admins')),
                scanned_ms INTEGER
            ) STRICT;
            CREATE TABLE music_folder_users (
                folder INTEGER NOT NULL REFERENCES music_folders (number) ON DELETE CASCADE,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                PRIMARY KEY (folder, uid)
            ) STRICT;
            CREATE INDEX music_folder_users_by_user ON music_folder_users (uid);
            CREATE TABLE music_directories (
                number INTEGER PRIMARY KEY,
                folder INTEGER NOT NULL REFERENCES music_folders (number) ON DELETE CASCADE,
                path BLOB NOT NULL,
                cover BLOB,
                UNIQUE (folder, path)
            ) STRICT;
            """)
    }

    /// Adds tracks, albums, artists and genres.
    private static func createMusic(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE artists (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 500),
                key TEXT NOT NULL UNIQUE,
                sort BLOB NOT NULL
            ) STRICT;
            CREATE INDEX artists_by_name ON artists (sort, number);
            CREATE TABLE genres (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 500),
                key TEXT NOT NULL UNIQUE,
                sort BLOB NOT NULL
            ) STRICT;
            CREATE INDEX genres_by_name ON genres (sort, number);
            CREATE TABLE albums (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 500),
                key TEXT NOT NULL,
                artist TEXT NOT NULL CHECK (length(CAST(artist AS BLOB)) <= 500),
                artist_key TEXT NOT NULL,
                sort BLOB NOT NULL,
                artist_sort BLOB NOT NULL,
                year INTEGER,
                identity TEXT NOT NULL UNIQUE,
                added_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX albums_by_name ON albums (sort, number);
            CREATE INDEX albums_by_artist ON albums (artist_sort, number);
            CREATE INDEX albums_by_age ON albums (added_ms, number);
            CREATE TABLE tracks (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) BETWEEN 1 AND 500),
                artist TEXT NOT NULL CHECK (length(CAST(artist AS BLOB)) <= 500),
                album_name TEXT NOT NULL CHECK (length(CAST(album_name AS BLOB)) <= 500),
                title_key TEXT NOT NULL,
                artist_key TEXT NOT NULL,
                album_key TEXT NOT NULL,
                title_sort BLOB NOT NULL,
                artist_sort BLOB NOT NULL,
                album_sort BLOB NOT NULL,
                album INTEGER REFERENCES albums (number) ON DELETE SET NULL,
                disc INTEGER,
                place INTEGER,
                year INTEGER,
                duration_ms INTEGER NOT NULL CHECK (duration_ms BETWEEN 0 AND 9223372036854775807),
                kind TEXT NOT NULL CHECK (length(CAST(kind AS BLOB)) BETWEEN 1 AND 16),
                bitrate INTEGER NOT NULL,
                sample_rate INTEGER NOT NULL,
                channels INTEGER NOT NULL,
                loudness INTEGER,
                peak INTEGER,
                owner_uid TEXT REFERENCES users (uid) ON DELETE CASCADE,
                status TEXT CHECK (status IN ('pending', 'approved', 'rejected')),
                scope INTEGER NOT NULL,
                plays INTEGER NOT NULL DEFAULT 0,
                added_ms INTEGER NOT NULL,
                changed_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX tracks_by_title ON tracks (title_sort, number);
            CREATE INDEX tracks_by_artist ON tracks (artist_sort, number);
            CREATE INDEX tracks_by_age ON tracks (added_ms, number);
            CREATE INDEX tracks_by_plays ON tracks (plays DESC, number DESC);
            CREATE INDEX tracks_by_album ON tracks (album, disc, place);
            CREATE INDEX tracks_by_owner ON tracks (owner_uid) WHERE owner_uid IS NOT NULL;
            CREATE TABLE track_artists (
                track INTEGER NOT NULL REFERENCES tracks (number) ON DELETE CASCADE,
                place INTEGER NOT NULL,
                artist INTEGER NOT NULL REFERENCES artists (number) ON DELETE CASCADE,
                PRIMARY KEY (track, place)
            ) STRICT;
            CREATE INDEX track_artists_by_artist ON track_artists (artist, track);
            CREATE TABLE album_artists (
                album INTEGER NOT NULL REFERENCES albums (number) ON DELETE CASCADE,
                place INTEGER NOT NULL,
                artist INTEGER NOT NULL REFERENCES artists (number) ON DELETE CASCADE,
                PRIMARY KEY (album, place)
            ) STRICT;
            CREATE INDEX album_artists_by_artist ON album_artists (artist, album);
            CREATE TABLE track_genres (
                track INTEGER NOT NULL REFERENCES tracks (number) ON DELETE CASCADE,
                place INTEGER NOT NULL,
                genre INTEGER NOT NULL REFERENCES genres (number) ON DELETE CASCADE,
                PRIMARY KEY (track, place)
            ) STRICT;
            CREATE INDEX track_genres_by_genre ON track_genres (genre, track);
            CREATE TABLE track_edits (
                track INTEGER PRIMARY KEY REFERENCES tracks (number) ON DELETE CASCADE,
                edits TEXT NOT NULL,
                by_uid TEXT REFERENCES users (uid) ON DELETE SET NULL,
                changed_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX track_edits_by_user ON track_edits (by_uid);
            """)
    }

    /// Adds files, uploads, jobs and what is measured.
    private static func createFiles(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE music_files (
                number INTEGER PRIMARY KEY,
                directory INTEGER REFERENCES music_directories (number) ON DELETE CASCADE,
                name BLOB,
                content BLOB,
                size INTEGER NOT NULL,
                modified_ns INTEGER NOT NULL,
                inode INTEGER NOT NULL,
                fingerprint BLOB,
                track INTEGER REFERENCES tracks (number) ON DELETE CASCADE,
                problem TEXT CHECK (length(CAST(problem AS BLOB)) BETWEEN 1 AND 64),
                detail TEXT,
                has_picture INTEGER NOT NULL,
                missing_ms INTEGER,
                tags BLOB,
                UNIQUE (directory, name)
            ) STRICT;
            CREATE INDEX music_files_by_track ON music_files (track);
            CREATE INDEX music_files_by_fingerprint ON music_files (fingerprint) WHERE fingerprint IS NOT NULL;
            CREATE INDEX music_files_by_content ON music_files (content) WHERE content IS NOT NULL;
            CREATE INDEX music_files_with_problems ON music_files (number) WHERE problem IS NOT NULL;
            CREATE INDEX missing_music_files ON music_files (missing_ms) WHERE missing_ms IS NOT NULL;
            CREATE TABLE track_measures (
                track INTEGER PRIMARY KEY REFERENCES tracks (number) ON DELETE CASCADE,
                version INTEGER NOT NULL,
                source TEXT NOT NULL,
                peaks BLOB,
                problem TEXT,
                detail TEXT,
                measured_ms INTEGER NOT NULL,
                CHECK ((peaks IS NULL) <> (problem IS NULL))
            ) STRICT;
            CREATE TABLE jobs (
                number INTEGER PRIMARY KEY,
                kind TEXT NOT NULL CHECK (length(CAST(kind AS BLOB)) BETWEEN 1 AND 32),
                key TEXT NOT NULL CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 200),
                payload TEXT NOT NULL,
                track TEXT,
                state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
                is_urgent INTEGER NOT NULL CHECK (is_urgent IN (0, 1)),
                attempts INTEGER NOT NULL,
                done INTEGER NOT NULL,
                total INTEGER NOT NULL,
                run_after_ms INTEGER NOT NULL,
                error TEXT CHECK (length(CAST(error AS BLOB)) BETWEEN 1 AND 32),
                detail TEXT CHECK (length(CAST(detail AS BLOB)) BETWEEN 1 AND 300),
                owner_uid TEXT REFERENCES users (uid) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL,
                changed_ms INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX unfinished_jobs ON jobs (key) WHERE state IN ('queued', 'running');
            CREATE INDEX waiting_jobs ON jobs (is_urgent DESC, number) WHERE state = 'queued';
            CREATE INDEX jobs_by_owner ON jobs (owner_uid, number DESC) WHERE owner_uid IS NOT NULL;
            CREATE INDEX finished_jobs ON jobs (changed_ms) WHERE state IN ('done', 'failed', 'cancelled');
            CREATE TABLE uploads (
                id TEXT NOT NULL PRIMARY KEY,
                owner_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                name TEXT CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 255),
                length INTEGER NOT NULL CHECK (length BETWEEN 1 AND 9223372036854775807),
                received INTEGER NOT NULL CHECK (received BETWEEN 0 AND 9223372036854775807),
                metadata TEXT CHECK (length(CAST(metadata AS BLOB)) <= 4096),
                resumable INTEGER NOT NULL CHECK (resumable IN (0, 1)),
                content BLOB,
                track INTEGER REFERENCES tracks (number) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL,
                touched_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX uploads_by_owner ON uploads (owner_uid, created_ms);
            CREATE INDEX uploads_by_silence ON uploads (touched_ms);
            CREATE INDEX uploads_by_track ON uploads (track) WHERE track IS NOT NULL;
            CREATE INDEX uploads_by_content ON uploads (content) WHERE content IS NOT NULL;
            CREATE TABLE media_contents (
                content BLOB NOT NULL PRIMARY KEY,
                size INTEGER NOT NULL CHECK (size BETWEEN 1 AND 9223372036854775807)
            ) STRICT;
            """)
    }

    /// Adds the search indexes, with the triggers that keep them in step.
    private static func createSearch(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE VIRTUAL TABLE "artists_search" USING fts5("key", content='artists', content_rowid='number',
                tokenize='sona_words 1', prefix='1 2 3');
            CREATE TRIGGER "artists_search_insert" AFTER INSERT ON "artists" BEGIN INSERT INTO "artists_search"
                (rowid, "key") VALUES (new."number", new."key"); END;
            CREATE TRIGGER "artists_search_delete" AFTER DELETE ON "artists" BEGIN INSERT INTO "artists_search"
                ("artists_search", rowid, "key") VALUES ('delete', old."number", old."key"); END;
            CREATE TRIGGER "artists_search_update" AFTER UPDATE ON "artists" WHEN old."number" IS NOT
                new."number" OR old."key" IS NOT new."key"
            BEGIN INSERT INTO "artists_search" ("artists_search", rowid, "key") VALUES ('delete', old."number",
                old."key"); INSERT INTO "artists_search" (rowid, "key") VALUES (new."number", new."key"); END;
            CREATE VIRTUAL TABLE "albums_search" USING fts5("key", "artist_key", content='albums',
                content_rowid='number', tokenize='sona_words 1', prefix='1 2 3');
            CREATE TRIGGER "albums_search_insert" AFTER INSERT ON "albums" BEGIN INSERT INTO "albums_search"
                (rowid, "key", "artist_key") VALUES (new."number", new."key", new."artist_key"); END;
            CREATE TRIGGER "albums_search_delete" AFTER DELETE ON "albums" BEGIN INSERT INTO "albums_search"
                ("albums_search", rowid, "key", "artist_key") VALUES ('delete', old."number", old."key",
                old."artist_key"); END;
            CREATE TRIGGER "albums_search_update" AFTER UPDATE ON "albums" WHEN old."number" IS NOT new."number"
                OR old."key" IS NOT new."key" OR old."artist_key" IS NOT new."artist_key"
            BEGIN INSERT INTO "albums_search" ("albums_search", rowid, "key", "artist_key") VALUES ('delete',
                old."number", old."key", old."artist_key"); INSERT INTO "albums_search" (rowid, "key",
                "artist_key") VALUES (new."number", new."key", new."artist_key"); END;
            CREATE VIRTUAL TABLE "tracks_search" USING fts5("title_key", "artist_key", "album_key",
                content='tracks', content_rowid='number', tokenize='sona_words 1', prefix='1 2 3');
            CREATE TRIGGER "tracks_search_insert" AFTER INSERT ON "tracks" BEGIN INSERT INTO "tracks_search"
                (rowid, "title_key", "artist_key", "album_key") VALUES (new."number", new."title_key",
                new."artist_key", new."album_key"); END;
            CREATE TRIGGER "tracks_search_delete" AFTER DELETE ON "tracks" BEGIN INSERT INTO "tracks_search"
                ("tracks_search", rowid, "title_key", "artist_key", "album_key") VALUES ('delete', old."number",
                old."title_key", old."artist_key", old."album_key"); END;
            CREATE TRIGGER "tracks_search_update" AFTER UPDATE ON "tracks" WHEN old."number" IS NOT new."number"
                OR old."title_key" IS NOT new."title_key" OR old."artist_key" IS NOT new."artist_key" OR
                old."album_key" IS NOT new."album_key"
            BEGIN INSERT INTO "tracks_search" ("tracks_search", rowid, "title_key", "artist_key", "album_key")
                VALUES ('delete', old."number", old."title_key", old."artist_key", old."album_key"); INSERT INTO
                "tracks_search" (rowid, "title_key", "artist_key", "album_key") VALUES (new."number",
                new."title_key", new."artist_key", new."album_key"); END;
            """)
    }
}
