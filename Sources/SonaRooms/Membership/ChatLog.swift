package import SonaWire

/// The newest messages of a room, and messages that wait for their turn.
///
/// Messages have numbers without gaps, given when they are stored. A message stored first may arrive here last, so
/// messages are told in the order of their numbers.
package struct ChatLog: Sendable {
    private var newest: [ChatMessage]
    private var next: Int64
    /// Messages that are stored and wait for an earlier one.
    private var early: [Int64: ChatMessage] = [:]

    /// - Parameter newest: The room's newest messages as stored, oldest first.
    package init(_ newest: [ChatMessage] = []) {
        self.newest = newest.suffix(Limits.chatSnapshotCount)
        next = (newest.last?.id ?? 0) + 1
    }

    /// The messages a joiner is shown: the newest that fit into one message.
    package var snapshot: [ChatMessage] {
        var bytes = 0
        var shown: [ChatMessage] = []
        for message in newest.reversed() {
            bytes += message.encoded().count + 1
            if bytes > Limits.chatBytesMax { break }
            shown.append(message)
        }
        return shown.reversed()
    }

    /// Takes a message that is stored.
    ///
    /// - Returns: The messages that can be told now, in order.
    package mutating func post(_ message: ChatMessage) -> [ChatMessage] {
        guard message.id >= next else { return [] }
        // The message may have been changed since, and the change told first.
        if early[message.id] == nil { early[message.id] = message }
        var told: [ChatMessage] = []
        while let message = early.removeValue(forKey: next) {
            told.append(message)
            next += 1
        }
        newest = (newest + told).suffix(Limits.chatSnapshotCount)
        return told
    }

    /// Takes the new form of a message that was changed.
    package mutating func change(_ message: ChatMessage) {
        if let index = newest.firstIndex(where: { $0.id == message.id }) { newest[index] = message }
        if message.id >= next { early[message.id] = message }
    }
}
