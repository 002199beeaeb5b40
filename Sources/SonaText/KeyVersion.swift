/// The version of everything that the keys of this module depend on, for programs that keep keys.
///
/// A key is made by rules of this module from tables of ICU. Another release of either may give the same text another
/// key, usually for characters that are new in Unicode. A program that stores keys has to store this text with them,
/// and make all keys anew when it changes. Otherwise two names that look alike could both exist, and a stored text
/// might not be found.
public enum KeyVersion {
    /// Such as `sona 1, icu 72.1, unicode 15.0`. Compare it for equality only.
    public static let current = "sona \(rules), icu \(ICU.version), unicode \(ICU.unicodeVersion)"

    /// One more with each change to how `NameKey` or `SearchKey` is made.
    private static let rules = 1
}
