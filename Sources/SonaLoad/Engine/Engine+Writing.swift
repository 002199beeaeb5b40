internal import CLoad
internal import Glibc

extension Engine {
    /// Most bytes that may wait for a socket that takes nothing: some ten seconds of a host's sound.
    private static let outboxBytesMax = 256 * 1024

    /// Sends bytes, and keeps those that the socket does not take. A client that is too far behind is given up.
    func say(_ slot: Int, _ bytes: [UInt8]) {
        if !transmit(slot, bytes) { lost(slot, closeCode: 0) }
    }

    /// - Returns: Whether it is on its way, or waits for the socket; false if the client is gone or its outbox full.
    @discardableResult
    func transmit(_ slot: Int, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { transmit(slot, $0.baseAddress!, $0.count) }
    }

    func transmit(_ slot: Int, _ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
        guard clients[slot].descriptor >= 0 else { return false }
        var sent = 0
        if outboxes[slot] == nil {
            sent = write(slot, bytes, count)
            if sent == count {
                counts.pointee.bytesSent &+= count
                return true
            }
            if sent < 0 {
                guard errno == EAGAIN || errno == EINTR else { return false }
                sent = 0
            }
            watch(slot, Watch.writingToo, EPOLL_CTL_MOD)
        } else if outboxes[slot]!.count + count > Self.outboxBytesMax {
            return false
        }
        counts.pointee.bytesSent &+= count
        let rest = UnsafeRawBufferPointer(start: bytes + sent, count: count - sent)
        outboxes[slot, default: []].append(contentsOf: rest)
        return true
    }

    /// The socket takes something again.
    func flush(_ slot: Int) {
        guard let bytes = outboxes[slot] else { return }
        let sent = bytes.withUnsafeBytes { write(slot, $0.baseAddress!, $0.count) }
        if sent == bytes.count {
            outboxes[slot] = nil
            watch(slot, Watch.reading, EPOLL_CTL_MOD)
        } else if sent > 0 {
            outboxes[slot] = Array(bytes[sent...])
        } else if errno != EAGAIN && errno != EINTR {
            lost(slot, closeCode: 0)
        }
    }

    private func write(_ slot: Int, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        if let session = clients[slot].session { return SecureSessions.write(session, bytes, count) }
        return send(clients[slot].descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    }
}
