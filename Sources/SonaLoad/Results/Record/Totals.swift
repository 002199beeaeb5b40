/// What came of a whole run, over all rooms and listeners.
///
/// **`received + lost = expected`, exactly.** Expected of a listener is every packet of its room from the one that is
/// sent next when the answer to its join is read (or when measuring begins) to the last that was sent when it leaves (or
/// the run ends). What was not there within 5 s of that end, what was sent while the connection was down, and what the
/// server left out (DISCONTINUITY: `skipped`) is lost. Second copies are `duplicates` and no receipts; what came after a
/// later packet is received, and `out_of_order` too. Listeners that read slowly or not at all on purpose count in none
/// of this.
package struct Totals: Codable, Sendable, Equatable {
    /// Deliveries: a packet to a listener is one.
    package var expected = 0
    package var received = 0
    package var lost = 0
    package var duplicates = 0
    package var outOfOrder = 0
    /// Of `lost`, left out by the server, which said so.
    package var skipped = 0

    /// From when a packet should have been sent to its receipt.
    package var delay: Distribution?
    /// From the request to join to the first packet.
    package var join: Distribution?
    /// How far the listeners' estimates of the server's clock were from each other's.
    package var syncError: Distribution?

    /// Most listeners that were in their rooms at once.
    package var listenersMax = 0
    /// Who got in.
    package var joins = 0
    /// Who was to join and never got in: what they would have heard is neither expected nor lost. Nil in files of the
    /// first format.
    package var listenersMissing: Int?
    package var reconnects = 0
    package var bytesReceived = 0
    package var bytesSent = 0
    /// How often each error came: the server's codes (`room.full`, `close.4408`) and the harness's own (`connect.refused`).
    package var errors: [String: Int] = [:]

    package init() {}

    enum CodingKeys: String, CodingKey {
        case expected, received, lost, duplicates, skipped, joins, reconnects, errors
        case outOfOrder = "out_of_order"
        case delay = "delay_ms"
        case join = "join_ms"
        case syncError = "sync_error_us"
        case listenersMax = "listeners_max"
        case listenersMissing = "listeners_missing"
        case bytesReceived = "bytes_received"
        case bytesSent = "bytes_sent"
    }

    package var errorCount: Int {
        errors.values.reduce(0) { sum, count in
            let (total, isTooMuch) = sum.addingReportingOverflow(count)
            return isTooMuch ? .max : total
        }
    }

    /// Who was to join. Nil where nobody counted who did not.
    package var listenersWanted: Int? { listenersMissing.map { joins &+ $0 } }

    /// A share of what was expected, 0 to 1; 0 if nothing was.
    package func share(_ number: Int) -> Double { expected > 0 ? Double(number) / Double(expected) : 0 }
}
