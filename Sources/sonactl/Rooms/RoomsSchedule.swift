internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RoomsSchedule: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Says when a room opens, and what it plays by itself then.",
        discussion: """
            Times are what clocks of the zone show, in summer and in winter:

              sonactl rooms schedule add @ada 2027-03-26T20:00 --for 2h --weekly fri,sat --title "Late"
              sonactl rooms schedule list @ada
              sonactl rooms schedule upcoming
            """,
        subcommands: [
            RoomsScheduleList.self, RoomsScheduleAdd.self, RoomsScheduleUpdate.self, RoomsScheduleRemove.self,
            RoomsScheduleUpcoming.self, RoomsScheduleDuties.self, RoomsScheduleAnswer.self,
        ])
}

struct RoomsScheduleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists a room's slots and when they are next.",
        discussion: """
            A line for each slot: identifier, start, zone, how long, how often, playlist, title. Then a line for each time \
            within eight days: start and end in UTC, title.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func run() async throws {
        let link = try argument.link()
        let found = try await global.withClient(.anybody, link: link) {
            try await $0.call(ScheduleGet(room: link.reference))
        }
        if json { return Console.out(json: found) }
        for slot in found.slots { Console.out(slot.line) }
        if !found.occurrences.isEmpty { Console.out("") }
        for occurrence in found.occurrences { Console.out(occurrence.line) }
    }
}

/// What a slot is, as options.
struct SlotOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("When it begins first, such as 2027-03-26T20:00.", valueName: "start"))
    var start: String
    @Option(name: .customLong("for"), help: ArgumentHelp("How long: 90m, 2h, 1h30m.", valueName: "time"))
    var length: SlotLength
    @Option(help: "What it is called.") var title: String?
    @Option(help: "The time zone, such as Europe/Warsaw; the server's if absent.") var zone: String?
    @Flag(help: "Every day.") var daily = false
    @Option(help: ArgumentHelp("Every week, on these days: mon,wed,fri.", valueName: "days")) var weekly: SlotDays?
    @Option(help: ArgumentHelp("The last day, such as 2027-12-31.", valueName: "day")) var until: String?
    @Option(help: ArgumentHelp("The playlist that the room plays from by itself.", valueName: "id"))
    var playlist: MusicID?
    @Option(help: ArgumentHelp("Who hosts it, once they have accepted: @name or an identifier.", valueName: "user"))
    var dj: String?

    func validate() throws {
        if daily, weekly != nil { throw ValidationError("It is either --daily or --weekly.") }
        if until != nil, !daily, weekly == nil { throw ValidationError("--until goes with --daily or --weekly.") }
    }

    func settings() throws -> SlotSettings {
        var rule: SlotRepeat?
        if daily { rule = SlotRepeat(every: .day, until: until) }
        if let weekly { rule = SlotRepeat(every: .week, weekdays: weekly.days, until: until) }
        return SlotSettings(
            title: title, start: start, zone: zone, durationSeconds: length.seconds, rule: rule, playlist: playlist,
            dj: try dj.map(UserArgument.reference))
    }
}

struct RoomsScheduleAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a slot to a room's schedule, and prints its identifier.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @OptionGroup var options: SlotOptions
    @Flag(help: "Print the slot as JSON.") var json = false

    func run() async throws {
        let link = try argument.link()
        let settings = try options.settings()
        let slot = try await global.withClient(.account, link: link) { client in
            try await client.call(ScheduleAdd(room: link.reference, settings: settings)).slot
        }
        json ? Console.out(json: slot) : Console.out(slot.id.rawValue)
    }
}

struct RoomsScheduleUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Puts another slot in the place of one.",
        discussion: "Options that are left out are none, whatever the slot had.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Argument(help: "The slot's identifier.") var slot: SlotID
    @OptionGroup var options: SlotOptions
    @Flag(help: "Print the slot as JSON.") var json = false

    func run() async throws {
        let link = try argument.link()
        let settings = try options.settings()
        let changed = try await global.withClient(.account, link: link) { [slot] client in
            try await client.call(ScheduleUpdate(room: link.reference, slot: slot, settings: settings)).slot
        }
        json ? Console.out(json: changed) : Console.out(changed.line)
    }
}

struct RoomsScheduleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes a slot out of a room's schedule.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @Argument(help: "The slot's identifier.") var slot: SlotID

    func run() async throws {
        let link = try argument.link()
        _ = try await global.withClient(.account, link: link) { [slot] client in
            try await client.call(ScheduleRemove(room: link.reference, slot: slot))
        }
    }
}

struct RoomsScheduleUpcoming: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upcoming", abstract: "Lists public rooms that open soon.",
        discussion: "A line for each: start and end in UTC, room, title.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "all, friends or following.") var scope: RoomScope = .all
    @Option(help: "At most so many, 1 to 50.") var limit = Limits.upcomingCountDefault
    @Flag(help: "Print one JSON object: {\"rooms\": […]}.") var json = false

    func run() async throws {
        let found = try await global.withClient(.anybody) { [scope, limit] client in
            try await client.call(ScheduleUpcoming(scope: scope, limit: limit))
        }
        if json { return Console.out(json: found) }
        for one in found.rooms {
            let title = one.occurrence.title ?? one.room.settings.title
            Console.out("\(one.occurrence.times)  \(one.room.id.rawValue)  \(title)")
        }
    }
}

// MARK: - Words

extension Slot {
    fileprivate var line: String {
        var often = "once"
        if let rule {
            often = rule.every == .day ? "daily" : "weekly"
            if let weekdays = rule.weekdays { often += " " + SlotDays(days: weekdays).text }
            if let until = rule.until { often += " until \(until)" }
        }
        let parts = [
            id.rawValue, start, zone, SlotLength(seconds: durationSeconds).text, often, playlist?.rawValue ?? "-",
            title ?? "",
        ]
        let djs = dj.map { ["DJ \($0.user.label) (\($0.state.rawValue))"] } ?? []
        return (parts + djs).joined(separator: "  ")
    }
}

extension SlotOccurrence {
    fileprivate var times: String {
        "\(UTC.text(milliseconds: startMilliseconds))  \(UTC.text(milliseconds: endMilliseconds))"
    }

    fileprivate var line: String { "\(times)  \(title ?? "")" }
}
