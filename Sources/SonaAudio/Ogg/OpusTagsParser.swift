/// Reads an OpusTags packet as it comes, page by page, and keeps only what `OpusTags` promises to keep.
///
/// States, in order; each takes its bytes and moves to the next:
///
///     magic → vendorLength → vendor → count → (length → comment)* → done
///
/// A comment may be megabytes long (a cover picture), and its length field may lie. Nothing is allocated from a length
/// field: bytes are appended as they arrive, up to the limit, and passed over beyond it.
struct OpusTagsParser {
    private enum State {
        case magic, vendorLength, vendor, count, length, comment, done
    }

    private var state = State.magic
    /// Bytes the current state still takes.
    private var needed = 8
    /// Bytes of the current field, or of the kept part of the current string.
    private var field: [UInt8] = []
    /// Whether the current string is being passed over.
    private var isSkipping = false
    private var commentsLeft: UInt32 = 0
    private var budget = OpusTags.bytesMax
    private var vendor = ""
    private var comments: [String] = []
    private var isBad = false

    /// Cost of an entry beside its text, so that millions of empty comments stay bounded too.
    private static let entryCost = 16
    private static let pictureKeys: [StaticString] = ["METADATA_BLOCK_PICTURE=", "COVERART="]

    /// Takes the next bytes of the packet. What follows a complete header (padding, binary data) is ignored.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !isBad, state != .done {
            let taken = rest.prefix(needed)
            needed -= taken.count
            rest = rest.dropFirst(taken.count)
            keep(taken)
            guard needed == 0 else { return }
            finishField()
        }
    }

    /// The tags, once the packet is complete.
    ///
    /// - Throws: `.badHeader` if it was not an OpusTags, or ended inside one of its strings.
    consuming func finish() throws(AudioError) -> OpusTags {
        guard !isBad, state != .magic else { throw .badHeader("The second packet of the stream is not an OpusTags.") }
        guard state == .done else { throw .badHeader("The OpusTags end inside one of their strings.") }
        return OpusTags(vendor: vendor, comments: comments)
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !isSkipping else { return }
        let room = state == .comment || state == .vendor ? budget - field.count : bytes.count
        guard bytes.count <= room else {
            isSkipping = true
            field = []
            return
        }
        field.append(contentsOf: bytes)
        if state == .comment, isPicture {
            isSkipping = true
            field = []
        }
    }

    private var isPicture: Bool {
        Self.pictureKeys.contains { key in
            let length = key.utf8CodeUnitCount
            return field.count >= length
                && OpusTags.isSameKey(
                    field.prefix(length), UnsafeBufferPointer(start: key.utf8Start, count: length))
        }
    }

    private mutating func finishField() {
        switch state {
        case .magic:
            isBad = !field.withUnsafeBytes { $0.starts(with: OpusTags.magic) }
            enter(.vendorLength, needing: 4)
        case .vendorLength:
            enter(.vendor, needing: number)
        case .vendor:
            vendor = String(decoding: field, as: UTF8.self)
            budget -= field.count
            enter(.count, needing: 4)
        case .count:
            commentsLeft = UInt32(truncatingIfNeeded: number)
            enterNextComment()
        case .length:
            let length = number
            enter(.comment, needing: length)
            isSkipping = length + Self.entryCost > budget
        case .comment:
            if !isSkipping, let split = field.firstIndex(of: UInt8(ascii: "=")), split > 0 {
                comments.append(String(decoding: field, as: UTF8.self))
                budget -= field.count + Self.entryCost
            }
            commentsLeft -= 1
            enterNextComment()
        case .done:
            break
        }
    }

    private mutating func enterNextComment() {
        if commentsLeft > 0 { enter(.length, needing: 4) } else { enter(.done, needing: 0) }
    }

    private mutating func enter(_ next: State, needing bytes: Int) {
        state = next
        needed = bytes
        isSkipping = false
        field.removeAll(keepingCapacity: true)
    }

    /// The four bytes of a length or count.
    private var number: Int {
        Int(field.withUnsafeBytes { $0.littleEndian(at: 0, as: UInt32.self) })
    }
}
