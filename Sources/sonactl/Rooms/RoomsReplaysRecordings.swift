internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct RoomsReplaysRecordings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings", abstract: "Lists the sound of hosts that is kept of a replay.",
        discussion: """
            A line for each: identifier, moment since the beginning, length, whose sound it is, and the address where it is \
            for the next six hours. A host agrees to it by sonactl broadcast --record.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The replay's identifier.") var replay: ReplayID
    @Flag(help: "Print one JSON object: {\"recordings\": […], \"next_after\"}.") var json = false

    func run() async throws {
        let signIn = try global.signIn()
        let page = try await signIn.open(.anybody).closing { [replay] client in
            var all = RecordingPage(recordings: [], nextAfter: nil)
            repeat {
                let page = try await client.call(
                    ReplayRecordings(
                        replay: replay, after: all.nextAfter, limit: Int(Limits.recordingPageCount.upperBound)))
                all = RecordingPage(recordings: all.recordings + page.recordings, nextAfter: page.nextAfter)
            } while all.nextAfter != nil
            return all
        }
        if json { return Console.out(json: page) }
        var table = Table()
        for one in page.recordings {
            table.add(
                one.id.rawValue, Console.time(max(0, one.atMilliseconds) * 1_000),
                Console.time(one.lengthMilliseconds * 1_000), one.host.label, "\(signIn.address)\(one.stream)")
        }
        table.show()
        if page.recordings.isEmpty { Console.say("Nothing is recorded of it.") }
    }
}

struct RoomsReplaysRemoveRecording: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-recording",
        abstract: "Removes a recording of yourself, or one that belongs to a room of yours.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The recording's identifier.") var recording: RecordingID

    func run() async throws {
        _ = try await global.withClient(.account) { [recording] client in
            try await client.call(ReplayRemoveRecording(recording: recording))
        }
    }
}
