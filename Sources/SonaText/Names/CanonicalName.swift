/// A name that has passed `UsernameRules`: how it is shown, and what of it is unique.
///
/// Two names are equal if they are shown alike *and* have one key; compare the keys to learn whether both may exist.
public struct CanonicalName: Hashable, Sendable, CustomStringConvertible {
    /// The name as typed, in NFC.
    public let display: String
    /// The part that is unique: two names with one key cannot both exist.
    public let key: NameKey

    init(display: String, key: NameKey) {
        self.display = display
        self.key = key
    }

    /// The name as it is shown.
    public var description: String { display }
}
