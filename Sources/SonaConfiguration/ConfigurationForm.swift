internal import Glibc

/// The form of one value: how it is read from text, and how it is written down.
public struct ConfigurationForm<Value: Sendable>: Sendable {
    /// The placeholder for the value in help texts, like `HOST:PORT`.
    public let placeholder: String
    /// Completes the sentence "`loops` takes …": "a number from 1 to 64".
    public let expectation: String
    let read: @Sendable (String) -> Value?
    let text: @Sendable (Value) -> String

    /// - Parameters:
    ///   - placeholder: What stands for the value in help texts.
    ///   - expectation: Completes the sentence "`key` takes …".
    ///   - read: The value of a text; `nil` if it has none.
    ///   - text: The text that `read` reads as this value.
    public init(
        _ placeholder: String, expectation: String, read: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String
    ) {
        self.placeholder = placeholder
        self.expectation = expectation
        self.read = read
        self.text = text
    }
}

extension ConfigurationForm where Value == String {
    /// Text that `isValid` accepts.
    public static func text(
        _ placeholder: String, expectation: String, isValid: @escaping @Sendable (String) -> Bool
    ) -> Self {
        Self(placeholder, expectation: expectation, read: { isValid($0) ? $0 : nil }, text: { $0 })
    }

    /// Any text without line breaks.
    public static func text(_ placeholder: String) -> Self {
        text(placeholder, expectation: "text") { _ in true }
    }

    /// The path of a file or folder. A relative one is taken from the working directory.
    public static func path(_ placeholder: String) -> Self {
        text(placeholder, expectation: "a path") { _ in true }
    }

    /// An address that begins with `https://` or `http://` and names a host.
    public static func webAddress(_ placeholder: String) -> Self {
        text(placeholder, expectation: "an address that begins with https:// or http://") { text in
            ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
                && !text.contains { $0.isWhitespace }
        }
    }
}

extension ConfigurationForm where Value == Int {
    /// A whole number in decimal digits.
    public static func number(_ range: ClosedRange<Int>, _ placeholder: String = "N") -> Self {
        Self(
            placeholder, expectation: "a number from \(range.lowerBound) to \(range.upperBound)",
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, text: { String($0) })
    }
}

extension ConfigurationForm where Value == Bool {
    /// `yes` or `no`; `true`, `on` and `1`, `false`, `off` and `0` mean the same.
    public static var flag: Self {
        Self(
            "yes|no", expectation: "yes or no",
            read: { text in
                switch text.lowercased() {
                case "yes", "true", "on", "1": true
                case "no", "false", "off", "0": false
                default: nil
                }
            }, text: { $0 ? "yes" : "no" })
    }
}

extension ConfigurationForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words that the cases of `Value` stand for.
    public static var word: Self {
        let words = Value.allCases.map(\.rawValue)
        let last = words.last ?? ""
        let list = words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " + last : last
        return Self(
            words.joined(separator: "|"), expectation: list, read: { Value(rawValue: $0) }, text: { $0.rawValue })
    }
}
