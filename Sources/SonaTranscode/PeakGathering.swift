/// The loudest sample of each part of a sound whose length is not known before its end.
///
/// Holds 2048 to 4096 peaks of equal parts. When they are full, each two become one, so memory does not depend on the
/// length and every sample counts.
struct PeakGathering {
    private static let partsMax = 4096

    private var parts: [UInt16] = []
    /// Values of one part.
    private var partValues = 64
    private var current: UInt16 = 0
    private var currentValues = 0
    /// An odd byte at the end of what was taken last.
    private var half: UInt8?
    private(set) var valueCount = 0

    /// Takes samples of 16 bits, little-endian, of all channels in turn.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        if let low = half, let high = rest.popFirst() {
            half = nil
            take(Int16(bitPattern: UInt16(low) | UInt16(high) << 8))
        }
        let whole = UnsafeRawBufferPointer(rebasing: rest)
        var place = 0
        while place + 1 < whole.count {
            let end = min(whole.count - 1, place + 2 * (partValues - currentValues))
            var loudest = current
            let start = place
            while place < end {
                let value = Int16(littleEndian: whole.loadUnaligned(fromByteOffset: place, as: Int16.self))
                loudest = max(loudest, value.magnitude)
                place += 2
            }
            current = loudest
            currentValues += (place - start) / 2
            valueCount += (place - start) / 2
            if currentValues == partValues { closePart() }
        }
        if place < whole.count { half = whole[place] }
    }

    private mutating func take(_ value: Int16) {
        current = max(current, value.magnitude)
        currentValues += 1
        valueCount += 1
        if currentValues == partValues { closePart() }
    }

    private mutating func closePart() {
        parts.append(current)
        (current, currentValues) = (0, 0)
        guard parts.count == Self.partsMax else { return }
        for index in 0..<(Self.partsMax / 2) { parts[index] = max(parts[2 * index], parts[2 * index + 1]) }
        parts.removeLast(Self.partsMax / 2)
        partValues *= 2
    }

    /// The peaks of so many equal parts of the whole, 0 to 255; 255 is full scale.
    func peaks(_ count: Int) -> [UInt8] {
        let all = currentValues > 0 ? parts + [current] : parts
        guard !all.isEmpty else { return [UInt8](repeating: 0, count: count) }
        return (0..<count).map { index in
            // A sound with fewer parts than peaks shows each part more than once.
            let first = min(all.count - 1, index * all.count / count)
            let end = max(first + 1, min(all.count, (index + 1) * all.count / count))
            let loudest = Int(all[first..<end].max() ?? 0)
            return UInt8(min(255, (loudest * 255 + 16_384) / 32_768))
        }
    }
}
