internal import SonaDatabase
internal import SonaText
internal import SonaWire

/// The words of a track, as its file or the file beside it has them. Written by scans and uploads.
struct LyricsRecord: Record, Equatable {
    typealias Key = Int64

    let track: Int64
    /// Whether the lines have times: which member of `words` there is.
    let isSynced: Bool
    let words: SonaDatabase.JSON<StoredWords>

    static let track = Column(
        "track", \Self.track, .primaryKey, .references(TrackRecord.self, onDelete: .cascade))
    static let isSynced = Column("synced", \Self.isSynced, .oneOf(false, true))
    static let words = Column("words", \Self.words)

    static let table = Table<Self>("lyrics", track, isSynced, words)

    func bind(to values: inout Binder) {
        values.next(track)
        values.next(isSynced)
        values.next(words)
    }
}

extension LyricsRecord {
    init(row: inout Row) throws(DatabaseError) {
        track = try row.next()
        isSynced = try row.next()
        words = try row.next()
    }

    private init(_ lyrics: Lyrics, of track: Int64) {
        self.track = track
        switch lyrics.words {
        case .synced(let lines):
            isSynced = true
            words = SonaDatabase.JSON(StoredWords(times: lines.map(\.milliseconds), lines: lines.map(\.text)))
        case .plain(let text):
            isSynced = false
            words = SonaDatabase.JSON(StoredWords(text: text))
        }
    }

    /// Replaces the words of a track; `nil` removes them.
    static func put(_ lyrics: Lyrics?, of track: Int64, _ db: inout WriteAccess) throws {
        if let lyrics {
            try db.upsert(LyricsRecord(lyrics, of: track))
        } else {
            try db.execute("DELETE FROM lyrics WHERE track = \(track)")
        }
    }

    /// As they are told.
    var told: TrackLyricsResult {
        let words = words.value
        guard isSynced else { return TrackLyricsResult(text: words.text ?? "") }
        return TrackLyricsResult(
            lines: zip(words.times ?? [], words.lines ?? []).map { LyricsLine(atMilliseconds: $0, text: $1) })
    }
}

/// Lines with their times, or one text.
struct StoredWords: Codable, Sendable, Equatable {
    var times: [Int64]?
    var lines: [String]?
    var text: String?
}
