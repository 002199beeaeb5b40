/// A request's body on its way to a sink. Belongs to its loop.
///
/// Bytes wait in `buffer` until there are enough of them for a write, and at most one write is under way: together they
/// hold no more than 256 KiB. When the sink is slower than the network the socket is not read.
struct Upload {
    let writer: SinkWriter
    /// Bytes of the body that have not come yet.
    private(set) var left: Int
    private var buffer: [UInt8] = []
    /// A write is under way.
    private(set) var isWriting = false

    /// As many bytes are written together.
    static let blockBytes = 64 * 1024
    /// With so many waiting the socket is not read.
    static let fullBytes = 128 * 1024

    init(_ sink: any BodySink, bytes: Int) {
        writer = SinkWriter(sink)
        left = bytes
    }

    /// Whether the socket is to be left alone until the sink has caught up.
    var isFull: Bool { isWriting && buffer.count >= Self.fullBytes }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        buffer.append(contentsOf: bytes)
        left -= bytes.count
    }

    /// Begins the next write and returns its bytes. `nil`: too few bytes wait, or a write is under way.
    mutating func next() -> [UInt8]? {
        guard !isWriting, buffer.count >= Self.blockBytes || left == 0 else { return nil }
        isWriting = true
        return rest()
    }

    mutating func hasWritten() { isWriting = false }

    /// The bytes that wait for the sink. They are taken out of the buffer.
    mutating func rest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }
}
