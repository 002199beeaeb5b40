/// How stored rows and columns are to be turned before a person looks at them.
///
/// The names say where the stored first row and first column belong.
/// Source: Exif 2.32 §4.6.4.A, tag 0x0112; TIFF 6.0 page 36.
enum Orientation: Int, CaseIterable {
    case upright = 1
    case topRight = 2
    case bottomRight = 3
    case bottomLeft = 4
    case leftTop = 5
    case rightTop = 6
    case rightBottom = 7
    case leftBottom = 8

    /// Whether width and height change places.
    var swapsSides: Bool { rawValue >= 5 }

    /// Maps pixel (x, y) of the upright picture to its index in a stored one of `width` × `height`, which is
    /// `start + x * column + y * row`.
    func walk(width: Int, height: Int) -> (start: Int, column: Int, row: Int) {
        let lastRow = (height - 1) * width
        return switch self {
        case .upright: (0, 1, width)
        case .topRight: (width - 1, -1, width)
        case .bottomRight: (lastRow + width - 1, -1, -width)
        case .bottomLeft: (lastRow, 1, -width)
        case .leftTop: (0, width, 1)
        case .rightTop: (lastRow, -width, 1)
        case .rightBottom: (lastRow + width - 1, -width, -1)
        case .leftBottom: (width - 1, width, -1)
        }
    }
}
