import ArgumentParser
import SonaConfiguration
import SonaServer

/// The flags of one section of the server's keys (`ServerConfiguration.keys`).
///
/// ArgumentParser finds the flags of a type by reflection and then decodes the type from what was typed. Both ways lead
/// over the table here, so that a key is not declared a second time.
struct SectionFlags<let section: Int>: ParsableArguments, CustomReflectable {
    /// The texts that were typed, by the name of the flag.
    private(set) var given: [String: [String]] = [:]

    private static var keys: [ConfigurationKey<ServerConfiguration>] { ServerConfiguration.keys.sections[section].keys }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FlagName.self)
        for key in Self.keys {
            let name = FlagName(stringValue: key.flag)
            let texts: [String] =
                switch key.count {
                case .one: try container.decodeIfPresent(String.self, forKey: name).map { [$0] } ?? []
                case .many: try container.decode([String].self, forKey: name)
                case .flag: try container.decodeIfPresent(Bool.self, forKey: name).map { [$0 ? "yes" : "no"] } ?? []
                }
            if !texts.isEmpty { given[key.flag] = texts }
        }
    }

    /// What ArgumentParser takes for the properties of this type. It drops the underscore, with which the properties
    /// behind property wrappers begin.
    var customMirror: Mirror {
        Mirror(self, children: Self.keys.map { ("_" + $0.flag, Self.option($0)) }, displayStyle: .struct)
    }

    private static func option(_ key: ConfigurationKey<ServerConfiguration>) -> Any {
        let name = NameSpecification.customLong(key.flag)
        switch key.count {
        case .one: return Option<String?>(name: name, help: help(key))
        case .many: return Option<[String]>(wrappedValue: [], name: name, parsing: .singleValue, help: help(key))
        case .flag: return Flag<Bool?>(name: name, inversion: .prefixedNo, help: help(key))
        }
    }

    private static func help(_ key: ConfigurationKey<ServerConfiguration>) -> ArgumentHelp {
        let table = ServerConfiguration.keys
        guard !key.traits.contains(.secret) else {
            return ArgumentHelp("\(key.help) The first line of a file.", valueName: "file")
        }
        var text = key.help
        if key.count == .many { text += " May be repeated." }
        let usual = key.usually ?? table.standardText(key, ServerConfiguration.standard)
        if let usual, key.count != .flag { text += " (default: \(usual))" }
        return ArgumentHelp(stringLiteral: text).named(key.placeholder)
    }
}

extension ArgumentHelp {
    fileprivate func named(_ valueName: String) -> ArgumentHelp {
        var help = self
        help.valueName = valueName
        return help
    }
}

/// The name of a flag as a key of ArgumentParser's decoder.
private struct FlagName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
