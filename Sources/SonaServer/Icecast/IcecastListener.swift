internal import Glibc
internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The port at which programs that speak Icecast's source protocol host rooms.
///
/// libwebsockets knows neither `SOURCE` nor a body without an end, and a source is one of a few: each has a thread, which
/// may wait for its socket, for ffmpeg, and for a room that has enough.
final class IcecastListener: Sendable {
    private let socket: ListeningSocket
    private let services: ShardServices
    private let shard: Shard
    private let access: RoomAccess
    private let stopping = StopFlag()
    private let count = Monitor(0)

    /// Connections at a time.
    private static let connectionsMax = 128

    init(_ socket: ListeningSocket, _ services: ShardServices, _ shard: Shard) {
        self.socket = socket
        self.services = services
        self.shard = shard
        access = RoomAccess(model: services.model, shard: shard)
    }

    var address: String { socket.address }

    func start() -> Bool {
        WorkerThread.start("sona-icecast") { [self] in
            while !stopping.isSet {
                var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 500) > 0 else { continue }
                accept()
            }
            close(socket.descriptor)
        }
    }

    func stop() { stopping.set() }

    private func accept() {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let taken = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
                let taken = Glibc.accept(socket.descriptor, address, &length)
                if taken >= 0 {
                    getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
                }
                return taken
            }
        }
        guard taken >= 0 else { return }
        _ = fcntl(taken, F_SETFD, FD_CLOEXEC)
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let remote = RemoteAddress(numeric: text) ?? RemoteAddress(text: text)
        let isBanned = services.banned.refusal(of: remote, now: MonotonicClock.wallMilliseconds()) != nil
        let isTaken =
            !isBanned
            && count.withLock { count in
                guard count < Self.connectionsMax else { return false }
                count += 1
                return true
            }
        guard isTaken else {
            close(taken)
            return
        }
        let connection = SourceConnection(
            socket: taken, address: remote.text, services: services, shard: shard, access: access, stop: stopping)
        let hasStarted = WorkerThread.start("sona-source") { [count] in
            connection.serve()
            count.withLock { $0 -= 1 }
        }
        guard !hasStarted else { return }
        close(taken)
        count.withLock { $0 -= 1 }
    }
}
