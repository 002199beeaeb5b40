internal import Glibc
internal import SonaBase

/// Where a value came from.
public enum ConfigurationOrigin: Sendable, Equatable {
    case flag(String)
    case environment(String)
    /// A file that the service manager hands over (systemd's `LoadCredential=`).
    case credential(String)
    case file(String, line: Int)
    case standard

    /// Whether the person who typed the command gave the value.
    public var isCommandLine: Bool {
        if case .flag = self { true } else { false }
    }
}

extension ConfigurationOrigin: CustomStringConvertible {
    public var description: String {
        switch self {
        case .flag(let name): "--\(name)"
        case .environment(let name): name
        case .credential(let path): path
        case .file(let path, let line): "\(path):\(line)"
        case .standard: "default"
        }
    }
}

/// The settings a program was given, by source. Each source overrides those that follow it.
public struct ConfigurationSources: Sendable {
    /// Texts of the flags that were given, by the name of the flag.
    public var flags: [String: [String]] = [:]
    public var environment: [String: String] = [:]
    /// The folder of systemd's credentials, `$CREDENTIALS_DIRECTORY`.
    public var credentialsFolder: String?
    public var file: ConfigurationFile?

    public init() {}

    /// The environment and the credentials of this process.
    public static func process() -> ConfigurationSources {
        var sources = ConfigurationSources()
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            if let equals = text.firstIndex(of: "=") {
                sources.environment[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        sources.credentialsFolder = sources.environment["CREDENTIALS_DIRECTORY"]
        return sources
    }
}

/// A value that can't be used, or a key that does not exist.
public struct ConfigurationFault: Error, Sendable, Equatable, CustomStringConvertible {
    public let origin: ConfigurationOrigin
    /// The name of the key whose value it is; `nil` if there is no such key.
    public let key: String?
    /// One sentence, with a full stop.
    public let description: String

    public init(_ origin: ConfigurationOrigin, key: String?, _ sentence: String) {
        self.origin = origin
        self.key = key
        description = sentence
    }
}

/// A configuration in which each value is decided.
public struct ResolvedConfiguration<Target> {
    public var target: Target
    /// Where each key's value came from, by the key's name.
    public var origins: [String: ConfigurationOrigin] = [:]
    /// Everything that is wrong; empty if the target can be used.
    public var faults: [ConfigurationFault] = []
    /// Sentences that the operator should read once.
    public var warnings: [String] = []

    /// The origin of the value of a key.
    public func origin(_ key: String) -> ConfigurationOrigin { origins[key] ?? .standard }
}

extension ResolvedConfiguration: Sendable where Target: Sendable {}
