internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct Queue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what a room is going to play, suggests, votes, and puts it in order.",
        discussion: """
            An entry is named by its number, which show tells. Suggesting and voting are for those who are in the room \
            at the time: leave sonactl listen or sonactl chat running under the same account.

              sonactl queue suggest @ada --title Prelude --artist "Ada Lovelace"
              sonactl queue vote @ada 7 up
              sonactl queue rules @ada --ordering votes --skip-percent 40
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Everybody",
                subcommands: [
                    QueueShow.self, QueueSuggesting.self, QueueVoting.self, QueueSkipping.self, QueueTaking.self,
                ]),
            CommandGroup(
                name: "Owner and cohosts",
                subcommands: [
                    QueueAdding.self, QueueApproving.self, QueueRejecting.self, QueueMoving.self, QueueClearing.self,
                    QueueShuffling.self, QueueRepeating.self, QueueGoingOn.self, QueueGoingBack.self,
                    QueueRuling.self,
                ]),
        ])
}

struct QueueShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the track that is playing, those that wait, and those to be approved.",
        discussion: """
            A line for each, in the order in which they will play: > for what plays, ? for what is to be approved; \
            number, title and artist, votes for and against, who suggested it.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Flag(help: "Print one JSON object: the answer to queue.get, with all entries.") var json = false

    func run() async throws {
        let link = try room.link()
        let queue = try await global.withClient(.anybody, link: link) { try await $0.wholeQueue(link.reference) }
        if json { return Console.out(json: queue) }
        var table = Table()
        if let now = queue.now { now.entry.add(to: &table, mark: ">") }
        for entry in queue.inOrder { entry.add(to: &table, mark: entry.isApproved ? " " : "?") }
        table.show()
        if queue.now == nil, queue.entries.isEmpty { Console.say("The queue is empty.") }
        if queue.skipVotes > 0 {
            Console.say("\(queue.skipVotes) of \(queue.skipVotesNeeded) want to skip what plays.")
        }
    }
}

extension Client {
    /// All pages, from the beginning again if the queue changes meanwhile.
    func wholeQueue(_ room: RoomReference) async throws -> QueuePage {
        while true {
            var whole = try await call(QueueGet(limit: Int(Limits.queuePageCount.upperBound), room: room))
            var isWhole = true
            while isWhole, let offset = whole.nextOffset {
                let page = try await call(
                    QueueGet(offset: offset, limit: Int(Limits.queuePageCount.upperBound), room: room))
                isWhole = page.revision == whole.revision
                whole.entries += page.entries
                whole.nextOffset = page.nextOffset
            }
            if isWhole { return whole }
        }
    }
}

extension QueuePage {
    /// The waiting tracks in the order in which they will play, then those to be approved.
    fileprivate var inOrder: [QueuedTrack] {
        guard let order else { return entries }
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return entries.enumerated().sorted { left, right in
            (places[left.element.id] ?? .max, left.offset) < (places[right.element.id] ?? .max, right.offset)
        }.map(\.element)
    }
}

extension QueuedTrack {
    func add(to table: inout Table, mark: String = "") {
        table.add(
            mark, "\(id)", track.title == nil ? source ?? track.line : track.line, "+\(upvotes) -\(downvotes)",
            user.label)
    }
}

// MARK: What is played

/// A track to be played, in words.
struct TrackOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Its title.", valueName: "text")) var title: String?
    @Option(help: ArgumentHelp("The artist of the track.", valueName: "text")) var artist: String?
    @Option(help: ArgumentHelp("The album of the track.", valueName: "text")) var album: String?
    @Option(help: ArgumentHelp("How long it is, in seconds.", valueName: "n")) var duration: Int?
    @Option(
        help: ArgumentHelp(
            "Where it can be had: an http or https address, or a name that the host knows it by.", valueName: "source"))
    var source: String?

    var reference: QueueReference {
        QueueReference(
            track: Track(
                title: title, artist: artist, album: album, durationMicroseconds: duration.map { Int64($0) * 1_000_000 }
            ),
            source: source)
    }

    func validate() throws {
        guard title != nil || source != nil else { throw ValidationError("A track has at least --title or --source.") }
        for text in [title, artist, album].compactMap({ $0 })
        where text.utf8.count > Limits.trackTextBytes.upperBound || Console.printable(text) != text {
            throw ValidationError("A text is one line of at most \(Limits.trackTextBytes.upperBound) bytes.")
        }
        if let source, !Limits.trackSourceBytes.contains(source.utf8.count) {
            throw ValidationError("A source has 1 to \(Limits.trackSourceBytes.upperBound) bytes.")
        }
        if let duration, !(0...86_400).contains(duration) {
            throw ValidationError("--duration takes 0 to 86400 seconds.")
        }
    }
}

struct QueueSuggesting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Suggests a track.",
        discussion: "Prints its entry. Where the room wants it so, somebody has to approve it.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var track: TrackOptions
    @Flag(help: "Print the entry as JSON.") var json = false

    func run() async throws {
        let link = try room.link()
        let result = try await global.withClient(.anybody, link: link) {
            try await $0.call(QueueSuggest(track.reference, room: link.reference))
        }
        result.show(json: json)
    }
}

struct QueueAdding: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Puts a track in, at the end or where it is wanted.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @OptionGroup var track: TrackOptions
    @OptionGroup var place: PlaceOptions
    @Flag(help: "Print the entry as JSON.") var json = false

    func run() async throws {
        let link = try room.link()
        let request = QueueAdd(tracks: [track.reference], position: place.position, room: link.reference)
        try await global.withClient(.anybody, link: link) { try await $0.call(request) }.show(json: json)
    }
}

/// The place in the queue for an entry.
struct PlaceOptions: ParsableArguments {
    @Flag(help: "Put it at the head.") var first = false
    @Option(help: ArgumentHelp("Put it before this entry.", valueName: "number")) var before: Int64?
    @Option(help: ArgumentHelp("Put it after this entry.", valueName: "number")) var after: Int64?

    var position: QueuePosition {
        if first { return .first }
        if let before { return .before(before) }
        return after.map { .after($0) } ?? .last
    }

    func validate() throws {
        guard [first, before != nil, after != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Of --first, --before and --after only one can be.")
        }
        for id in [before, after].compactMap({ $0 }) where !Limits.queueEntryID.contains(id) {
            throw ValidationError("An entry is a number from 1 on.")
        }
    }
}

extension QueueResult {
    fileprivate func show(json: Bool) {
        var table = Table()
        for entry in entries ?? [] {
            if json { Console.out(json: entry) }
            entry.add(to: &table, mark: entry.isApproved ? "" : "?")
        }
        if !json { table.show() }
    }
}
