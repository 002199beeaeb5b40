/// The results of a whole run, over all rooms and listeners.
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
    /// Part of `lost` that the server reported as left out.
    package var skipped = 0

    /// Time from the moment at which a packet should have been sent to its receipt.
    package var delay: Distribution?
    /// Time from the request to join to the first packet.
    package var join: Distribution?
    /// How far the listeners' estimates of the server's clock were from each other's.
    package var syncError: Distribution?

    /// Most listeners that were in their rooms at once.
    package var listenersMax = 0
    /// Listeners that got in.
    package var joins = 0
    /// Listeners that were to join and never got in. The packets they would have heard are neither expected nor lost.
    /// Nil in files of the first format.
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

    /// Listeners that were to join. Nil where those that did not were not counted.
    package var listenersWanted: Int? { listenersMissing.map { joins &+ $0 } }

    /// A share of the expected packets, 0 to 1; 0 if none were expected.
    package func share(_ number: Int) -> Double { expected > 0 ? Double(number) / Double(expected) : 0 }
}
