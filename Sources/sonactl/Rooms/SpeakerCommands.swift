internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct SpeakerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speakers", abstract: "Says which speakers play a room, and how.",
        discussion: """
            A speaker is a player that speaks Snapcast's protocol: snapclient, Snapdroid, an ESP32. It is known by its \
            identifier, which is its hardware address unless it was told another.

              snapclient --host HOST --hostID kitchen
              sonactl speakers assign @ada kitchen
              sonactl speakers volume @ada kitchen 40
            """,
        subcommands: [
            SpeakersList.self, SpeakersAssign.self, SpeakersVolume.self, SpeakersMute.self, SpeakersUnmute.self,
            SpeakersLatency.self, SpeakersName.self, SpeakersForget.self,
        ])
}

/// The room and the speaker that commands are about.
struct SpeakerArguments: ParsableArguments {
    @OptionGroup var room: RoomArgument
    @Argument(help: "The speaker's identifier.") var speaker: String
}

/// How the answer is printed.
struct SpeakerOutput: ParsableArguments {
    @Flag(help: "Print one JSON object: the answer of the server.") var json = false

    func print(_ result: SpeakersResult) {
        if json { return Console.out(json: result) }
        var table = Table()
        for (speaker, isAssigned) in result.speakers.map({ ($0, true) }) + result.unassigned.map({ ($0, false) }) {
            table.add(
                speaker.id, Console.printable(speaker.name),
                speaker.isConnected
                    ? "connected" : speaker.seenMilliseconds.map { UTC.text(milliseconds: $0) } ?? "never",
                speaker.isMuted ? "muted" : "\(speaker.volume) %", "\(speaker.latencyMilliseconds) ms",
                isAssigned ? "" : "no room")
        }
        table.show()
        if result.port == nil { Console.say("This server takes no speakers (snapcast-listen).") }
    }
}

extension AsyncParsableCommand {
    fileprivate func ask<Request: WireRequest>(
        _ request: Request, _ global: GlobalOptions, _ link: RoomLink, _ output: SpeakerOutput
    )
        async throws where Request.Response == SpeakersResult
    {
        output.print(try await global.withClient(.account, link: link) { try await $0.call(request) })
    }
}

struct SpeakersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists a room's speakers.",
        discussion:
            "A line for each: identifier, name, when it came last, volume, latency. Administrators see those of no room, too."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var argument: RoomArgument
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try argument.link()
        try await ask(SpeakerList(room: link.reference), global, link, output)
    }
}

struct SpeakersAssign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign", abstract: "Gives a speaker to a room.",
        discussion:
            "It may never have come. One that another room has must be forgotten there, unless you manage that, too.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        try await ask(SpeakerAssign(room: link.reference, speaker: target.speaker), global, link, output)
    }
}

struct SpeakersVolume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "volume", abstract: "Sets a speaker's volume.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @Argument(help: "0 to 100.") var percent: Int
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        try await ask(
            SpeakerUpdate(room: link.reference, speaker: target.speaker, volume: percent), global, link, output)
    }
}

struct SpeakersMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mute", abstract: "Silences a speaker.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        try await ask(SpeakerUpdate(room: link.reference, speaker: target.speaker, isMuted: true), global, link, output)
    }
}

struct SpeakersUnmute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Lets a silenced speaker sound again.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        try await ask(
            SpeakerUpdate(room: link.reference, speaker: target.speaker, isMuted: false), global, link, output)
    }
}

struct SpeakersLatency: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency", abstract: "Has a speaker play earlier, because its output is late.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @Argument(help: "Milliseconds, -10000 to 10000 (after --, if it is less than 0).") var milliseconds: Int
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        let request = SpeakerUpdate(room: link.reference, speaker: target.speaker, latencyMilliseconds: milliseconds)
        try await ask(request, global, link, output)
    }
}

struct SpeakersName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "name", abstract: "Gives a speaker a name.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @Argument(help: "1 to 64 bytes.") var name: String
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        try await ask(SpeakerUpdate(room: link.reference, speaker: target.speaker, name: name), global, link, output)
    }
}

struct SpeakersForget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Takes a speaker from a room, and forgets how it plays.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: SpeakerArguments
    @OptionGroup var output: SpeakerOutput

    func run() async throws {
        let link = try target.room.link()
        try await ask(SpeakerForget(room: link.reference, speaker: target.speaker), global, link, output)
    }
}
