/// What a listening socket is for.
enum SocketUse: String, Codable, Sendable {
    case clients, metrics, icecast, snapcast, `operator`
}

/// A listening socket, as it is described to the process that takes it over. Its descriptor comes with the message.
struct HandedSocket: Codable, Sendable {
    /// A word of `SocketUse`, or one that this version does not know.
    var use: String
    /// As it was asked for; for a Unix socket its path.
    var host: String
    var port: Int
    /// The port that was asked for: 0 for any free one.
    var isLocal: Bool
}

/// The first message of a process that wants to take over.
struct HandoverRequest: Codable, Sendable {
    /// Of the program.
    var version: String
    /// `ServerHandover.format`.
    var format: Int
}

/// The answer: its descriptors are those of `sockets`, in that order.
struct HandoverOffer: Codable, Sendable {
    var version: String
    /// Why not: a sentence. Nothing has changed then.
    var refusal: String?
    var sockets: [HandedSocket]
}

/// What the two processes say further, each in the first byte of a message.
enum HandoverStep: UInt8, Sendable {
    /// Successor: the configuration is read, and the sockets are known.
    case prepared = 1
    /// Predecessor: the data folder is closed. The identifiers of its rooms follow, as JSON.
    case folderIsFree = 2
    /// Successor: everything is open.
    case ready = 3
    /// Successor: clients are accepted.
    case accepting = 4
}
