internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RoomsScheduleDuties: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duties", abstract: "Lists the slots that you host, or are asked to host.",
        discussion: "A line for each: identifier, what you have said, when it is next in UTC, room, title.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object: {\"duties\": […]}.") var json = false

    func run() async throws {
        let found = try await global.withClient(.account) { try await $0.call(ScheduleDuties()) }
        if json { return Console.out(json: found) }
        for duty in found.duties {
            let next = duty.next.map { UTC.text(milliseconds: $0.startMilliseconds) } ?? "-"
            let parts = [
                duty.slot.id.rawValue, duty.slot.dj?.state.rawValue ?? "-", next, duty.room.rawValue,
                duty.slot.title ?? duty.title,
            ]
            Console.out(parts.joined(separator: "  "))
        }
    }
}

struct RoomsScheduleAnswer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Accepts or declines to host a slot.")

    enum Answer: String, CaseIterable, ExpressibleByArgument {
        case accept, decline
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The slot's identifier, of sonactl rooms schedule duties.") var slot: SlotID
    @Argument(help: "accept or decline.") var answer: Answer

    func run() async throws {
        _ = try await global.withClient(.account) { [slot, answer] client in
            try await client.call(ScheduleAnswer(slot: slot, accepts: answer == .accept))
        }
    }
}
