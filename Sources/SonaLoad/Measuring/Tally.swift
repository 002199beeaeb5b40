/// What is counted of the packets of one kind of reader. Only numbers, so that counting costs an addition.
///
/// Each client's span is settled once, when it leaves or the run ends; then, of all settled clients,
///
///     expected = spanned  and  lost = missing + skipped + away,  so that  received + lost = expected.
///
/// That the server says what it left out makes it no less lost: a server with too much to do says so of each packet.
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
    /// From before the span: what a join begins with, and what was under way when the measurement began.
    package var before = 0
    /// By cause of gap.
    package var missing = 0
    package var skipped = 0
    package var away = 0
    package var spanned = 0

    package var expected: Int { spanned }
    package var lost: Int { missing + skipped + away }
    /// Whether what came and what was expected are one account. Once all clients are settled.
    package var isBalanced: Bool { received + lost == expected }
}

/// What is counted of everything else.
package struct Counts: Equatable, Sendable {
    /// By their own plan; those before the measurement too.
    package var joins = 0
    /// After a connection was lost, by the plan or not.
    package var reconnects = 0
    /// Of them, those who were given their session back.
    package var resumed = 0
    /// Of ordinary readers, by the server or the network.
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
