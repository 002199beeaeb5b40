import SonaCrypto

/// Small PNG files to upload.
enum PhotoFixture {
    /// 3 × 2 pixels of one colour each.
    static let red = png(
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mM4IScHQQxwFgBBAAYZ1ETuGQAAAABJRU"
            + "5ErkJggg")
    static let blue = png(
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mOQkzsBQQxwFgA5CAYZDOxrbQAAAABJRU"
            + "5ErkJggg")
    /// A header with 30 000 × 30 000 pixels.
    static let huge = png(
        "iVBORw0KGgoAAAANSUhEUgAAdTAAAHUwCAIAAADpRW_tAAAADElEQVR42mNgoD0AAABkAAG4me-ZAAAAAElFTkSuQm"
            + "CC")

    private static func png(_ text: String) -> [UInt8] { Base64.decode(text) ?? [] }
}
