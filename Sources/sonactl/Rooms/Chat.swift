internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Chat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Talks in a room, without its sound.",
        discussion: """
            Prints the last messages and each new one as it comes, and sends each line of standard input. Goes on \
            after the end of standard input, until interrupted. A message that was edited or deleted is printed \
            again.

              sonactl chat @ada
              sonactl chat LINK --send "Which recording is this?"

            A line is: number, time, user, text. With --json it is one JSON object, a chat message of the protocol.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var invite: InviteOption
    @Option(help: ArgumentHelp("Send this message, print the result, and end.", valueName: "text")) var send: String?
    @Flag(help: "Print a JSON object on each line.") var json = false

    func run() async throws {
        let link = try room.link()
        if let send, !ChatText.isAcceptable(send) { throw Failure(65, ErrorCode.chatTextInvalid.meaning) }
        let join = RoomJoin(room: link.reference, wantsAudio: false, invite: invite.code(for: room))
        try await global.withClient(.anybody, link: link) { client in
            Interruption.handle { client.interrupt() }
            let snapshot = try await client.enter(join)
            guard let send else { return try await chat(client, snapshot) }
            show(try await client.call(ChatSend(text: send)).message)
        }
    }

    private func chat(_ client: Client, _ snapshot: RoomSnapshot) async throws {
        Console.say("This is \"\(snapshot.room.printableTitle)\".")
        for message in snapshot.chat { show(message) }
        let sending = Task { await Self.sendLines(client) }
        defer { sending.cancel() }
        for await incoming in client.incoming {
            switch incoming {
            case .event(let event, _, _): try handle(event)
            case .interrupted: throw Interruption.failure
            case .closed(let error): throw error
            case .audio, .position, .complaint, .wake: break
            }
        }
    }

    /// One after the other, so that they arrive in their order. What is refused is told and does not end the chat.
    private static func sendLines(_ client: Client) async {
        let input = StandardInput()
        while !Task.isCancelled, let line = await input.line() {
            guard !line.allSatisfy(\.isWhitespace) else { continue }
            guard ChatText.isAcceptable(line) else {
                Console.say("Not sent: \(ErrorCode.chatTextInvalid.meaning)")
                continue
            }
            do {
                _ = try await client.call(ChatSend(text: line))
            } catch {
                Console.say("Not sent: \(Failure(error).message)")
            }
        }
    }

    private func handle(_ event: ServerEvent) throws {
        switch event {
        case .chatPosted(let posted): show(posted.message)
        case .chatChanged(let changed): show(changed.message)
        case .roomKnocked(let knocked): Console.say("\(knocked.user.label) waits to be let in.")
        case .roomModerated(let moderated): Console.say(moderated.line)
        case .roomRemoved(let removed): throw Failure(removed)
        case .roomClosed: throw Failure(66, "The room was closed.")
        default: break
        }
    }

    private func show(_ message: ChatMessage) {
        if json { return Console.out(json: message) }
        Console.out(message.line)
    }
}

extension ChatMessage {
    /// One line for a person. The text stands last: whatever direction of writing it sets ends with the line.
    fileprivate var line: String {
        var remark = ""
        if isDeleted { remark = " (deleted)" } else if editedMilliseconds != nil { remark = " (edited)" }
        let head = "\(id)  \(Console.date(milliseconds: atMilliseconds))  \(user.label)\(remark):"
        return isDeleted ? head : "\(head) \(Console.printable(text))"
    }
}

extension RoomModerated {
    /// The moderation in words: the act, who did it, and until when it holds.
    fileprivate var line: String {
        var line = "\(user.label): \(action)"
        if let by { line += " by \(by.label)" }
        if let untilMilliseconds { line += " until \(Console.date(milliseconds: untilMilliseconds))" }
        return Console.printable(line + ".")
    }
}
