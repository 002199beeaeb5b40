internal import Glibc

/// Frames one after the other in memory, so that several consecutive ones go out in one write.
///
/// Frames are numbered upwards without end. A new frame replaces none: the owner of the ring drops frames that are too
/// old (`drop(dueBefore:bytesMax:)`). The memory doubles when it is full. A frame is never moved while it is being
/// sent, since libwebsockets copies the rest of a short write.
///
/// With hundreds of rooms playing, cache misses are the cost of a frame. Adding one therefore reads nothing but this
/// struct.
struct FrameRing: ~Copyable {
    private struct Place {
        var offset = 0
        var count = 0
        /// The time by which it should have gone out, µs.
        var due: Int64 = 0
    }

    /// Most bytes of one write. libwebsockets copies the part that a socket does not take, and sends it before anything
    /// later.
    static let runBytesMax = 8192

    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Places of the frames, indexed by number modulo the array's size, a power of two.
    private var places: UnsafeMutablePointer<Place>
    private var placesCount = 16
    /// Number of the oldest frame held, and of the one that comes next.
    private(set) var first: Int
    private(set) var end: Int
    private(set) var usedBytes = 0
    /// The offset where the oldest frame begins; `tail` is where the newest ends.
    private var head = 0
    private var tail = 0

    init(from number: Int) {
        capacity = 4096
        bytes = .allocate(capacity: capacity)
        places = .allocate(capacity: placesCount)
        places.initialize(repeating: Place(), count: placesCount)
        first = number
        end = number
    }

    deinit {
        bytes.deallocate()
        places.deallocate()
    }

    private func place(_ number: Int) -> Place { places[number & (placesCount - 1)] }

    /// A frame's bytes on the wire, header included.
    func frame(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(first <= number && number < end, "There is no frame \(number).")
        let place = place(number)
        return UnsafeBufferPointer(start: bytes + place.offset, count: place.count)
    }

    func due(_ number: Int) -> Int64 { place(number).due }

    /// Adds a binary message. Returns its bytes on the wire.
    @discardableResult
    mutating func append(binary payload: [UInt8], due: Int64) -> Int {
        let header = WebSocketFrame.headerBytes(payload.count)
        let count = header + payload.count
        if end - first == placesCount { growPlaces() }
        let offset = room(for: count)
        if first == end { head = offset }
        tail = offset + count
        WebSocketFrame.writeHeader(.binary, payload.count, to: bytes + offset)
        payload.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { memcpy(bytes + offset + header, base, source.count) }
        }
        places[end & (placesCount - 1)] = Place(offset: offset, count: count, due: due)
        end += 1
        usedBytes += count
        return count
    }

    /// Adds bytes that go out as they are. Returns their number.
    @discardableResult
    mutating func append(raw bytes: [UInt8], due: Int64) -> Int {
        if end - first == placesCount { growPlaces() }
        let offset = room(for: bytes.count)
        if first == end { head = offset }
        tail = offset + bytes.count
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { memcpy(self.bytes + offset, base, source.count) }
        }
        places[end & (placesCount - 1)] = Place(offset: offset, count: bytes.count, due: due)
        end += 1
        usedBytes += bytes.count
        return bytes.count
    }

    /// Drops the oldest frames that were due before `now`, and as many more as leaves no more than `bytesMax`.
    mutating func drop(dueBefore now: Int64, bytesMax: Int) {
        while first < end {
            let oldest = place(first)
            guard oldest.due < now || usedBytes > bytesMax else { return }
            usedBytes -= oldest.count
            first += 1
            head = place(first).offset
        }
    }

    var emptyRun: (start: UnsafeMutablePointer<UInt8>, count: Int, end: Int) { (bytes, 0, first) }

    /// The frames from `number` on that lie in one piece: their start, their length, and the number of the first that
    /// is not among them.
    ///
    /// - Parameter bytesMax: Where to end; a single frame may be longer.
    func run(from number: Int, bytesMax: Int = runBytesMax) -> (
        start: UnsafeMutablePointer<UInt8>, count: Int, end: Int
    ) {
        let head = place(number)
        var count = head.count
        var next = number + 1
        while next < end {
            let place = place(next)
            guard place.offset == head.offset + count, count + place.count <= bytesMax else { break }
            count += place.count
            next += 1
        }
        return (bytes + head.offset, count, next)
    }

    /// The offset for the next frame.
    private mutating func room(for count: Int) -> Int {
        while true {
            guard first < end else {
                if count <= capacity { return 0 }
                grow(count)
                continue
            }
            if tail > head {
                if capacity - tail >= count { return tail }
                if head >= count { return 0 }
            } else if head - tail >= count {
                return tail
            }
            grow(count)
        }
    }

    private mutating func grow(_ count: Int) {
        var larger = capacity * 2
        while larger < usedBytes + count { larger *= 2 }
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        var offset = 0
        for number in first..<end {
            let old = place(number)
            memcpy(target + offset, bytes + old.offset, old.count)
            places[number & (placesCount - 1)].offset = offset
            offset += old.count
        }
        (head, tail) = (0, offset)
        bytes.deallocate()
        bytes = target
        capacity = larger
    }

    private mutating func growPlaces() {
        let larger = UnsafeMutablePointer<Place>.allocate(capacity: placesCount * 2)
        larger.initialize(repeating: Place(), count: placesCount * 2)
        for number in first..<end { larger[number & (placesCount * 2 - 1)] = place(number) }
        places.deallocate()
        places = larger
        placesCount *= 2
    }
}
