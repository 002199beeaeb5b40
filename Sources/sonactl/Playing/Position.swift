internal import ArgumentParser
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct Position: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows where a room is in its track.",
        discussion: """
            With --json: {"server_us", "position_us", "state", "revision"}; state is 0 stopped, 1 playing, 2 paused, \
            3 buffering. With --watch a line for each change, and for each second while it plays.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var invite: InviteOption
    @Flag(help: "Go on until interrupted.") var watch = false
    @Flag(help: "Print a JSON object on each line.") var json = false

    func run() async throws {
        let link = try room.link()
        try await global.withClient(.anybody, link: link) { client in
            if watch { try await follow(client, link) } else { try await once(client, link) }
        }
    }

    private func once(_ client: Client, _ link: RoomLink) async throws {
        // A holder of an invite can see a private room only from inside.
        if let code = invite.code(for: room) {
            _ = try await client.call(RoomJoin(room: link.reference, wantsAudio: false, invite: code))
        }
        let result = try await client.call(PlaybackGet(room: link.reference))
        let now = result.serverMicroseconds ?? client.serverNow
        let view = PlaybackView(result.playback, upcoming: result.upcoming)
        PositionReport(serverMicroseconds: now, playback: view.playback(at: now)).show(json: json)
    }

    private func follow(_ client: Client, _ link: RoomLink) async throws {
        Interruption.handle { client.interrupt() }
        let snapshot = try await client.enter(
            RoomJoin(room: link.reference, wantsAudio: false, invite: invite.code(for: room)))
        var view = PlaybackView(snapshot.playback, upcoming: snapshot.upcoming)
        var shown = show(client, view)
        for await incoming in client.incoming {
            switch incoming {
            case .position(let frame):
                let now = client.serverNow
                view.apply(frame.playback, now: now)
                // A playback that takes force later is shown at that time.
                if view.playback(at: now) != shown { shown = show(client, view) } else { wake(client, view) }
            case .wake:
                let current = view.playback(at: client.serverNow)
                if current != shown || current.state == .playing {
                    shown = show(client, view)
                } else {
                    wake(client, view)
                }
            case .event(.roomClosed, _, _): throw Failure(66, "The room was closed.")
            case .event(.roomRemoved(let removed), _, _): throw Failure(removed)
            case .interrupted: throw Interruption.failure
            case .closed(let error): throw error
            case .event, .audio, .complaint: break
            }
        }
    }

    private func show(_ client: Client, _ view: PlaybackView) -> Playback {
        let now = client.serverNow
        let playback = view.playback(at: now)
        PositionReport(serverMicroseconds: now, playback: playback).show(json: json)
        wake(client, view)
        return playback
    }

    /// Wakes for the next change announced, and after a second of playing.
    private func wake(_ client: Client, _ view: PlaybackView) {
        let now = client.serverNow
        let change = view.upcoming(after: now).first?.anchorMicroseconds
        let second = view.playback(at: now).state == .playing ? now + 1_000_000 : nil
        guard let next = [change, second].compactMap({ $0 }).min() else { return }
        client.wake(atServer: next)
    }
}

/// A room's place in its track at one moment.
struct PositionReport {
    var serverMicroseconds: Int64
    var playback: Playback

    func show(json: Bool) {
        let position = playback.position(at: serverMicroseconds)
        guard json else {
            return Console.out("\(playback.state) \(Console.time(position))")
        }
        Console.out { writer in
            writer.member("server_us", serverMicroseconds)
            writer.member("position_us", position)
            writer.member("state", playback.state.rawValue)
            writer.member("revision", playback.revision)
        }
    }
}
