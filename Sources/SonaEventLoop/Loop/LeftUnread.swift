internal import CLibwebsockets
internal import Glibc

/// Sockets that have sent more than one read takes (`ProtocolNames.clientBytesRead`), where turns are kept apart.
///
/// libwebsockets reads once a turn. A host that catches up, or plays 400 packets a second of 1 KiB each, would fall
/// behind by seconds if a rest came before every 272 bytes.
struct LeftUnread {
    private var numbers: [UInt64] = []
    /// Who was heard last, and how much at most has been read for it, one message after another.
    private var last: (number: UInt64, bytes: Int) = (0, 0)

    /// The header of a client's frame at its longest, RFC 6455 §5.2.
    private static let headerBytesMax = 14

    /// Notes what a socket was heard to say: `bytes` of a message, to its end or not.
    ///
    /// The kernel is asked whether there is more unless less came than a read takes.
    mutating func note(_ wsi: OpaquePointer, _ number: UInt64, bytes: Int, isWhole: Bool) {
        if last.number != number { last = (number, 0) }
        last.bytes += bytes + Self.headerBytesMax
        guard !isWhole || last.bytes >= ProtocolNames.clientBytesRead else { return }
        last.bytes = 0
        if numbers.last != number, sona_unread_bytes(wsi) > 0 { numbers.append(number) }
    }

    var isEmpty: Bool { numbers.isEmpty }

    mutating func takeAll() -> [UInt64] {
        defer { numbers = [] }
        return numbers
    }
}

extension LoopCore {
    /// How long timers, other threads' jobs and new connections may be kept waiting by it: as long as by jobs.
    private static let readingOnMicroseconds: Int64 = 2_000
    /// Who has sent very much is one of many.
    private static let readsMax = 16

    /// Reads on where a turn left off. What is left then is read in the next turn, which follows at once.
    func readOn() {
        guard !leftUnread.isEmpty else { return }
        let end = MonotonicClock.nowMicroseconds() + Self.readingOnMicroseconds
        var isInTime = true
        for _ in 0..<Self.readsMax where isInTime && !leftUnread.isEmpty {
            for number in leftUnread.takeAll() where isInTime {
                guard let webSocket = sockets[number]?.webSocket, let descriptor = webSocket.descriptor
                else { continue }
                var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: Int16(POLLIN))
                lws_service_fd(webSocket.context, &readable)
                isInTime = MonotonicClock.nowMicroseconds() <= end
            }
            pauseThoseDue()
        }
        if !leftUnread.takeAll().isEmpty || !isInTime { pace.hurry() }
    }
}
