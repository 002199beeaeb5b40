internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct SettingsCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Shows and changes the settings of your players and programs.",
        discussion: "Without a subcommand they are shown.",
        subcommands: [SettingsShowCommand.self, SettingsSetCommand.self],
        defaultSubcommand: SettingsShowCommand.self)
}

struct SettingsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows your settings.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let me = try await global.withClient(.account) { try await $0.call(UserMe()) }
        guard let settings = me.settings else {
            throw Failure(77, "Guests have no settings; run sonactl signup or sonactl login.")
        }
        settings.show(json: json)
    }
}

struct SettingsSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes your settings.",
        discussion: "Settings that are not named stay as they are.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "Language of mail, and of players.") var locale: LocaleCode?
    @Option(help: "Colours of players.") var theme: Theme?
    @Flag(inversion: .prefixedNo, help: "Whether players tint themselves with the colours of what they show.")
    var shading: Bool?
    @Option(help: "How audio leaves the server in new rooms, as players offer it.") var delivery: Delivery?
    @Option(help: "Who may enter new rooms, as players offer it.") var visibility: Visibility?
    @Option(help: "Who may see in which room you are.") var presence: PresencePolicy?
    @Flag(help: "Print the settings as JSON.") var json = false

    func validate() throws {
        let isEmpty =
            locale == nil && theme == nil && shading == nil && delivery == nil && visibility == nil && presence == nil
        if isEmpty { throw ValidationError("Name something to set.") }
    }

    func run() async throws {
        let request = SettingsUpdate(
            locale: locale, theme: theme, shading: shading, delivery: delivery, visibility: visibility,
            presence: presence)
        let result = try await global.withClient(.account) { try await $0.call(request) }
        result.settings.show(json: json)
    }
}

extension Settings {
    fileprivate func show(json: Bool) {
        if json { return Console.out(json: self) }
        var table = Table()
        table.add("locale", locale.rawValue)
        table.add("theme", theme.rawValue)
        table.add("shading", shading ? "on" : "off")
        table.add("delivery", delivery.rawValue)
        table.add("visibility", visibility.rawValue)
        table.add("presence", presence.rawValue)
        table.show()
    }
}
