import Foundation

/// The files of this package, as they lie beside the tests.
enum SourceTree {
    /// The folder with Package.swift.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// - Parameter path: From the root.
    static func text(_ path: String) throws -> String { try String(contentsOfFile: root + "/" + path, encoding: .utf8) }

    /// The names in a folder, sorted.
    static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).sorted()
    }

    /// Paths from the root of all Swift files under a folder, sorted.
    static func swiftFiles(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
            .filter { $0.hasSuffix(".swift") }.sorted().map { folder + "/" + $0 }
    }

    /// The modules that the Swift files under a folder import.
    static func imports(_ folder: String) throws -> Set<String> {
        try swiftFiles(folder).reduce(into: []) { $0.formUnion(imports(ofText: try text($1))) }
    }

    /// The modules that a Swift file imports. Only whole lines count, so none that a string literal quotes in indents.
    static func imports(ofText text: String) -> Set<String> {
        let pattern =
            /^(?:@\w+ +)*(?:(?:public|package|internal|fileprivate|private) +)?import +(?:(?:struct|class|enum|protocol|typealias|func|let|var) +)?(\w+)/
        return text.split(separator: "\n").reduce(into: []) { found, line in
            if let match = line.firstMatch(of: pattern) { found.insert(String(match.1)) }
        }
    }
}
