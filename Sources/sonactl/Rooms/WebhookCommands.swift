internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct WebhookCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks", abstract: "Has addresses told what happens: rooms that go live or end, submissions.",
        discussion: """
            With --room those of a room, for whoever controls it. Without it those of all public rooms and of submissions, \
            for administrators.

              sonactl webhooks add https://example.org/hook --room @ada
              sonactl webhooks add https://discord.com/api/webhooks/1/x --form discord --event room.live
              sonactl webhooks list
              sonactl webhooks test 3
            """,
        subcommands: [
            WebhookListCommand.self, WebhookAddCommand.self, WebhookTestCommand.self, WebhookOnCommand.self,
            WebhookOffCommand.self, WebhookRemoveCommand.self,
        ])
}

/// The room that webhooks are of.
struct WebhookRoomOption: ParsableArguments {
    @Option(help: "Of this room: its identifier, a link or @username.") var room: String?

    func link() throws -> RoomLink? { try room.map { try RoomArgument.link($0) } }
}

/// The webhook that is meant.
struct WebhookArgument: ParsableArguments {
    @Argument(help: "The identifier in sonactl webhooks list.") var id: Int64
}

struct WebhookListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists webhooks and what came of them.",
        discussion:
            "A line for each: identifier, on or off, form, how many wait and were taken, the last answer, address.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var of: WebhookRoomOption
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let link = try of.link()
        let list = try await global.withClient(.account, link: link) {
            try await $0.call(WebhookList(room: link?.reference))
        }
        if json { return Console.out(json: list) }
        if list.webhooks.isEmpty { return Console.say("sonactl: There are no webhooks.") }
        var table = Table()
        for one in list.webhooks {
            table.add(
                "\(one.id)", one.isOn ? "on" : "off", one.form.rawValue, "\(one.waitingCount) waiting",
                "\(one.deliveredCount) taken", one.answers.first?.outcome ?? "-", one.url)
        }
        table.show()
    }
}

extension WebhookAnswer {
    fileprivate var outcome: String { status.map { "\($0)" } ?? error ?? "-" }
}

struct WebhookAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Has an address told what happens.",
        discussion: """
            Prints the identifier, and the key of the signatures, which the server does not tell again. Protocol/spec/webhooks.md \
            says how a signature is checked.
            """)

    enum Form: String, CaseIterable, ExpressibleByArgument {
        case json, discord
    }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var of: WebhookRoomOption
    @Argument(help: "The address, http:// or https://.") var url: String
    @Option(help: "json of this server, signed, or discord.") var form = Form.json
    @Option(
        help: ArgumentHelp(
            "room.live, room.ended or submission.created; may be repeated. All if absent.", valueName: "event"))
    var event: [String] = []
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let link = try of.link()
        let added = try await global.withClient(.account, link: link) {
            try await $0.call(
                WebhookAdd(
                    room: link?.reference, url: url, form: form == .json ? .json : .discord,
                    events: event.isEmpty ? nil : event))
        }
        if json { return Console.out(json: added) }
        Console.out("\(added.webhook.id)" + (added.secret.isEmpty ? "" : "  \(added.secret)"))
    }
}

struct WebhookTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Tells a webhook something at once, and prints its answer.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var webhook: WebhookArgument
    @Flag(help: "Print one JSON object, as the server answers.") var json = false

    func run() async throws {
        let tested = try await global.withClient(.account) { try await $0.call(WebhookTest(id: webhook.id)) }
        if json { return Console.out(json: tested) }
        Console.out(tested.answer.outcome)
    }
}

struct WebhookOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Switches a webhook on again.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var webhook: WebhookArgument

    func run() async throws {
        _ = try await global.withClient(.account) { try await $0.call(WebhookUpdate(id: webhook.id, isOn: true)) }
    }
}

struct WebhookOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switches a webhook off; what waits for it stays.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var webhook: WebhookArgument

    func run() async throws {
        _ = try await global.withClient(.account) { try await $0.call(WebhookUpdate(id: webhook.id, isOn: false)) }
    }
}

struct WebhookRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Tells an address nothing more.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var webhook: WebhookArgument

    func run() async throws {
        _ = try await global.withClient(.account) { try await $0.call(WebhookRemove(id: webhook.id)) }
    }
}
