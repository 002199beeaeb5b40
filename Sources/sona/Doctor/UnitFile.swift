import Glibc
import SonaBase

/// The settings of a systemd unit that decide what its server sees: those of `[Service]`, with drop-ins.
///
/// Source: systemd.unit(5), systemd.exec(5), systemd.syntax(7).
struct UnitFile: Equatable {
    let path: String
    /// Values in the order of the files; an empty one empties the list before it.
    private(set) var values: [String: [String]] = [:]

    private static let folders = [
        "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]
    private static let bytesMax = 1 << 20

    init(path: String, texts: [String]) {
        self.path = path
        for text in texts { read(text) }
    }

    /// - Parameter name: The name of a unit, or a path.
    /// - Returns: nil if there is none.
    static func find(_ name: String) -> UnitFile? {
        let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        guard let path = candidates.first(where: { access($0, R_OK) == 0 }), let text = text(path) else { return nil }
        let dropInFolders = name.contains("/") ? [name + ".d"] : folders.map { "\($0)/\(name).d" }
        // The name of a drop-in decides its place, whatever folder it is in; the first folder wins.
        var dropIns: [String: String] = [:]
        for folder in dropInFolders {
            for file in names(in: folder) where file.hasSuffix(".conf") && dropIns[file] == nil {
                dropIns[file] = folder + "/" + file
            }
        }
        let texts = dropIns.sorted { $0.key < $1.key }.compactMap { Self.text($0.value) }
        return UnitFile(path: path, texts: [text] + texts)
    }

    private static func text(_ path: String) -> String? {
        (try? WholeFile.read(path, bytesMax: bytesMax)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    private mutating func read(_ text: String) {
        var isService = false
        var carried = ""
        for line in text.split(separator: "\n") {
            let trimmed = Self.trimmed(line)
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if trimmed.hasSuffix("\\") {
                carried += trimmed.dropLast() + " "
                continue
            }
            let whole = carried + trimmed
            carried = ""
            if whole.hasPrefix("[") {
                isService = whole == "[Service]"
            } else if isService, let sign = whole.firstIndex(of: "=") {
                let key = Self.trimmed(whole[..<sign])
                let value = Self.trimmed(whole[whole.index(after: sign)...])
                values[key] = value.isEmpty ? [] : (values[key] ?? []) + [value]
            }
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The last value of a key.
    func value(_ key: String) -> String? { values[key]?.last }

    /// Every word of a key that takes a list.
    func words(_ key: String) -> [String] {
        (values[key] ?? []).flatMap { $0.split(separator: " ").map(String.init) }
    }

    func isOn(_ key: String) -> Bool { ["1", "yes", "true", "on"].contains(value(key)?.lowercased() ?? "") }

    /// What hides a path from the unit, as the setting stands in its file; nil if nothing does.
    func hides(_ path: String) -> String? {
        let bound = (words("BindPaths") + words("BindReadOnlyPaths")).map { word in
            // SOURCE:DESTINATION:OPTIONS; the destination is what the unit sees. A minus ignores a missing one.
            let parts = word.drop { $0 == "-" }.split(separator: ":")
            return String(parts.count > 1 ? parts[1] : parts.first ?? "")
        }
        if bound.contains(where: { Self.isIn(path, $0) }) { return nil }
        if let home = value("ProtectHome")?.lowercased(), ["1", "yes", "true", "on", "tmpfs"].contains(home),
            ["/home", "/root", "/run/user"].contains(where: { Self.isIn(path, $0) })
        {
            return "ProtectHome=\(home)"
        }
        for word in words("InaccessiblePaths") where Self.isIn(path, String(word.drop { $0 == "-" || $0 == "+" })) {
            return "InaccessiblePaths=\(word)"
        }
        let isTemporary = ["/tmp", "/var/tmp"].contains { Self.isIn(path, $0) }
        return isOn("PrivateTmp") && isTemporary ? "PrivateTmp=yes" : nil
    }

    private static func isIn(_ path: String, _ folder: String) -> Bool {
        !folder.isEmpty && (path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/"))
    }
}
