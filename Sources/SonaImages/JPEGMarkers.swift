/// A JPEG walked from marker to marker: size, components, scans and the Exif orientation.
///
/// Refused here: what libjpeg-turbo 2.1 does not decode (lossless, hierarchical, 12-bit), a file that ends before its
/// end marker, and more than `scansMax` scans. A progressive JPEG may go over all of its pixels once per scan; files
/// of few bytes and thousands of scans would cost minutes.
/// Source: ITU-T T.81 B.1 and B.2.
struct JPEGMarkers {
    /// Encoders write some ten scans; those that search for the smallest file stay below this.
    static let scansMax = 64

    let bytes: [UInt8]
    private(set) var header = ImageHeader(kind: .jpeg, width: 0, height: 0)
    private(set) var components = 0
    private(set) var orientation = Orientation.upright
    private(set) var scans = 0

    /// - Throws: `.unsupportedFeature`, `.damaged`.
    init(_ bytes: [UInt8]) throws(ImageError) {
        self.bytes = bytes
        var offset = 2
        while let marker = nextMarker(from: &offset) {
            switch marker {
            case 0xD9:
                guard components > 0, scans > 0 else { throw .damaged(.jpeg) }
                return
            case 0x01, 0xD0...0xD8:
                continue
            default:
                try readSegment(marker, at: &offset)
            }
        }
        throw .damaged(.jpeg)
    }

    /// The next marker's second byte; `offset` then lies after it. Skips entropy-coded data, in which 0xFF is followed
    /// by 0 or a restart marker, and fill bytes. `nil` at the end.
    private func nextMarker(from offset: inout Int) -> UInt8? {
        bytes.withUnsafeBufferPointer { bytes in
            while offset + 1 < bytes.count {
                let (first, second) = (bytes[offset], bytes[offset + 1])
                if first == 0xFF, second != 0, second != 0xFF {
                    offset += 2
                    return second
                }
                offset += 1
            }
            return nil
        }
    }

    /// A marker with a length: its two bytes count themselves.
    private mutating func readSegment(_ marker: UInt8, at offset: inout Int) throws(ImageError) {
        let fields = ByteFields(bytes[offset...], .bigEndian)
        guard let length = fields.uint16(at: 0), let segment = fields.slice(at: 0, count: length), length >= 2 else {
            throw .damaged(.jpeg)
        }
        switch marker {
        case 0xC4, 0xC8, 0xCC: break
        case 0xC0...0xCF: try readFrame(marker, ByteFields(segment.dropFirst(2), .bigEndian))
        case 0xDA: try countScan()
        case 0xE1 where segment.dropFirst(2).starts(with: ExifOrientation.prefix) && orientation == .upright:
            orientation = ExifOrientation.read(segment.dropFirst(2))
        default: break
        }
        offset += length
    }

    /// SOF: 1 byte precision, 2 height, 2 width, 1 number of components.
    private mutating func readFrame(_ marker: UInt8, _ frame: ByteFields) throws(ImageError) {
        guard components == 0, let start = frame.slice(at: 0, count: 6), let height = frame.uint16(at: 1),
            let width = frame.uint16(at: 3), let precision = start.first, let count = start.last
        else { throw .damaged(.jpeg) }
        // Baseline, extended and progressive, with Huffman or arithmetic coding.
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker), precision == 8 else {
            throw .unsupportedFeature("Lossless, hierarchical and 12-bit JPEG pictures are not taken.")
        }
        // 1 grey, 3 colour, 4 print colours. A height of 0 would be told after the first scan; nobody writes that.
        guard [1, 3, 4].contains(count) else {
            throw .unsupportedFeature("A JPEG picture of \(count) components is not taken.")
        }
        header = ImageHeader(kind: .jpeg, width: width, height: height)
        components = Int(count)
    }

    private mutating func countScan() throws(ImageError) {
        scans += 1
        guard scans <= Self.scansMax else {
            throw .unsupportedFeature("A JPEG picture of more than \(Self.scansMax) scans is not taken.")
        }
    }
}
