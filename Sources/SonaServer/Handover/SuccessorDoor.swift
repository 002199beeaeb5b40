internal import Glibc
internal import SonaBase
internal import SonaEventLoop

/// Waits for a process that wants to take over from this one: a Unix socket in the data folder, for the same user.
final class SuccessorDoor: Sendable {
    private let path: String
    private let socket: ListeningSocket
    private let stopping = StopFlag()

    static func path(_ dataFolder: String) -> String { dataFolder + "/takeover.sock" }

    /// - Parameter body: Talks to a process that has come. One after another.
    /// - Returns: `nil` if the folder's path is too long for a socket, or the system has no thread.
    init?(dataFolder: String, _ body: @escaping @Sendable (UnixChannel) async -> Void) {
        path = Self.path(dataFolder)
        // The server has the folder: who listened here before has ended, or hands over and has no use for it.
        unlink(path)
        guard let socket = try? ListeningSocket(path: path) else { return nil }
        self.socket = socket
        let (channels, continuation) = AsyncStream.makeStream(of: UnixChannel.self)
        Task { for await channel in channels { await body(channel) } }
        let isStarted = WorkerThread.start("sona-successor") { [stopping] in
            while !stopping.isSet {
                var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 500) > 0 else { continue }
                guard let (taken, _) = socket.accept() else {
                    usleep(100_000)
                    continue
                }
                if let channel = UnixChannel(accepted: taken, patience: 30) { continuation.yield(channel) }
            }
            continuation.finish()
            Glibc.close(socket.descriptor)
        }
        guard isStarted else { return nil }
    }

    /// Not once another process has the data folder, and a socket of its own at the same path.
    func close() {
        stopping.set()
        unlink(path)
    }
}
