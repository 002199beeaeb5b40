import Glibc

/// The user as whom the server runs, and what that user may do with files.
struct ServerUser {
    enum Kind: Equatable {
        /// An account of this machine.
        case account
        /// systemd makes a user for each start: no folder can belong to it.
        case dynamic
    }

    var kind: Kind
    /// For people: `sona`, or `the unit's own user`.
    var name: String
    var uid: uid_t
    var groups: Set<gid_t>

    init(kind: Kind = .account, name: String, uid: uid_t, groups: Set<gid_t>) {
        self.kind = kind
        self.name = name
        self.uid = uid
        self.groups = groups
    }

    /// Whom the unit names, else whose the data folder is, else the user of this process.
    init(dataFolder: String, unit: UnitFile?) {
        if unit?.isOn("DynamicUser") == true {
            let groups = unit?.words("SupplementaryGroups").compactMap { getgrnam($0)?.pointee.gr_gid } ?? []
            // systemd.exec(5): such users are from this range.
            self.init(kind: .dynamic, name: "the unit's own user", uid: 61_184, groups: Set(groups))
            return
        }
        var status = stat()
        if let name = unit?.value("User"), let entry = getpwnam(name)?.pointee {
            self.init(uid: entry.pw_uid)
        } else if stat(dataFolder, &status) == 0 {
            self.init(uid: status.st_uid)
        } else {
            self.init(uid: geteuid())
        }
    }

    private init(uid: uid_t) {
        guard let entry = getpwuid(uid)?.pointee, let name = entry.pw_name else {
            self.init(name: "\(uid)", uid: uid, groups: [])
            return
        }
        var count: Int32 = 256
        var groups = [gid_t](repeating: 0, count: Int(count))
        if getgrouplist(name, entry.pw_gid, &groups, &count) < 0 { count = 0 }
        self.init(name: String(cString: name), uid: uid, groups: Set(groups.prefix(Int(count)) + [entry.pw_gid]))
    }

    /// Whether the mode of a file or directory allows everything in `wanted`: 4 reading, 2 writing, 1 entering.
    func may(_ wanted: mode_t, mode: mode_t, owner: uid_t, group: gid_t) -> Bool {
        if uid == 0 { return true }
        let shift: mode_t = owner == uid ? 6 : groups.contains(group) ? 3 : 0
        return (mode >> shift) & wanted == wanted
    }

    /// The same for what is at a path, whose list of access counts as well.
    func may(_ wanted: mode_t, _ path: String, _ status: stat) -> Bool {
        if uid != 0, let list = AccessList.of(path) {
            return list.permits(wanted, uid: uid, groups: groups, owner: status.st_uid, group: status.st_gid)
        }
        return may(wanted, mode: status.st_mode, owner: status.st_uid, group: status.st_gid)
    }

    /// The first directory on the way to `path` that forbids it, and how.
    func obstacle(to path: String) -> Obstacle? {
        var walked = ""
        let parts = path.split(separator: "/")
        for index in 0...parts.count {
            let place = walked.isEmpty ? "/" : walked
            var status = stat()
            guard stat(place, &status) == 0 else {
                return errno == EACCES ? .unseen(place) : .missing(place)
            }
            guard status.st_mode & S_IFMT == S_IFDIR else { return .noDirectory(place) }
            let isLast = index == parts.count
            guard may(isLast ? 5 : 1, place, status) else { return isLast ? .unreadable(place) : .closed(place) }
            if !isLast { walked += "/" + parts[index] }
        }
        return nil
    }

    /// What keeps somebody from a folder.
    enum Obstacle: Equatable {
        case missing(String)
        case noDirectory(String)
        /// A directory on the way that may not be entered.
        case closed(String)
        /// The folder itself may not be read.
        case unreadable(String)
        /// Whoever runs the doctor can't look there.
        case unseen(String)
    }
}
