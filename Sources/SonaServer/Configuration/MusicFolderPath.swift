internal import SonaConfiguration
internal import SonaWire

/// A music folder of the configuration: the name that people see, and the path that they don't.
package struct MusicFolderPath: Sendable, Equatable {
    package var name: String
    package var path: String

    /// Reads `NAME=DIR`, or `DIR`, whose last part is then the name.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // A path may have the sign in it, too.
        let hasName = parts.count == 2 && !parts[0].contains("/") && !parts[0].isEmpty
        path = hasName ? parts[1] : text
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        name = hasName ? parts[0] : String(path.split(separator: "/").last ?? "Music")
        guard !path.isEmpty, !path.utf8.contains(0), Limits.folderNameBytes.contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
    }

    package var text: String { "\(name)=\(path)" }
}

extension ConfigurationForm where Value == MusicFolderPath {
    static var musicFolder: Self {
        Self(
            "NAME=DIR", expectation: "a folder, or a name, an equals sign and a folder", read: { MusicFolderPath($0) },
            text: \.text)
    }
}

/// What guests hear of tracks that every account hears.
package enum GuestsHear: String, CaseIterable, Sendable {
    case full, preview, nothing

    var access: TrackAccess {
        switch self {
        case .full: .full
        case .preview: .preview
        case .nothing: .none
        }
    }
}
