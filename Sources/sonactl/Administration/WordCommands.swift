internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct WordCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "words", abstract: "Keeps words out of chat, rooms, names and profiles. For administrators.",
        discussion: """
            A word is found also where letters are replaced by others that look like them. * at its beginning or end \
            stands for the rest of a word: "spam*" finds "spammers".
            """,
        subcommands: [WordListCommand.self, WordAddCommand.self, WordRemoveCommand.self])
}

struct WordListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the words, and what becomes of texts with them.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"words\": […]}.") var json = false

    func run() async throws {
        let (words, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.wordPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(WordsList(after: cursor, limit: limit))
                return (page.words, page.nextAfter)
            }
        }
        if json { return Console.out { $0.member("words", words) } }
        for word in words { Console.out("\(Console.printable(word.word))  \(word.action.rawValue)") }
        list.tell(hasMore: hasMore)
    }
}

struct WordAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a word, or changes what becomes of texts with it.")

    /// What becomes of a text.
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case refuse, mask, flag

        var action: WordAction {
            switch self {
            case .refuse: .refuse
            case .mask: .mask
            case .flag: .flag
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The word, or several with spaces between them.") var word: String
    @Option(help: "refuse the text, mask the word by *, or flag the text for the administrators' inbox.")
    var action = Action.refuse

    func run() async throws {
        let request = WordsAdd(word: word, action: action.action)
        _ = try await global.asOperator { try await $0.call(request) }
    }
}

struct WordRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Takes a word out.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The word.") var word: String

    func run() async throws {
        let request = WordsRemove(word: word)
        _ = try await global.asOperator { try await $0.call(request) }
    }
}
