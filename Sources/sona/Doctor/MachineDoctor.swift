import Glibc
import SonaBase
import SonaServer

/// What the machine gives a server: its program, the time, descriptors, disk.
struct MachineDoctor {
    let configuration: ServerConfiguration
    let user: ServerUser
    let running: RunningServer?
    let unit: UnitFile?

    func findings() -> [Finding] {
        [Self.version(running), clock(), descriptors()] + disk()
    }

    // MARK: Version

    static func version(_ running: RunningServer?, own: String = ServerVersion.number) -> Finding {
        guard let running else { return .ok("version", "This program is Sona \(own); no server runs on the folder.") }
        guard let version = running.version else {
            return .warn(
                "version", "The server answers at its socket, but does not tell its version.",
                "Restart it with this program, Sona \(own).")
        }
        if version == own { return .ok("version", "The server and this program are Sona \(own).") }
        return .warn(
            "version", "The server runs Sona \(version), this program is Sona \(own).",
            "Restart the server if it is to be replaced.")
    }

    // MARK: Clock

    private func clock() -> Finding {
        switch SystemClock.isSynchronised() {
        case true?: .ok("clock", "The clock is synchronised.")
        case false?:
            .warn(
                "clock", "The system does not synchronise its clock with others.",
                "apt install systemd-timesyncd, or chrony. In a container this is the host's business.")
        case nil: .warn("clock", "The system does not tell whether its clock is right.", "Look at timedatectl.")
        }
    }

    // MARK: Limits

    private func descriptors() -> Finding {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if let max = running?.figure("process_max_fds") {
            let open = Int(running?.figure("process_open_fds") ?? 0)
            return Self.descriptors(Int(max), open: open, of: "The server")
        }
        if let text = unit?.value("LimitNOFILE"), let max = Int(text.split(separator: ":").last ?? "") {
            return Self.descriptors(max, open: 0, of: "The unit")
        }
        return Self.descriptors(Int(clamping: limit.rlim_max), open: 0, of: "This shell")
    }

    /// A listener takes one descriptor.
    static func descriptors(_ max: Int, open: Int, of whom: String) -> Finding {
        let saw = "\(whom) may have \(max) descriptors" + (open > 0 ? ", of which \(open) are in use." : ".")
        let advice = "Set LimitNOFILE=262144 in the unit (systemctl edit sona), or ulimit -n for a shell."
        if open > 0, open > max / 10 * 9 { return .fail("descriptors", saw, advice) }
        return max < 4_096 ? .warn("descriptors", saw, advice) : .ok("descriptors", saw)
    }

    // MARK: Disk

    private func disk() -> [Finding] {
        let folder = configuration.dataFolder
        var status = stat()
        guard stat(folder, &status) == 0 else {
            let why = String(cString: strerror(errno))
            guard errno == ENOENT else {
                return [.fail("data", "\(folder) can't be looked at: \(why).", "Run sona doctor as root.")]
            }
            return [.ok("data", "\(folder) does not exist yet; sona serve makes it.")]
        }
        var findings: [Finding] = []
        if status.st_uid != user.uid, user.kind == .account {
            findings.append(
                .fail(
                    "data", "\(folder) does not belong to \(user.name), as whom the server runs.",
                    "chown -R \(user.name) \(folder)"))
        } else if status.st_mode & 0o027 != 0 {
            findings.append(
                .warn("data", "Others than its owner may look into \(folder).", "chmod 0700 \(folder)"))
        } else {
            findings.append(.ok("data", "\(folder) belongs to \(user.name) and is nobody else's to read."))
        }
        var disk = statvfs()
        if statvfs(folder, &disk) == 0 {
            let free = Int64(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
            findings.append(Self.space(free: free, of: folder))
            findings.append(renditions(free: free))
        }
        return findings
    }

    private static let mebibyte: Int64 = 1 << 20

    /// 512 MiB are kept free: uploads are refused below that.
    static func space(free: Int64, of folder: String) -> Finding {
        let saw = "\(free / mebibyte) MiB are free where \(folder) is."
        if free < 512 * mebibyte {
            return .fail("disk", saw, "Uploads are refused below 512 MiB. Make room, or move the folder.")
        }
        let advice = "Make room before uploads are refused, at 512 MiB."
        return free < 2_048 * mebibyte ? .warn("disk", saw, advice) : .ok("disk", saw)
    }

    /// Tracks made into Opus, which are made again when they are wanted.
    private func renditions(free: Int64) -> Finding {
        let space = Int64(configuration.renditionMebibytes)
        let used = running?.figure("sona_rendition_bytes").map { Int64($0) / Self.mebibyte }
        return Self.renditions(used: used, space: space, freeMebibytes: free / Self.mebibyte)
    }

    static func renditions(used: Int64?, space: Int64, freeMebibytes: Int64) -> Finding {
        let taken = used.map { "\($0) of at most \(space) MiB" } ?? "at most \(space) MiB"
        let saw = "Tracks converted to Opus take \(taken); beyond that those go that were heard longest ago."
        guard freeMebibytes + (used ?? 0) < space + 512 else { return .ok("renditions", saw) }
        return .warn(
            "renditions", saw + " The disk has no room for that much.",
            "Set rendition-space to \(max(64, (freeMebibytes + (used ?? 0) - 512) / 2)) MiB or less.")
    }
}

/// What the system says of its clock.
enum SystemClock {
    /// The status bit of a clock that nobody synchronises, and what adjtimex returns for one with an error: adjtimex(2).
    private static let unsynchronised: Int32 = 0x40
    private static let timeError: Int32 = 5

    /// Asks the kernel, which NTP programs tell.
    ///
    /// - Returns: nil if it does not say.
    static func isSynchronised() -> Bool? {
        // Swift's module of the C library leaves sys/timex.h out. With `modes` 0 the call only reads; of the structure
        // (208 bytes on 64-bit systems) `status` is read, at byte 40.
        guard let symbol = dlsym(nil, "adjtimex") else { return nil }
        typealias Call = @convention(c) (UnsafeMutableRawPointer) -> Int32
        let adjust = unsafeBitCast(symbol, to: Call.self)
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { bytes -> Bool? in
            guard let base = bytes.baseAddress else { return nil }
            base.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
            let state = adjust(base)
            guard state >= 0 else { return nil }
            return state != timeError && base.load(fromByteOffset: 40, as: Int32.self) & unsynchronised == 0
        }
    }
}

/// A file of /proc that holds a number.
enum NumberFile {
    static func read(_ path: String) -> Int? {
        guard let line = try? WholeFile.firstLine(path, bytesMax: 64) else { return nil }
        return Int(String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace })
    }
}
