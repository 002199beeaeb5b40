/// TIME_REQ, client to server: asks for the server's time.
///
/// ```
/// offset size type  field
///      0    1 u8    0x01
///      1    1 u8    0, ignored
///      2    2 u16   probe id, returned
///      4    8 i64   t1: client's clock when sending, µs, returned and not interpreted
/// ```
///
/// Source: Protocol/spec/time.md, "TIME_REQ".
public struct TimeRequest: Equatable, Sendable {
    /// Bytes of the frame, which has no variable part.
    public static let byteCount = 12

    /// Chosen by the client. The response repeats it.
    public var probeID: UInt16
    /// t1: the client's clock when it sent this, µs. The server returns it uninterpreted.
    public var clientSend: Int64

    public init(probeID: UInt16, clientSend: Int64) {
        self.probeID = probeID
        self.clientSend = clientSend
    }

    init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        try FrameType.checkLength(bytes, exactly: Self.byteCount)
        probeID = bytes.bigEndian(at: 2)
        clientSend = bytes.bigEndian(at: 4)
    }

    /// Appends the 12 bytes of the frame.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(FrameType.timeRequest)
        bytes.append(0)
        bytes.appendBigEndian(probeID)
        bytes.appendBigEndian(clientSend)
    }

    public func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }
}

/// TIME_RSP, server to client: the answer to TIME_REQ, ahead of everything else.
///
/// ```
/// offset size type  field
///      0    1 u8    0x02
///      1    1 u8    0, ignored
///      2    2 u16   probe id of the request
///      4    8 i64   t1 of the request
///     12    8 i64   t2: server time of the request's arrival, µs
///     20    8 i64   t3: server time just before this is written, µs
/// ```
///
/// Source: Protocol/spec/time.md, "TIME_RSP".
public struct TimeResponse: Equatable, Sendable {
    /// Bytes of the frame, which has no variable part.
    public static let byteCount = 28

    /// `probeID` of the request.
    public var probeID: UInt16
    /// t1: `clientSend` of the request, µs on the client's clock.
    public var clientSend: Int64
    /// t2: server time of the request's arrival, µs.
    public var serverReceive: Int64
    /// t3: server time just before the response was written, µs.
    public var serverSend: Int64

    public init(probeID: UInt16, clientSend: Int64, serverReceive: Int64, serverSend: Int64) {
        self.probeID = probeID
        self.clientSend = clientSend
        self.serverReceive = serverReceive
        self.serverSend = serverSend
    }

    init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        try FrameType.checkLength(bytes, exactly: Self.byteCount)
        probeID = bytes.bigEndian(at: 2)
        clientSend = bytes.bigEndian(at: 4)
        serverReceive = bytes.bigEndian(at: 12)
        serverSend = bytes.bigEndian(at: 20)
        try FrameType.check(serverReceive, in: FrameType.anyTime, "t2")
        try FrameType.check(serverSend, in: FrameType.anyTime, "t3")
    }

    /// The difference to add to the client's clock to get the server's: half of (t2 − t1) + (t3 − t4), rounded down.
    ///
    /// Right if both ways take equally long; at worst wrong by half the round trip. Takes any arguments.
    /// - Parameter clientReceive: t4, the client's clock when this arrived, µs.
    ///
    /// Source: Protocol/spec/time.md, "The offset".
    public func offset(clientReceive: Int64) -> Int64 {
        let there = Int128(serverReceive) - Int128(clientSend)
        let back = Int128(serverSend) - Int128(clientReceive)
        return Int64(clamping: (there + back) >> 1)
    }

    /// The time on the way: (t4 − t1) − (t3 − t2). Negative only if a clock was set meanwhile.
    public func roundTrip(clientReceive: Int64) -> Int64 {
        let away = Int128(clientReceive) - Int128(clientSend)
        return Int64(clamping: away - (Int128(serverSend) - Int128(serverReceive)))
    }

    /// Appends the 28 bytes of the frame.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(FrameType.timeResponse)
        bytes.append(0)
        bytes.appendBigEndian(probeID)
        bytes.appendBigEndian(clientSend)
        bytes.appendBigEndian(serverReceive)
        bytes.appendBigEndian(serverSend)
    }

    public func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }
}
