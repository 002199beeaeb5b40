import Glibc
import SonaWire

/// One test of a file in Protocol/vectors.
struct Vector: CustomStringConvertible {
    enum Result: String {
        case valid
        case invalid
        case acceptable
    }

    var family: String
    var id: Int64
    var comment: String
    var flags: [String]
    /// The kind of the input: `requests/room.join`, `server_frame`, `username`.
    var message: String
    var input: [UInt8]
    var value: JSON
    var result: Result
    var code: String?

    var description: String { "\(family) \(id) (\(comment))" }

    /// The rest of the message's name after `prefix`, or `nil` if it does not begin with it.
    func name(after prefix: String) -> String? {
        message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : nil
    }

    /// The input as text, for vectors that have one.
    var text: String { String(decoding: input, as: UTF8.self) }
}

/// The files of Protocol/vectors, found from where this source file lies.
enum VectorFile {
    struct Unreadable: Error {
        var path: String
        var reason: String
    }

    /// The folder Protocol.
    static let root: String = {
        let parts = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false)
        // Tests/ConformanceTests/VectorFile.swift is three below the root.
        return parts.dropLast(3).joined(separator: "/") + "/Protocol"
    }()

    static let folder = root + "/vectors"

    /// Names of all files without `.json`, sorted.
    static func families() throws -> [String] {
        guard let directory = opendir(folder) else { throw Unreadable(path: folder, reason: "cannot be opened") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".json") { names.append(String(name.dropLast(5))) }
        }
        return names.sorted()
    }

    static func vectors(_ family: String) throws -> [Vector] {
        let path = "\(folder)/\(family).json"
        let json = try JSON.parse(try read(path), depthMax: 64)
        guard let tests = json["tests"]?.array, !tests.isEmpty else {
            throw Unreadable(path: path, reason: "has no tests")
        }
        return try tests.map { test in
            guard let id = test["id"]?.integer, let comment = test["comment"]?.string,
                let flags = test["flags"]?.array?.compactMap(\.string), let message = test["message"]?.string,
                let input = test["text"]?.string.map({ Array($0.utf8) })
                    ?? test["bytes"]?.string.flatMap(Hex.bytes),
                let result = test["result"]?.string.flatMap(Vector.Result.init), let value = test["value"]
            else { throw Unreadable(path: path, reason: "has a test without the usual members") }
            return Vector(
                family: family, id: id, comment: comment, flags: flags, message: message, input: input,
                value: value, result: result, code: test["code"]?.string)
        }
    }

    /// All vectors whose message satisfies a condition.
    static func all(where condition: (Vector) -> Bool) throws -> [Vector] {
        try families().flatMap { try vectors($0) }.filter(condition)
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Unreadable(path: path, reason: "cannot be opened") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&block, 1, block.count, file), count > 0 {
            bytes.append(contentsOf: block[..<count])
        }
        return bytes
    }
}

/// Bytes as two lower-case hexadecimal digits each.
enum Hex {
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? $0 - 48 : $0 &- 87 }
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 < 16 }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension JSON {
    /// The same value with all members in the order of their keys, for comparing: the order means nothing.
    var sorted: JSON {
        switch self {
        case .array(let values): .array(values.map(\.sorted))
        case .object(let members):
            .object(
                members.map { .init(key: $0.key, value: $0.value.sorted) }
                    .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        default: self
        }
    }

    /// An integer, or the digits of one that JSON cannot carry.
    var wide: Int64? { integer ?? string.flatMap { Int64($0) } }
}
