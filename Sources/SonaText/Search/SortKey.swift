/// Bytes in whose order texts are listed, by the collation of CLDR's root locale: one order for all languages.
///
/// ```swift
/// SortKey.bytes("Äther") < SortKey.bytes("Bach")  // lexicographically
/// ```
/// Any thread; about 1 µs for a name. The keys of one ICU are comparable with each other, not with those of another
/// major version: what keeps them makes them anew with `KeyVersion`.
public enum SortKey {
    /// Scalars of a text that count, and bytes of a key.
    private static let scalarsMax = 64
    /// Texts that differ only after it are equal to a list.
    public static let bytesMax = 96

    public static func bytes(_ text: String) -> [UInt8] {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarsMax)))
        return Array(ICU.sortKey(Array(text.utf16)).prefix(bytesMax))
    }
}
