import Glibc

/// Whether there is a backup, and how old the newest is.
struct BackupDoctor {
    /// The values of the key backup-to.
    let places: [String]
    var nowSeconds = time(nil)

    /// A backup that is older than this is worth a look, days.
    private static let daysMax = 8

    func findings() -> [Finding] {
        guard !places.isEmpty else {
            return [
                .warn("backups", "backup-to is not set: no backups are made.", "Set it, or keep copies otherwise.")
            ]
        }
        return places.map { place in
            guard place.hasPrefix("/") else {
                return .ok("backups", "Backups go to \(place), which is not looked at from here.")
            }
            return Self.finding(place, newestSeconds: newest(in: place), nowSeconds: nowSeconds)
        }
    }

    static func finding(_ place: String, newestSeconds: Int?, nowSeconds: Int) -> Finding {
        guard let newestSeconds else {
            return .fail("backups", "\(place) holds no backup.", "Run sona backup create, and look at what it says.")
        }
        let days = max(0, nowSeconds - newestSeconds) / 86_400
        let saw = "The newest backup in \(place) is \(days) days old."
        guard days > daysMax else { return .ok("backups", saw) }
        return .warn("backups", saw, "Look into the server's log for what keeps it from making one.")
    }

    /// When the newest manifest was written, which is the last thing that a backup writes.
    private func newest(in place: String, depth: Int = 2) -> Int? {
        guard let directory = opendir(place) else { return nil }
        defer { closedir(directory) }
        var newest: Int?
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard !name.hasPrefix("."), lstat(place + "/" + name, &status) == 0 else { continue }
            if name.hasSuffix(".manifest") || name == "manifest.json" {
                newest = max(newest ?? 0, status.st_mtim.tv_sec)
            } else if status.st_mode & S_IFMT == S_IFDIR, depth > 0,
                let below = self.newest(in: place + "/" + name, depth: depth - 1)
            {
                newest = max(newest ?? 0, below)
            }
        }
        return newest
    }
}
