/// How many values a key takes.
public enum ConfigurationCount: Sendable {
    case one
    /// Any number; the list of one source replaces that of a source it stands above.
    case many
    /// Yes or no: the flag has no value, and `--no-NAME` is its opposite.
    case flag
}

/// Properties of a key that its value does not tell.
public struct ConfigurationTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The value is never shown. On the command line only a file with it is named (`--NAME-file`), since everybody
    /// on the machine can read the command line.
    public static let secret = ConfigurationTraits(rawValue: 1)
    /// A running program takes over a new value.
    public static let reloadable = ConfigurationTraits(rawValue: 2)
    /// The value is the path of a file, so that a credential of this name is that file.
    public static let file = ConfigurationTraits(rawValue: 4)
}

/// One key of a program's configuration, declared once. The declaration gives the flag, the variable of the
/// environment, the line of the file, the documentation, and the place of the value in `Target`.
///
/// ```swift
/// .one("loops", \.loopCount, .number(1...64), "Threads that serve connections.", usually: "the cores, at most 8")
/// ```
public struct ConfigurationKey<Target>: Sendable {
    /// The key's name in the file: lower case, words joined by hyphens.
    public let name: String
    public let count: ConfigurationCount
    public let traits: ConfigurationTraits
    /// The placeholder for the value in help texts.
    public let placeholder: String
    /// One or two sentences.
    public let help: String
    /// The default in words, where the machine decides it.
    public let usually: String?
    /// Completes the sentence "`name` takes …".
    let expectation: String
    /// Puts values into their place. Returns the first text that is not of the form.
    let assign: @Sendable ([String], inout Target) -> String?
    /// The values in a target, as texts. Empty for a key without a value.
    let texts: @Sendable (Target) -> [String]
    /// Puts the value of the first target into the second.
    let copy: @Sendable (Target, inout Target) -> Void

    /// The name of the flag on the command line, without its two hyphens.
    public var flag: String { traits.contains(.secret) ? name + "-file" : name }

    /// The name of the variable in the environment.
    ///
    /// - Parameter prefix: Begins the names of all variables of the program, like `SONA_`.
    public func variable(_ prefix: String) -> String {
        prefix + name.uppercased().map { $0 == "-" ? "_" : $0 }
    }

    /// A key whose value always has a default.
    public static func one<Value: Sendable>(
        _ name: String, _ place: any WritableKeyPath<Target, Value> & Sendable, _ form: ConfigurationForm<Value>,
        _ help: String, usually: String? = nil, _ traits: ConfigurationTraits = []
    ) -> Self {
        Self(
            name: name, count: .one, traits: traits, placeholder: form.placeholder, help: help, usually: usually,
            expectation: form.expectation,
            assign: { texts, target in
                guard let text = texts.last else { return nil }
                guard let value = form.read(text) else { return text }
                target[keyPath: place] = value
                return nil
            },
            texts: { [form.text($0[keyPath: place])] },
            copy: { $1[keyPath: place] = $0[keyPath: place] })
    }

    /// A key that may have no value.
    public static func one<Value: Sendable>(
        _ name: String, _ place: any WritableKeyPath<Target, Value?> & Sendable, _ form: ConfigurationForm<Value>,
        _ help: String, usually: String? = nil, _ traits: ConfigurationTraits = []
    ) -> Self {
        Self(
            name: name, count: .one, traits: traits, placeholder: form.placeholder, help: help, usually: usually,
            expectation: form.expectation,
            assign: { texts, target in
                guard let text = texts.last else { return nil }
                guard let value = form.read(text) else { return text }
                target[keyPath: place] = value
                return nil
            },
            texts: { $0[keyPath: place].map { [form.text($0)] } ?? [] },
            copy: { $1[keyPath: place] = $0[keyPath: place] })
    }

    /// A key with a list of values. In the environment and in one line of the file they are separated by spaces.
    public static func many<Value: Sendable>(
        _ name: String, _ place: any WritableKeyPath<Target, [Value]> & Sendable, _ form: ConfigurationForm<Value>,
        _ help: String, _ traits: ConfigurationTraits = []
    ) -> Self {
        Self(
            name: name, count: .many, traits: traits, placeholder: form.placeholder, help: help, usually: nil,
            expectation: form.expectation,
            assign: { texts, target in
                var values: [Value] = []
                for text in texts {
                    guard let value = form.read(text) else { return text }
                    values.append(value)
                }
                target[keyPath: place] = values
                return nil
            },
            texts: { $0[keyPath: place].map(form.text) },
            copy: { $1[keyPath: place] = $0[keyPath: place] })
    }

    /// A key that is yes or no.
    public static func flag(
        _ name: String, _ place: any WritableKeyPath<Target, Bool> & Sendable, _ help: String,
        _ traits: ConfigurationTraits = []
    ) -> Self {
        let key = one(name, place, .flag, help, traits)
        return Self(
            name: name, count: .flag, traits: traits, placeholder: key.placeholder, help: help, usually: nil,
            expectation: key.expectation, assign: key.assign, texts: key.texts, copy: key.copy)
    }
}

/// Keys that belong together, under a heading.
public struct ConfigurationSection<Target>: Sendable {
    public let title: String
    public let keys: [ConfigurationKey<Target>]

    public init(_ title: String, _ keys: [ConfigurationKey<Target>]) {
        self.title = title
        self.keys = keys
    }
}
