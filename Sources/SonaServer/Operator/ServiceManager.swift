internal import Glibc
internal import SonaBase
package import SonaEventLoop

/// The service manager that started this process, such as systemd, which wants to be told how the server is.
///
/// A message is one datagram to the Unix socket that `NOTIFY_SOCKET` names, with an assignment in each line. Sending never
/// waits. Any thread.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
package struct ServiceManager: Sendable {
    /// The socket's address: a path, or after a NUL a name of the abstract namespace.
    private let address: [UInt8]
    /// The longest time that may pass between two signs of life; `nil` if none are asked for.
    package let watchdogTimeout: Duration?

    /// - Parameter variable: The value of a variable of the environment.
    /// - Returns: `nil` if there is no service manager, or it has no socket of the kind that is known here.
    package init?(variable: (String) -> String? = { Environment[$0] }) {
        guard let name = variable("NOTIFY_SOCKET"), name.hasPrefix("/") || name.hasPrefix("@"),
            name.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        address = name.hasPrefix("@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        // Both variables reach child processes that are not meant.
        let isMeant = variable("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let timeout = variable("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdogTimeout = isMeant && timeout > 0 ? .microseconds(timeout) : nil
    }

    /// The ports are bound and the rooms are loaded; or what `reloading` began has ended.
    ///
    /// - Parameter status: A line for whoever asks the manager how the server is.
    package func ready(_ status: String) { send("READY=1", "STATUS=\(status)") }

    /// This process is the service from now on, in place of the one that started it (`NotifyAccess=all`).
    package func tookOver() { send("MAINPID=\(getpid())") }

    /// The configuration is being read again. `ready` must follow.
    package func reloading() {
        // Managers tell by the time which signal is meant. Theirs stands still while the machine sleeps, other than ours.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1", "MONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)")
    }

    /// The server is about to end.
    package func stopping(_ status: String) { send("STOPPING=1", "STATUS=\(status)") }

    /// - Returns: Whether the manager's socket has taken the message.
    @discardableResult
    package func send(_ assignments: String...) -> Bool {
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
        // An abstract name ends with its length, not with a NUL.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + address.count + (address.first == 0 ? 0 : 1))
        // A line break in a status would begin another assignment.
        let lines = assignments.map { String($0.map { $0.isNewline ? " " : $0 }) }
        let message = Array(lines.joined(separator: "\n").utf8)
        return withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(file, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, size)
            }
        } == message.count
    }

    /// Sends a sign of life three times within the time that the manager asks for, as long as all of the loops run: the
    /// message goes round them and is sent by the last one. If one hangs, none is sent, and the manager kills the server.
    package func watch(_ loops: [EventLoop]) {
        guard let watchdogTimeout, !loops.isEmpty else { return }
        goRound(loops, 0, every: watchdogTimeout / 3)
    }

    private func goRound(_ loops: [EventLoop], _ index: Int, every period: Duration) {
        let loop = loops[index]
        // A loop that has much to do is alive.
        loop.postUrgently {
            if index + 1 < loops.count { return goRound(loops, index + 1, every: period) }
            send("WATCHDOG=1")
            loop.schedule(after: period) { goRound(loops, 0, every: period) }
        }
    }
}
