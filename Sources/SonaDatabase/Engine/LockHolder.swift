internal import Glibc
internal import SonaBase

/// Finds out which process holds a lock on a database, for an error that says so.
///
/// Reads /proc/locks and does not open the file: closing any descriptor of it would drop SQLite's own locks in this
/// process (sqlite.org/howtocorrupt.html, 2.2).
enum LockHolder {
    /// A sentence, or `nil` if nobody is seen to hold one.
    ///
    /// - Parameter includingReaders: Also name holders of a shared lock. Every process that has a database with a log
    ///   open holds one, and so blocks a process that needs the file to itself.
    static func describe(path: String, includingReaders: Bool = false) -> String? {
        let nodes = Set([path, path + "-shm"].compactMap(node))
        guard !nodes.isEmpty, let locks = contents(of: "/proc/locks") else { return nil }
        var holders: [String] = []
        // "1: POSIX  ADVISORY  WRITE 1234 08:01:5678 120 120"
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 8, words[1] != "->", words[3] == "WRITE" || includingReaders && words[3] == "READ",
                let pid = Int32(words[4]), pid > 0,
                let inode = words[5].split(separator: ":").last, nodes.contains(String(inode))
            else { continue }
            let holder = name(of: pid)
            if !holders.contains(holder) { holders.append(holder) }
        }
        guard !holders.isEmpty else { return nil }
        return "the file is locked by \(holders.joined(separator: " and "))"
    }

    private static func name(of pid: Int32) -> String {
        let name = contents(of: "/proc/\(pid)/comm")?.split(separator: "\n").first ?? "?"
        return pid == getpid() ? "this process, through another connection" : "process \(pid) (\(name))"
    }

    private static func node(_ path: String) -> String? {
        var status = stat()
        return stat(path, &status) == 0 ? "\(status.st_ino)" : nil
    }

    private static func contents(of path: String) -> String? {
        (try? WholeFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension DatabaseError {
    /// The same error with the name of who holds the lock, if that is what it is about.
    func naming(holderOf path: String, includingReaders: Bool = false) -> DatabaseError {
        guard kind == .busy, hint == nil else { return self }
        var error = self
        error.hint = LockHolder.describe(path: path, includingReaders: includingReaders)
        return error
    }
}
