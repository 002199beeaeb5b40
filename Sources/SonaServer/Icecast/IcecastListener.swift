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
    /// Connections of each address, or network.
    private let counts = Monitor([String: Int]())

    /// Connections at a time.
    private static let connectionsMax = 128
    /// Connections of one address.
    private static let connectionsPerAddressMax = 16

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
        guard let (taken, remote) = socket.accept() else {
            // Without descriptors it would be asked without end.
            if errno != EAGAIN, errno != EINTR { usleep(100_000) }
            return
        }
        let group = remote.group
        // Its thread waits for it.
        _ = fcntl(taken, F_SETFL, 0)
        let isBanned = services.banned.refusal(of: remote, now: MonotonicClock.wallMilliseconds()) != nil
        let isTaken =
            !isBanned
            && counts.withLock { counts in
                let all = counts.values.reduce(0, +)
                guard all < Self.connectionsMax, counts[group, default: 0] < Self.connectionsPerAddressMax else {
                    return false
                }
                counts[group, default: 0] += 1
                return true
            }
        guard isTaken else {
            close(taken)
            return
        }
        let connection = SourceConnection(
            socket: taken, address: remote.text, services: services, shard: shard, access: access, stop: stopping)
        let hasStarted = WorkerThread.start("sona-source") { [self] in
            connection.serve()
            left(group)
        }
        guard !hasStarted else { return }
        close(taken)
        left(group)
    }

    private func left(_ group: String) {
        counts.withLock { counts in
            let count = counts[group, default: 1] - 1
            counts[group] = count > 0 ? count : nil
        }
    }
}
