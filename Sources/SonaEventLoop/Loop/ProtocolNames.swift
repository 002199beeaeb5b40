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
    /// The `id` of the entry that is told when another thread wakes the loop.
    static let drainID: UInt32 = 1

    init() {
        accept = strdup("(accept)")
        client = strdup("(client)")
        var entries: [lws_protocols] = []
        func add(_ name: UnsafeMutablePointer<CChar>, _ callback: @escaping LoopCallback, received: Int) {
            var entry = lws_protocols()
            entry.name = UnsafePointer(name)
            entry.callback = callback
            // Also what one call of a client's receive callback carries at most.
            entry.rx_buffer_size = received
            // The largest single send of a client; without it `rx_buffer_size` would limit that too and larger ones be copied.
            entry.tx_packet_size = 65536
            entry.id = UInt32(entries.count) + Self.drainID
            entries.append(entry)
        }
        add(strdup("(server)"), serverCallback, received: 0)
        add(accept, acceptCallback, received: 0)
        add(client, clientCallback, received: 4096)
        entries.append(lws_protocols())
        protocols = .allocate(capacity: entries.count)
        protocols.initialize(from: entries, count: entries.count)
    }
}
