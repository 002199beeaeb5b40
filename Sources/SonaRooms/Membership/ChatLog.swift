package import SonaWire

/// The newest messages of a room, and those on their way to it.
///
/// Messages have numbers without gaps, given when they are stored; who stored first may be the last to tell. Told is in
/// the order of the numbers.
package struct ChatLog: Sendable {
    private var newest: [ChatMessage]
    private var next: Int64
    /// Stored, and waiting for one before.
    private var early: [Int64: ChatMessage] = [:]

    /// - Parameter newest: As stored, oldest first; the room's newest.
    package init(_ newest: [ChatMessage] = []) {
        self.newest = newest.suffix(Limits.chatSnapshotCount)
        next = (newest.last?.id ?? 0) + 1
    }

    /// What a joiner is shown: the newest that fit into one message.
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

    /// Takes a message that was stored.
    ///
    /// - Returns: What can be told now, in order.
    package mutating func post(_ message: ChatMessage) -> [ChatMessage] {
        guard message.id >= next else { return [] }
        // It may have been changed since, and that told first.
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
