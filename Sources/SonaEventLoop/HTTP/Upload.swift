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
    /// Bytes that wait for the sink.
    var waitingBytes: Int { buffer.count }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        buffer.append(contentsOf: bytes)
        left -= bytes.count
    }

    /// The bytes of the next write, which begins now; `nil` if there is none to begin.
    mutating func next() -> [UInt8]? {
        guard !isWriting, buffer.count >= Self.blockBytes || left == 0 else { return nil }
        isWriting = true
        return rest()
    }

    mutating func hasWritten() { isWriting = false }

    /// What has come and has not been written.
    mutating func rest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }
}
