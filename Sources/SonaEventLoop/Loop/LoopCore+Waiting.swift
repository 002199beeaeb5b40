/// The limit on bytes that wait for peers which do not read.
///
/// Each connection has a limit of its own (`WebSocketLimits.queue`, ten seconds without progress). An address may have 512
/// connections, so what waits for one address and for all is bounded too: each second those go that have read nothing for
/// the longest, until the rest fits.
extension LoopCore {
    /// Bytes that may wait for the connections of one address, and for all of this loop.
    static let (waitingBytesPerAddressMax, waitingBytesMax) = (16 << 20, 256 << 20)

    func tickWaiting() {
        var waiting: [LoopSocket] = []
        var total = 0
        // Every socket that waits for something has a deadline.
        for socket in sockets.values where socket.deadline != .max && socket.queuedBytes > 0 {
            waiting.append(socket)
            total += socket.queuedBytes
        }
        guard total > Self.waitingBytesPerAddressMax else { return }
        waiting.sort { $0.deadline < $1.deadline }
        var byGroup: [String: Int] = [:]
        for socket in waiting { byGroup[socket.remote.group, default: 0] += socket.queuedBytes }
        for socket in waiting {
            let group = socket.remote.group
            guard total > Self.waitingBytesMax || byGroup[group, default: 0] > Self.waitingBytesPerAddressMax else {
                continue
            }
            let bytes = socket.queuedBytes
            total -= bytes
            byGroup[group, default: 0] -= bytes
            figures.unreadClosed &+= 1
            socket.webSocket.map { $0.cut() } ?? socket.cut()
        }
    }
}
