internal import CLibwebsockets
internal import Glibc

/// The protocol table of one loop's contexts. libwebsockets keeps pointers into it for as long as they live, so all of it
/// is allocated once and never freed.
///
/// The names of our own entries hold characters that no `Sec-WebSocket-Protocol` token may (RFC 6455 §4.1, RFC 9110
/// §5.6.2): a client cannot ask for them.
final class ProtocolNames {
    let protocols: UnsafeMutablePointer<lws_protocols>
    let accept: UnsafeMutablePointer<CChar>
    let client: UnsafeMutablePointer<CChar>
    private let mirror: UnsafeMutablePointer<CChar>
    private static let mirrorBytesMax = 63
    /// The `id` of the entry that is told when another thread wakes the loop.
    static let drainID: UInt32 = 1
    /// Bytes that one read takes from a client's WebSocket, or a few more.
    static let clientBytesRead = 256

    init(subprotocols: [String]) {
        accept = strdup("(accept)")
        client = strdup("(client)")
        mirror = .allocate(capacity: Self.mirrorBytesMax + 1)
        mirror.initialize(repeating: 0, count: Self.mirrorBytesMax + 1)
        strcpy(mirror, "(mirror)")
        var entries: [lws_protocols] = []
        func add(_ name: UnsafeMutablePointer<CChar>, _ callback: @escaping LoopCallback, received: Int) {
            var entry = lws_protocols()
            entry.name = UnsafePointer(name)
            entry.callback = callback
            // Not used, but without it libwebsockets does not say that it is about to drop a connection.
            entry.per_session_data_size = 8
            // Also what one call of the receive callback carries at most. Each connection has one, and nearly all
            // of them send a few short requests; a packet of a host's comes in two to five pieces if it is a large one.
            entry.rx_buffer_size = received
            // The largest single send; without it `rx_buffer_size` would limit that too and larger ones be copied.
            entry.tx_packet_size = 65536
            entry.id = UInt32(entries.count) + Self.drainID
            entries.append(entry)
        }
        add(strdup("(http)"), serverCallback, received: 1024)
        for name in subprotocols { add(strdup(name), serverCallback, received: Self.clientBytesRead) }
        add(mirror, serverCallback, received: 4096)
        add(accept, acceptCallback, received: 0)
        add(client, clientCallback, received: 4096)
        entries.append(lws_protocols())
        protocols = .allocate(capacity: entries.count)
        protocols.initialize(from: entries, count: entries.count)
    }

    /// Renames the mirror entry; the match that follows in the same upgrade finds it. False for names too long.
    func setMirror(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.mirrorBytesMax else { return false }
        for (index, byte) in bytes.enumerated() { mirror[index] = CChar(bitPattern: byte) }
        mirror[bytes.count] = 0
        return true
    }
}
