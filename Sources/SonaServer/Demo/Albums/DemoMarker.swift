internal import SonaBase

/// The note in a folder of demo albums that says which version of them lies there: `.sona-demo`.
///
///     absent ──(begun, before the first file)──▶ begun ──(after the last file)──▶ complete
///
/// Lines: `sona-demo VERSION begun` or `sona-demo VERSION complete`, then the path of each file of that version.
struct DemoMarker: Equatable {
    var version: Int
    var isComplete: Bool
    /// In the folder, such as `Tidal Rooms/cover.png`.
    var files: [String]

    static let name = ".sona-demo"
    private static let bytesMax = 65_536

    init(version: Int, isComplete: Bool, files: [String]) {
        self.version = version
        self.isComplete = isComplete
        self.files = files
    }

    /// - Returns: nil if it is none of ours. Paths that lead out of the folder are left out.
    init?(text: String) {
        let lines = text.split(separator: "\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3, words[0] == "sona-demo",
            let version = Int(words[1]), ["begun", "complete"].contains(words[2])
        else { return nil }
        self.version = version
        isComplete = words[2] == "complete"
        files = lines.dropFirst().map(String.init).filter { path in
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts.contains { ["", ".", ".."].contains($0) }
        }
    }

    var text: String {
        (["sona-demo \(version) \(isComplete ? "complete" : "begun")"] + files).joined(separator: "\n") + "\n"
    }

    /// - Returns: nil if the folder has no marker, or a file of that name that is none.
    static func read(inFolder folder: String) throws(SecretFile.Failure) -> DemoMarker? {
        guard let bytes = try SecretFile.read(folder + "/" + name, bytesMax: bytesMax) else { return nil }
        return DemoMarker(text: String(decoding: bytes, as: UTF8.self))
    }

    func write(inFolder folder: String) throws(SecretFile.Failure) {
        try SecretFile.replace(folder + "/" + Self.name, Array(text.utf8))
    }
}
