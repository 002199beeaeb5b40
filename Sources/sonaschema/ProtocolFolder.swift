import Foundation
import SonaWire

/// The folder `Protocol`, with the contents its generated files should have.
struct ProtocolFolder {
    private let folder: URL
    /// Contents by path below the folder.
    let files: [String: String]

    /// - Throws: `Fault` if a message has no heading on a page of its area, or a file cannot be read.
    init(_ folder: URL) throws {
        self.folder = folder
        let pages = try SpecPages(folder.appending(path: "spec"))
        let frames = try JSON.parse(Array(Data(contentsOf: folder.appending(path: "schema/frames.json"))))
        var files = try SchemaFiles(pages).files
        files["asyncapi.yaml"] = try AsyncAPI(pages, frames: frames).text
        self.files = files
    }

    /// Paths of files that are missing, differ, or should not be there.
    func staleFiles() throws -> [String] {
        let differing = files.filter { path, text in
            (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) != text
        }
        return (differing.keys + (try leftovers())).sorted()
    }

    /// Removes files of areas that no longer exist, then writes all others.
    func write() throws {
        for path in try leftovers() { try FileManager.default.removeItem(at: folder.appending(path: path)) }
        for (path, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: path), options: .atomic)
        }
    }

    /// Schema files of areas that no longer exist.
    private func leftovers() throws -> [String] {
        let byHand: Set = ["frames.json", "vectors.json"]
        return try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "schema").path)
            .filter { $0.hasSuffix(".json") && !byHand.contains($0) }
            .map { "schema/\($0)" }.filter { files[$0] == nil }
    }
}

/// The reason why the files cannot be written.
struct Fault: Error, CustomStringConvertible {
    var description: String
}

/// The headings of the pages in `spec/`.
struct SpecPages {
    private let headings: [String: Set<String>]

    init(_ folder: URL) throws {
        var headings: [String: Set<String>] = [:]
        for area in Catalogue.areas {
            let text = try String(contentsOf: folder.appending(path: "\(area.name).md"), encoding: .utf8)
            headings[area.name] = Set(
                text.split(separator: "\n").filter { $0.hasPrefix("#") }
                    .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "# ")) })
        }
        self.headings = headings
    }

    /// Page and heading of a message's prose.
    func reference(to type: String, in area: Area) throws -> String {
        guard headings[area.name]?.contains(type) == true else {
            throw Fault(description: "spec/\(area.name).md has no heading \(type).")
        }
        return "See spec/\(area.name).md, \"\(type)\"."
    }
}
