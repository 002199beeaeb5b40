/// A name that has passed `UsernameRules`: how it is shown, and what of it is unique.
///
/// Two names are equal if they are shown alike *and* have one key; compare the keys to learn whether both may exist.
public struct CanonicalName: Hashable, Sendable, CustomStringConvertible {
    /// As typed, in NFC.
    public let display: String
    public let key: NameKey

    init(display: String, key: NameKey) {
        self.display = display
        self.key = key
    }

    public var description: String { display }
}
