internal import Glibc

/// The facts that a trusted proxy has announced about a connection.
struct Announcement {
    /// The client's address; `nil` if the connection is the proxy's own.
    var client: RemoteAddress?
    /// Whether that client speaks TLS with the proxy.
    var isSecure = false
}

extension LoopCore {
    /// How long to wait for a proxy's first bytes, s, and how often to look for them meanwhile.
    private static let announcementSeconds: Int64 = 5
    private static let announcementTries = 50

    /// Reads the PROXY header of a connection whose next bytes are TLS, if there is one, and adopts the connection.
    ///
    /// At a port with TLS the kernel hands out a connection once its first bytes have come (`waitForFirstByte`), so the
    /// first look usually finds the whole header.
    func readAnnouncement(_ descriptor: Int32, _ remote: RemoteAddress, _ census: ConnectionCensus?, tries: Int = 0) {
        var buffer = [UInt8](repeating: 0, count: ProxyHeader.bytesMax)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        let hasEnded = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        switch buffer.withUnsafeBytes({ ProxyHeader.parse(UnsafeRawBufferPointer(rebasing: $0[..<max(0, count)])) }) {
        case .none:
            return adopt(descriptor, remote: remote, census: census, announced: Announcement())
        case .header(let bytes, let client, let isSecure):
            guard recv(descriptor, &buffer, bytes, Int32(MSG_DONTWAIT)) == bytes else { break }
            let announced = Announcement(client: client, isSecure: isSecure)
            return adopt(descriptor, remote: remote, census: census, announced: announced)
        case .incomplete where !hasEnded && tries < Self.announcementTries:
            return schedule(after: Self.announcementSeconds * 1_000_000 / Int64(Self.announcementTries)) {
                [unowned self] in readAnnouncement(descriptor, remote, census, tries: tries + 1)
            }
        case .incomplete, .invalid: break
        }
        figures.refusedConnections &+= 1
        census?.leave(remote.group)
        close(descriptor)
    }
}

extension LoopSocket {
    /// Notes who the connection is for. False if that address has as many connections as it may have.
    func take(_ announcement: Announcement) -> Bool {
        guard let client = announcement.client else { return true }
        remote = client
        announcedSecure = announcement.isSecure
        return count(asOf: client)
    }
}
