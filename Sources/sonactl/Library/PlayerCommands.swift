internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct PlayerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "player", abstract: "Shows and commands what you play alone, on whatever device.",
        discussion: """
              sonactl player show
              sonactl player next
              sonactl player transfer kitchen
            """,
        subcommands: [
            PlayerShowCommand.self, PlayerTransferCommand.self, PlayerPauseCommand.self, PlayerResumeCommand.self,
            PlayerNextCommand.self, PlayerPreviousCommand.self, PlayerSeekCommand.self,
        ])
}

struct PlayerShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what you play alone, the tracks about it, and your devices.")

    @OptionGroup var global: GlobalOptions
    @Option(help: "How many tracks, 0 to 200.") var limit = 10
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard Limits.playerPage.contains(Int64(limit)) else { throw ValidationError("A page has 0 to 200 tracks.") }
    }

    func run() async throws {
        let page = try await global.withClient(.account) { try await $0.call(PlayerGet(limit: limit)) }
        if json { return Console.out(json: page) }
        Console.out(page.player.line(now: page.nowMilliseconds))
        var table = Table()
        for (offset, item) in page.items.enumerated() {
            let place = page.from + offset
            table.add(
                place == page.player.index ? ">" : "", "\(place + 1)", item.id.rawValue, item.track?.artistLine ?? "",
                item.track?.title ?? "")
        }
        table.show()
        for device in page.devices {
            let isPresent = device.id == page.player.device?.id
            Console.out("device \(device.id): \(device.name)\(isPresent ? " (this one plays)" : "")")
        }
    }
}

struct PlayerTransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer", abstract: "Has another device go on at the same place.",
        discussion: "The device is named by its identifier, or by a part of its name that no other has.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The device, as sonactl player show names it.") var device: String
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let result = try await global.withClient(.account) { client in
            let devices = try await client.call(PlayerGet(limit: 0)).devices
            let named = devices.filter { $0.name.lowercased().contains(device.lowercased()) }
            let isKnown = devices.contains { $0.id == device }
            let id = isKnown || named.count != 1 ? device : named[0].id
            return try await client.call(PlayerTransfer(device: id))
        }
        result.show(asJSON: json)
    }
}

/// A change of the present state. If somebody else is faster it is tried again.
private func change(
    _ global: GlobalOptions, json: Bool, _ body: @escaping @Sendable (PlayerState, Int64) -> PlayerUpdate
) async throws {
    let result = try await global.withClient(.account) { client in
        var page = try await client.call(PlayerGet(limit: 0))
        for _ in 0..<3 {
            let place = page.player.place(at: page.nowMilliseconds)
            let result = try await client.call(body(page.player, place))
            if result.isStored { return result }
            page = try await client.call(PlayerGet(limit: 0))
        }
        throw Failure(75, "The player changes all the time. Try again.")
    }
    result.show(asJSON: json)
}

struct PlayerPauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pauses what you play alone.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        try await change(global, json: json) { state, _ in PlayerUpdate(revision: state.revision, isPlaying: false) }
    }
}

struct PlayerResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Has the device that played last go on.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        try await change(global, json: json) { state, _ in PlayerUpdate(revision: state.revision, isPlaying: true) }
    }
}

struct PlayerNextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Plays the next track; after the last one the first.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        try await change(global, json: json) { state, _ in
            let next = state.index + 1 < state.count ? state.index + 1 : 0
            return PlayerUpdate(revision: state.revision, index: next, positionMilliseconds: 0)
        }
    }
}

struct PlayerPreviousCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous", abstract: "Plays the track before, or this one from its beginning.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        try await change(global, json: json) { state, place in
            // As the page does it: later in a track, to its beginning.
            let index = place > 4_000 ? state.index : max(0, state.index - 1)
            return PlayerUpdate(revision: state.revision, index: index, positionMilliseconds: 0)
        }
    }
}

struct PlayerSeekCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "seek", abstract: "Goes to a place in the track.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Seconds from its beginning.") var seconds: Double
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (0...604_800).contains(seconds) else { throw ValidationError("A place is 0 to 604800 seconds.") }
    }

    func run() async throws {
        let place = Int64(seconds * 1_000)
        try await change(global, json: json) { state, _ in
            PlayerUpdate(revision: state.revision, positionMilliseconds: place)
        }
    }
}

extension PlayerResult {
    fileprivate func show(asJSON json: Bool) {
        if json { return Console.out(json: self) }
        Console.out(player.line(now: nowMilliseconds))
    }
}

extension PlayerState {
    fileprivate func place(at now: Int64) -> Int64 {
        guard isPlaying else { return positionMilliseconds }
        return positionMilliseconds + max(0, now - atMilliseconds) * Int64(speedPercent) / 100
    }

    fileprivate func line(now: Int64) -> String {
        guard count > 0 else { return "Nothing is played." }
        let seconds = place(at: now) / 1_000
        let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        let device = device.map { " on \($0.name)" } ?? ""
        return "\(isPlaying ? "playing" : "paused") track \(index + 1) of \(count) at \(time)\(device)"
    }
}
