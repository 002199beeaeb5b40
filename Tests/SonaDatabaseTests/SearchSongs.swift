import SonaDatabase
import SonaTestSupport
import Testing

/// Songs with a search index, for the tests of searching.
struct Song: Record, Equatable {
    typealias Key = Int64
    var id: Int64?
    var title: String
    var artist: String?
    var plays = 0
    var isPublic = true

    static let id = Column("id", \Self.id, .primaryKey)
    static let title = Column("title", \Self.title)
    static let artist = Column("artist", \Self.artist)
    static let plays = Column("plays", \Self.plays)
    static let isPublic = Column("is_public", \Self.isPublic)
    static let table = Table<Self>(
        "songs", id, title, artist, plays, isPublic, search: SearchIndex(title, artist))

    init(id: Int64? = nil, _ title: String, artist: String? = nil, plays: Int = 0, isPublic: Bool = true) {
        self.id = id
        self.title = title
        self.artist = artist
        self.plays = plays
        self.isPublic = isPublic
    }

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        title = try row.next()
        artist = try row.next()
        plays = try row.next()
        isPublic = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(title)
        values.next(artist)
        values.next(plays)
        values.next(isPublic)
    }
}

/// A text and nothing else, so that one test can have tables of several declarations.
protocol TextRecord: Record where Key == Int64 {
    var id: Int64 { get set }
    var text: String { get set }
    init()
}

extension TextRecord {
    init(_ id: Int64, _ text: String) {
        self.init()
        self.id = id
        self.text = text
    }

    init(row: inout Row) throws(DatabaseError) {
        self.init()
        id = try row.next()
        text = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(text)
    }
}

/// With the tokenizer of the layer.
struct WordsText: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("words_texts", id, text, search: SearchIndex(text))
}

/// With SQLite's.
struct PlainText: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("plain_texts", id, text, search: SearchIndex(text, tokenizer: .unicode61))
}

enum Songs {
    static let applicationID: Int32 = 0x534F_4E47

    struct Everything: DAOs {
        let songs: SongDAO
        let words: TextDAO<WordsText>
        let plain: TextDAO<PlainText>
        init(_ database: any DatabaseWriter) {
            songs = SongDAO(database)
            words = TextDAO(database)
            plain = TextDAO(database)
        }
    }

    struct One<Text: TextRecord>: DAOs {
        let texts: TextDAO<Text>
        init(_ database: any DatabaseWriter) { texts = TextDAO(database) }
    }

    static func inMemory() async throws -> DatabaseQueue {
        try await DatabaseQueue.inMemory(daos: Everything.self).database
    }

    /// A file with all three tables. Not synced: what a power cut leaves is not the subject.
    static func open(_ folder: TemporaryFolder) async throws -> DatabasePool {
        var options = DatabaseOptions()
        options.durability = .normal
        return try await DatabasePool.open(
            folder.file("songs.sqlite"), applicationID: applicationID, daos: Everything.self, options: options
        ).database
    }

    /// A file with one table of texts, declared by `Text`.
    static func open<Text: TextRecord>(_ folder: TemporaryFolder, _: Text.Type) async throws -> DatabasePool {
        try await DatabasePool.open(
            folder.file("songs.sqlite"), applicationID: applicationID, daos: One<Text>.self
        ).database
    }
}

enum SongError: RecordError {
    case notFound, alreadyExists
    case cannotFetch(DatabaseError), cannotSave(DatabaseError)
}

struct SongDAO: TableDAO {
    typealias Model = Song
    typealias Failure = SongError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Song.self) }
}

struct TextDAO<Text: TextRecord>: TableDAO {
    typealias Model = Text
    typealias Failure = SongError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Text.self) }
}

extension DatabaseAccess where Self: ~Copyable {
    /// The keys of what is found, best first.
    func keys<Text: TextRecord>(
        _: Text.Type, _ typed: String, _ matching: SearchText.Matching = .allWords
    ) throws -> [Int64] {
        guard let text = SearchText(typed, matching: matching) else { return [] }
        return try search(Text.self, text, limit: 100_000).map(\.id)
    }

    func titles(
        _ typed: String, _ matching: SearchText.Matching = .allWords, in columns: [any TableColumn<Song>] = []
    ) throws -> [String] {
        guard let text = SearchText(typed, matching: matching) else { return [] }
        return try search(Song.self, text, in: columns, limit: 100_000).map(\.title)
    }
}

extension WriteAccess {
    /// Holds the index against the table. Throws `corrupt` if they differ.
    mutating func checkSongIndex() throws(DatabaseError) {
        try execute("INSERT INTO songs_search (songs_search, rank) VALUES ('integrity-check', 1)")
    }
}

/// Titles as people have them, in many scripts.
enum Titles {
    /// With spaces between words.
    static let spaced = [
        "Smells Like Teen Spirit", "Für Elise", "Déjà vu", "Hoppípolla", "Zażółć gęślą jaźń", "İstanbul'da Sonbahar",
        "Nơi này có anh", "So What (Live at the O₂)", "R.E.M. – Losing My Religion", "99 Luftballons", "AC/DC: T.N.T.",
        "Группа крови", "Очи чёрные", "Χάρτινο το φεγγαράκι", "ירושלים של זהב", "أنت عمري", "لاموني اللي غاروا مني",
        "लग जा गले", "வெண்ணிலவே வெண்ணிலவே", "სულიკო", "Դլե յաման", "봄날", "강남스타일", "사랑했지만",
        "እንጉዳዬ ነሽ", "\u{2067}הבה נגילה\u{2069}", "🎵 Lo-fi 🤘beats🫠",
    ]
    /// Without.
    static let unspaced = [
        "新東京物語", "月亮代表我的心", "上を向いて歩こう", "さくらさくら", "アイドル", "夜に駆ける", "ﾊﾟﾌﾟﾘｶ", "𠮷野家の歌",
        "แสงสุดท้าย", "ดวงจันทร์", "ດວງຈຳປາ", "ស្នេហ៍ឆ្លងដែន", "မြန်မာ့အလှ",
    ]
}
