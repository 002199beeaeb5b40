import Glibc
import SonaServer

/// Where the music is: whether the server's user can read each folder, and the system can tell of changes in all.
struct MusicDoctor {
    let folders: [MusicFolderPath]
    let user: ServerUser
    let unit: UnitFile?

    init(_ folders: [MusicFolderPath], user: ServerUser, unit: UnitFile?) {
        self.folders = folders
        self.user = user
        self.unit = unit
    }

    func findings() -> [Finding] {
        guard !folders.isEmpty else { return [.ok("music", "No music folder is set, so there are uploads alone.")] }
        var findings: [Finding] = []
        var directories = 0
        for folder in folders {
            let (finding, count) = look(folder)
            findings.append(finding)
            directories += count
        }
        if let watches = Self.watchFinding(directories: directories, limit: Self.userWatchesMax()) {
            findings.append(watches)
        }
        return findings
    }

    private func look(_ folder: MusicFolderPath) -> (Finding, directories: Int) {
        let subject = "music \(folder.name)"
        // Links on the way are followed as the server follows them.
        let path = Self.real(folder.path) ?? folder.path
        if let setting = unit?.hides(path) {
            return (
                .fail(
                    subject, "\(path) is hidden from the server by \(setting) of \(unit?.path ?? "its unit").",
                    "systemctl edit \(unitName), write [Service] and BindReadOnlyPaths=\(path), then systemctl restart "
                        + "\(unitName)."), 0
            )
        }
        if let obstacle = user.obstacle(to: path) { return (finding(subject, path, obstacle), 0) }
        let tally = FolderTally(path, user: user)
        guard let first = tally.firstUnreadable else {
            let more = tally.isCut ? "at least " : ""
            return (
                .ok(
                    subject,
                    "\(path) can be read by \(user.name): \(more)\(tally.files) files in \(tally.directories) directories."
                ),
                tally.directories
            )
        }
        return (
            .warn(
                subject,
                "\(tally.unreadable) files or directories in \(path) can't be read by \(user.name), the first is \(first).",
                grant(path)), tally.directories
        )
    }

    private var unitName: String { unit.map { String($0.path.split(separator: "/").last ?? "sona.service") } ?? "sona" }

    private func finding(_ subject: String, _ path: String, _ obstacle: ServerUser.Obstacle) -> Finding {
        switch obstacle {
        case .missing(let place):
            .fail(
                subject, "\(place) does not exist.",
                "Mount it or make it, or take \(path) out of the key music.")
        case .noDirectory(let place): .fail(subject, "\(place) is no directory.", "Name a folder in the key music.")
        case .closed(let place):
            .fail(
                subject, "\(user.name) may not enter \(place), on the way to \(path).",
                user.kind == .dynamic
                    ? "chmod o+x \(place), or give the unit a group of the folder: SupplementaryGroups=."
                    : "setfacl -m u:\(user.name):x \(place), or chmod o+x \(place).")
        case .unreadable(let place):
            .fail(subject, "\(place) can't be read by \(user.name).", grant(place))
        case .unseen(let place):
            .warn(
                subject, "Whoever runs this may not look behind \(place), so \(path) was not looked at.",
                "Run sona doctor as root or as \(user.name).")
        }
    }

    private func grant(_ path: String) -> String {
        user.kind == .dynamic
            ? "chmod -R o+rX \(path), or give the unit a group of the folder: SupplementaryGroups=."
            : "setfacl -R -m u:\(user.name):rX \(path), or chmod -R o+rX \(path)."
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: Watches

    /// - Parameter limit: nil if the system does not say.
    static func watchFinding(directories: Int, limit: Int?) -> Finding? {
        guard let limit else { return nil }
        let saw = "The music folders have \(directories) directories; this system lets a user watch \(limit)."
        // Other programs of the same user need some, too.
        guard directories > limit / 10 * 9 else { return .ok("inotify", saw) }
        let wanted = max(524_288, directories * 2)
        return .warn(
            "inotify", saw + " Changes beyond that are not seen until the next scan.",
            "echo fs.inotify.max_user_watches=\(wanted) >/etc/sysctl.d/60-sona.conf && sysctl --system, or set "
                + "rescan-every.")
    }

    private static func userWatchesMax() -> Int? {
        NumberFile.read("/proc/sys/fs/inotify/max_user_watches")
    }
}

/// What is in a folder, looked at for so long and no longer.
struct FolderTally {
    private(set) var directories = 0
    private(set) var files = 0
    private(set) var unreadable = 0
    private(set) var firstUnreadable: String?
    /// Whether there is more than was looked at.
    private(set) var isCut = false

    private static let entriesMax = 300_000

    init(_ path: String, user: ServerUser) {
        var waiting = [path]
        while let next = waiting.popLast() {
            guard let directory = opendir(next) else {
                note(next)
                continue
            }
            directories += 1
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name == "." || name == ".." { continue }
                let place = next + "/" + name
                var status = stat()
                // The server follows no links inside of a folder.
                guard lstat(place, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: if user.may(5, place, status) { waiting.append(place) } else { note(place) }
                case S_IFREG:
                    files += 1
                    if !user.may(4, place, status) { note(place) }
                default: break
                }
                if files + directories + unreadable >= Self.entriesMax {
                    isCut = true
                    closedir(directory)
                    return
                }
            }
            closedir(directory)
        }
    }

    private mutating func note(_ place: String) {
        unreadable += 1
        firstUnreadable = firstUnreadable ?? place
    }
}
