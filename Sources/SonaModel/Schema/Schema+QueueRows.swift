internal import SonaDatabase
internal import SonaWire

extension ModelSchema {
    /// Splits each queue, which was one text, into rows.
    ///
    /// A text that cannot be split stays as it is. Opening the room then reports the fault.
    @Sendable static func cutQueues(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE room_queue ADD COLUMN writes INTEGER NOT NULL DEFAULT 0 CHECK (writes >= 0);
            CREATE TABLE room_queue_entries (
                room_id TEXT NOT NULL REFERENCES room_queue (room_id) ON DELETE CASCADE,
                id INTEGER NOT NULL CHECK (id >= 1),
                list TEXT NOT NULL CHECK (list IN ('waiting', 'pending', 'past')),
                place INTEGER NOT NULL,
                entry TEXT NOT NULL CHECK (length(CAST(entry AS BLOB)) BETWEEN 1 AND 65536),
                PRIMARY KEY (room_id, id)
            ) STRICT;
            CREATE TABLE room_queue_plays (
                room_id TEXT NOT NULL REFERENCES room_queue (room_id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                play TEXT NOT NULL CHECK (length(CAST(play AS BLOB)) BETWEEN 1 AND 65536),
                PRIMARY KEY (room_id, number)
            ) STRICT;
            CREATE TABLE room_queue_votes (
                room_id TEXT NOT NULL REFERENCES room_queue (room_id) ON DELETE CASCADE,
                entry_id INTEGER NOT NULL CHECK (entry_id >= 1),
                uid TEXT NOT NULL CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                vote TEXT NOT NULL CHECK (vote IN ('up', 'down', 'skip')),
                PRIMARY KEY (room_id, entry_id, uid)
            ) STRICT;
            """)
        for room in try db.values("SELECT room_id FROM room_queue", as: String.self) {
            let text: String? = try db.value("SELECT state FROM room_queue WHERE room_id = \(room)")
            guard let text, let queue = CutQueue(text) else { continue }
            try queue.write(to: room, in: &db)
        }
    }
}

/// The text of a queue, split into the rows of the first version that had rows.
private struct CutQueue {
    private var state: [SonaWire.JSON.Member] = []
    private var entries: [(id: Int64, list: String, place: Int64, text: String)] = []
    private var plays: [(number: Int64, text: String)] = []
    private var votes: [(entry: Int64, user: String, vote: String)] = []

    /// - Returns: `nil` for a text that earlier versions did not write.
    init?(_ text: String) {
        guard let json = try? SonaWire.JSON.parse(Array(text.utf8)), let members = json.object,
            json["format"]?.integer == 1, let playCount = json["play_count"]?.integer
        else { return nil }
        for list in ["waiting", "pending", "past"] {
            guard let objects = Self.array(json[list]), cut(objects, list) else { return nil }
        }
        guard let history = Self.array(json["history"]), let skips = Self.users(json["skip"]) else { return nil }
        for (index, play) in history.enumerated() {
            guard let text = Self.text(play, without: []) else { return nil }
            plays.append((playCount - Int64(history.count - 1 - index), text))
        }
        if let playing = json["now"]?["id"]?.integer, playing >= 1 {
            votes += skips.map { (playing, $0, "skip") }
        } else if !skips.isEmpty {
            return nil
        }
        let keys = entries.map(\.id)
        let voters = votes.map { "\($0.entry) \($0.user)" }
        guard Set(keys).count == keys.count, Set(voters).count == voters.count else { return nil }
        let cut: Set = ["waiting", "pending", "past", "history", "skip"]
        state = members.filter { !cut.contains($0.key) }
        for index in state.indices where state[index].key == "format" { state[index].value = .integer(2) }
    }

    private mutating func cut(_ objects: [SonaWire.JSON], _ list: String) -> Bool {
        for (index, object) in objects.enumerated() {
            let isWaiting = list == "waiting"
            guard let id = object["id"]?.integer, id >= 1,
                let text = Self.text(object, without: isWaiting ? ["id", "up", "down"] : ["id"])
            else { return false }
            entries.append((id, list, (Int64(index) + 1) << 32, text))
            guard isWaiting else { continue }
            for vote in ["up", "down"] {
                guard let users = Self.users(object[vote]) else { return false }
                votes += users.map { (id, $0, vote) }
            }
        }
        return true
    }

    private static func array(_ json: SonaWire.JSON?) -> [SonaWire.JSON]? {
        guard let json, !json.isNull else { return [] }
        return json.array
    }

    private static func users(_ json: SonaWire.JSON?) -> [String]? {
        guard let array = array(json) else { return nil }
        let users = array.compactMap(\.string).filter { Limits.userIDBytes.contains($0.utf8.count) }
        return users.count == array.count ? users : nil
    }

    /// - Returns: `nil` if the value is not an object, or its text is longer than a row may be.
    private static func text(_ json: SonaWire.JSON, without keys: Set<String>) -> String? {
        guard let members = json.object else { return nil }
        let bytes = SonaWire.JSON.object(members.filter { !keys.contains($0.key) }).encoded()
        return bytes.count <= 65_536 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    func write(to room: String, in db: inout WriteAccess) throws {
        let text = String(decoding: SonaWire.JSON.object(state).encoded(), as: UTF8.self)
        try db.execute("UPDATE room_queue SET state = \(text), writes = 1 WHERE room_id = \(room)")
        try db.withStatement("INSERT INTO room_queue_entries VALUES (?, ?, ?, ?, ?)") { statement in
            for entry in entries { try statement.execute(room, entry.id, entry.list, entry.place, entry.text) }
        }
        try db.withStatement("INSERT INTO room_queue_plays VALUES (?, ?, ?)") { statement in
            for play in plays { try statement.execute(room, play.number, play.text) }
        }
        try db.withStatement("INSERT INTO room_queue_votes VALUES (?, ?, ?, ?)") { statement in
            for vote in votes { try statement.execute(room, vote.entry, vote.user, vote.vote) }
        }
    }
}
