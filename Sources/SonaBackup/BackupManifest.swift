internal import SonaCrypto
internal import SonaWire

/// The list of everything that belongs to one backup. Written last: a backup without a manifest does not exist.
///
/// ```
/// {"format":"sona-backup","version":1,"name":…}      what was backed up, and when
/// {"path":"sona.sqlite","size":…,"sha256":…,"piece_bytes":…,"pieces":"…"}
/// {"path":"media/…","size":…,"modified_ns":…,"sha256":"…"}      a line for each file
/// {"end":true,"sha256":"…"}      SHA-256 of every byte before this line
/// ```
/// Each line is one JSON object. Hashes are SHA-256 in hexadecimal digits. A content is kept as `objects/AA/HASH`.
package struct BackupManifest: Sendable, Equatable {
    /// A file of the data folder.
    package struct File: Sendable, Equatable {
        /// Relative to the data folder.
        package let path: String
        package let size: Int64
        /// When the file was last changed, as of the copy. With the size it tells that a file need not be read again.
        let modifiedNanoseconds: Int64
        package let hash: String
    }

    /// The database, in pieces of one size (but the last): a change of a few pages costs a few pieces.
    package struct Database: Sendable, Equatable {
        package let size: Int64
        package let hash: String
        let pieceBytes: Int
        let pieces: [String]
    }

    static let version: Int64 = 1
    static let fileSuffix = ".manifest"
    static let databaseName = "sona.sqlite"

    /// The moment in UTC, as a name that sorts by time.
    package let name: String
    package let createdMilliseconds: Int64
    /// The version of Sona that made it.
    package let program: String
    /// Migrations applied to the database, and the name of the last one.
    package let schemaVersion: Int
    package let schemaName: String
    package let hasRenditions: Bool
    /// The folder of keys in a `PassphraseBox`; `nil` if they were left out.
    package let keys: [UInt8]?
    /// Contents that the database names and the data folder did not have.
    package let missing: [String]
    package let database: Database
    package let files: [File]

    /// Bytes of everything in it.
    package var bytes: Int64 { files.reduce(database.size) { $0 + $1.size } }

    /// Every object that it needs, with its size.
    var objects: [String: Int64] {
        var objects: [String: Int64] = [:]
        for file in files { objects[file.hash] = file.size }
        for (index, piece) in database.pieces.enumerated() {
            let start = Int64(index) * Int64(database.pieceBytes)
            objects[piece] = min(Int64(database.pieceBytes), database.size - start)
        }
        return objects
    }

    /// In words, for whoever opens the file.
    private var leftOut: String {
        "the operator's own music folders, uploads under way, the demo's albums"
            + (hasRenditions ? "" : ", renditions (made again when asked for)")
            + (keys == nil ? ", the keys (there was no passphrase to encrypt them with)" : "")
    }

    /// A manifest's name: digits, `T`, `Z` and hyphens.
    static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x54, 0x5A, 0x2D].contains($0) }
    }

    // MARK: Writing

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        func line(_ members: (inout JSONWriter) -> Void) {
            var writer = JSONWriter()
            writer.object(members)
            bytes += writer.bytes + [UInt8(ascii: "\n")]
        }
        line { writer in
            writer.member("format", "sona-backup")
            writer.member("version", Self.version)
            writer.member("name", name)
            writer.member("created_ms", createdMilliseconds)
            writer.member("program", program)
            writer.member("schema", schemaVersion)
            writer.member("schema_name", schemaName)
            writer.member("renditions", hasRenditions)
            writer.member("left_out", leftOut)
            writer.member("missing", missing)
            writer.member("keys", orNull: keys.map { Hex.text($0) })
            writer.member("bytes", self.bytes)
            writer.member("files", files.count)
        }
        line { writer in
            writer.member("path", Self.databaseName)
            writer.member("size", database.size)
            writer.member("sha256", database.hash)
            writer.member("piece_bytes", database.pieceBytes)
            writer.member("pieces", database.pieces.joined())
        }
        for file in files {
            line { writer in
                writer.member("path", file.path)
                writer.member("size", file.size)
                writer.member("modified_ns", "\(file.modifiedNanoseconds)")
                writer.member("sha256", file.hash)
            }
        }
        let hash = Hex.text(Digest.sha256(bytes))
        line { writer in
            writer.member("end", true)
            writer.member("sha256", hash)
        }
        return bytes
    }

    // MARK: Reading

    /// - Throws: `damaged` for bytes that are not those that were written; `newer` for a form of a later version.
    init(_ bytes: [UInt8], name expected: String) throws(BackupError) {
        func damaged(_ what: String) -> BackupError {
            BackupError(.damaged, "The backup \(expected) is damaged: \(what).")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard bytes.last == UInt8(ascii: "\n"), lines.count >= 3, let last = lines.last else {
            throw damaged("its manifest is cut off")
        }
        func parse(_ line: ArraySlice<UInt8>) throws(BackupError) -> JSON {
            do throws(JSONError) { return try JSON.parse(Array(line)) } catch {
                throw damaged("its manifest can't be read")
            }
        }
        let end = try parse(last)
        guard end["end"]?.bool == true,
            end["sha256"]?.string == Hex.text(Digest.sha256(bytes.prefix(last.startIndex)))
        else { throw damaged("its manifest is not the one that was written") }
        let head = try parse(lines[0])
        guard head["format"]?.string == "sona-backup", let version = head["version"]?.integer else {
            throw damaged("its manifest is of something else")
        }
        guard version <= Self.version else {
            throw BackupError(.newer, "The backup \(expected) was made by a newer version of Sona.")
        }
        guard let name = head["name"]?.string, name == expected, let created = head["created_ms"]?.integer,
            let program = head["program"]?.string, let schema = head["schema"]?.integer,
            let schemaName = head["schema_name"]?.string, let database = Self.database(try parse(lines[1]))
        else { throw damaged("its manifest lacks members") }
        self.name = name
        createdMilliseconds = created
        self.program = program
        schemaVersion = Int(schema)
        self.schemaName = schemaName
        hasRenditions = head["renditions"]?.bool ?? false
        keys = head["keys"]?.string.flatMap { Hex.bytes($0) }
        missing = head["missing"]?.array?.compactMap(\.string) ?? []
        self.database = database
        var files: [File] = []
        for line in lines[2..<(lines.count - 1)] {
            guard let file = Self.file(try parse(line)) else { throw damaged("its manifest has a wrong path") }
            files.append(file)
        }
        self.files = files
    }

    init(
        name: String, createdMilliseconds: Int64, program: String, schema: (version: Int, name: String),
        hasRenditions: Bool, keys: [UInt8]?, missing: [String], database: Database, files: [File]
    ) {
        self.name = name
        self.createdMilliseconds = createdMilliseconds
        self.program = program
        schemaVersion = schema.version
        schemaName = schema.name
        self.hasRenditions = hasRenditions
        self.keys = keys
        self.missing = missing
        self.database = database
        self.files = files
    }

    private static func database(_ json: JSON) -> Database? {
        guard json["path"]?.string == databaseName, let size = json["size"]?.integer, size > 0,
            let hash = json["sha256"]?.string, Hex.isHash(hash), let pieceBytes = json["piece_bytes"]?.integer,
            pieceBytes > 0, let text = json["pieces"]?.string?.utf8, text.count % 64 == 0
        else { return nil }
        let digits = Array(text)
        let pieces = stride(from: 0, to: digits.count, by: 64).map {
            String(decoding: digits[$0..<($0 + 64)], as: UTF8.self)
        }
        guard pieces.allSatisfy(Hex.isHash), Int64(pieces.count) == (size + pieceBytes - 1) / pieceBytes else {
            return nil
        }
        return Database(size: size, hash: hash, pieceBytes: Int(pieceBytes), pieces: pieces)
    }

    /// A path that leads out of the data folder is no path of a backup.
    private static func file(_ json: JSON) -> File? {
        guard let path = json["path"]?.string, let size = json["size"]?.integer, size >= 0,
            let hash = json["sha256"]?.string, Hex.isHash(hash),
            let modified = json["modified_ns"]?.string.flatMap(Int64.init), SourceFiles.isBackedUp(path)
        else { return nil }
        return File(path: path, size: size, modifiedNanoseconds: modified, hash: hash)
    }
}

/// Bytes as hexadecimal digits.
enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Whether this is a SHA-256 as `text` writes it.
    static func isHash(_ text: String) -> Bool { text.utf8.count == 64 && text.utf8.allSatisfy { value($0) != nil } }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
