/// The packet counts of one kind of reader. Only numbers, so that counting costs an addition.
///
/// Each client's span is settled once, when it leaves or the run ends; then, of all settled clients,
///
///     expected = spanned  and  lost = missing + skipped + away,  so that  received + lost = expected.
///
/// A packet counts as lost even if the server reports that it left it out: an overloaded server reports that of each
/// packet.
/// `spanned` is added up from where spans begin and end alone, the others from what came: that both sides agree is checked,
/// not assumed.
package struct Tally: Equatable, Sendable {
    package var received = 0
    /// Second copies.
    package var duplicates = 0
    /// Received, after one with a greater number, and not as a repetition.
    package var outOfOrder = 0
    /// Received, by a repetition after the connection was lost.
    package var replayed = 0
    /// Packets from before the span: those with which a join begins, and those under way when the measurement began.
    package var before = 0
    /// Missing packets, by cause of gap.
    package var missing = 0
    package var skipped = 0
    package var away = 0
    package var spanned = 0

    package var expected: Int { spanned }
    package var lost: Int { missing + skipped + away }
    /// Whether received, lost and expected packets add up. Valid once all clients are settled.
    package var isBalanced: Bool { received + lost == expected }
}

/// All other counts.
package struct Counts: Equatable, Sendable {
    /// Joins of the plan, those before the measurement included.
    package var joins = 0
    /// After a connection was lost, by the plan or not.
    package var reconnects = 0
    /// Returning clients that were given their session back.
    package var resumed = 0
    /// Connections of ordinary readers lost to the server or the network.
    package var lostConnections = 0
    package var bytesReceived = 0
    package var bytesSent = 0
    package var textMessages = 0
    /// Packets that this run did not send, or not to this room.
    package var foreign = 0
    /// Packets that the server did not take in time from their host. They are lost to everybody.
    package var unsent = 0
    package var packetsSent = 0
    package var chatSent = 0
    package var chatConfirmed = 0
    package var reactionsSent = 0
    package var reactionsConfirmed = 0
    package var signUpsBegun = 0
    package var signUpsDone = 0
    /// Slow and dead readers whom the server closed.
    package var laggardsClosed = 0
}
