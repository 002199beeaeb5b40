import Glibc
import SonaEventLoop
import SonaTestSupport
import Synchronization
import Testing

@testable import SonaServer

/// Messages to a service manager, read from a datagram socket as systemd reads them.
struct ServiceManagerTests {
    @Test func `messages come as one datagram each, with an assignment a line`() throws {
        let folder = TemporaryFolder()
        let socket = try NotifySocket(folder.file("notify"))
        let manager = try #require(socket.manager())
        let before = monotonicMicroseconds()
        manager.ready("Serving.")
        manager.reloading()
        manager.stopping("Two\nlines\r\nREADY=1")
        #expect(manager.send("MAINPID=\(getpid())", "STATUS=Grüße"))
        #expect(socket.next() == "READY=1\nSTATUS=Serving.")
        let reloading = try #require(socket.next())
        let time = try #require(Int64(reloading.split(separator: "=").last ?? ""))
        #expect(reloading == "RELOADING=1\nMONOTONIC_USEC=\(time)")
        #expect((before...monotonicMicroseconds()).contains(time))
        #expect(socket.next() == "STOPPING=1\nSTATUS=Two lines READY=1")
        #expect(socket.next() == "MAINPID=\(getpid())\nSTATUS=Grüße")
    }

    @Test func `a name of the abstract namespace is reached, whole`() throws {
        let name = "@sona-test-\(getpid())"
        let (socket, longer) = (try NotifySocket(name), try NotifySocket(name + "x"))
        try #require(socket.manager()).ready("here")
        #expect(socket.next() == "READY=1\nSTATUS=here")
        #expect(longer.next(within: 0) == nil)
    }

    @Test func `without a socket of a known kind there is no manager, and one that is gone takes nothing`() throws {
        let long = "/" + String(repeating: "x", count: 107)
        for name in [nil, "", "notify", "vsock:2:1", long] as [String?] {
            #expect(ServiceManager(variable: { $0 == "NOTIFY_SOCKET" ? name : nil }) == nil)
        }
        #expect(ServiceManager(variable: { $0 == "NOTIFY_SOCKET" ? String(long.dropLast()) : nil }) != nil)
        let folder = TemporaryFolder()
        let gone = try #require(ServiceManager(variable: { $0 == "NOTIFY_SOCKET" ? folder.file("gone") : nil }))
        #expect(!gone.send("READY=1"))
    }

    @Test func `a manager that reads nothing holds nobody up`() throws {
        let folder = TemporaryFolder()
        let socket = try NotifySocket(folder.file("notify"))
        let manager = try #require(socket.manager())
        let took = ContinuousClock().measure {
            while manager.send("STATUS=full") {}
        }
        #expect(took < .seconds(5))
    }

    @Test(arguments: [
        ("1000000", nil, Duration.seconds(1)), ("1000000", String(getpid()), .seconds(1)), ("1000000", "1", nil),
        ("0", nil, nil), ("soon", nil, nil), (nil, nil, nil),
    ])
    func `the watchdog is on for the process that is meant`(
        timeout: String?, process: String?, wanted: Duration?
    ) throws {
        let values = ["NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": timeout, "WATCHDOG_PID": process]
        #expect(try #require(ServiceManager(variable: { values[$0] ?? nil })).watchdogTimeout == wanted)
    }

    @Test func `signs of life come while all loops run, and end when one hangs`() throws {
        let folder = TemporaryFolder()
        let socket = try NotifySocket(folder.file("notify"))
        let loops = try (0..<3).map { index in
            var options = EventLoop.Options()
            options.backend = .poll
            options.index = index
            let loop = EventLoop(options)
            try loop.start()
            return loop
        }
        defer { for loop in loops { loop.stop() } }
        try #require(socket.manager(watchdog: 150_000)).watch(loops)
        for _ in 0..<4 { #expect(socket.next() == "WATCHDOG=1") }
        let hanging = Hanging()
        loops[1].post { while !hanging.isOver.load(ordering: .acquiring) { usleep(1000) } }
        // One may have passed that loop before.
        _ = socket.next(within: 0.2)
        #expect(socket.next(within: 0.5) == nil)
        hanging.isOver.store(true, ordering: .releasing)
        #expect(socket.next() == "WATCHDOG=1")
    }
}

/// The clock of sd_notify(3).
private func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}

private final class Hanging: Sendable {
    let isOver = Atomic<Bool>(false)
}

/// The manager's end: a bound datagram socket.
private final class NotifySocket {
    private let file: Int32
    private let name: String

    init(_ name: String) throws {
        self.name = name
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (bytes[0] == 0 ? 0 : 1))
        let result = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, size) }
        }
        try #require(result == 0)
    }

    deinit { close(file) }

    func manager(watchdog: Int? = nil) -> ServiceManager? {
        ServiceManager { variable in
            switch variable {
            case "NOTIFY_SOCKET": self.name
            case "WATCHDOG_USEC": watchdog.map(String.init)
            default: nil
            }
        }
    }

    /// The next datagram; `nil` if none comes in time.
    func next(within seconds: Double = 5) -> String? {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(seconds * 1000)) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
