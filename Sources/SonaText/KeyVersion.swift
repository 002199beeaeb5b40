/// What the keys of this module depend on, for programs that keep keys.
///
/// A key is made by rules of this module from tables of ICU's. Another release of either may make another key of the
/// same text, for characters that were not in Unicode before as a rule. Who keeps keys keeps this text beside them,
/// and makes all of them anew when it has changed: otherwise two names that look alike can both be there, and a text
/// that is there may not be found.
public enum KeyVersion {
    /// Such as `sona 1, icu 72.1, unicode 15.0`. Compare it for equality only.
    public static let current = "sona \(rules), icu \(ICU.version), unicode \(ICU.unicodeVersion)"

    /// One more with each change to how `NameKey` or `SearchKey` is made.
    private static let rules = 1
}
