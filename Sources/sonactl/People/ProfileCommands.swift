internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct ProfileCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Shows the profiles of users, and changes your own.",
        discussion: "Without a subcommand your own is shown.",
        subcommands: [ProfileShowCommand.self, ProfileSetCommand.self, ProfilePhotoCommand.self],
        defaultSubcommand: ProfileShowCommand.self)
}

struct ProfileShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows your profile, or somebody else's.",
        discussion: "A profile that is not public is shown to friends only: two people who follow each other.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The user: @ada, ada, or an identifier. (default: you)") var user: String?
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let reference = try user.map { try UserArgument.reference($0) }
        let signIn = try global.signIn()
        let details = try await signIn.open(reference == nil ? .account : .anybody).closing { client in
            if let reference { return try await client.call(UserGet(user: reference)) }
            return try await Self.own(client)
        }
        if json { return Console.out(json: details) }
        details.show(signIn.address)
    }

    private static func own(_ client: Client) async throws -> UserDetails {
        let me = try await client.call(UserMe())
        guard me.user.username != nil else {
            // Nobody can follow somebody without a name.
            return UserDetails(
                user: me.user, profile: me.profile, relation: nil, followerCount: 0, followingCount: 0)
        }
        return try await client.call(UserGet(user: .id(me.user.uid)))
    }
}

struct ProfileSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes your profile.",
        discussion: """
            Options not given change nothing. --link may stand five times; the links named take the place of all there \
            were:

              sonactl profile set --link https://ada.example --link "Label=https://l.example"
            """)

    enum Audience: String, EnumerableFlag {
        case `public`
        case `private`

        static func help(for value: Audience) -> ArgumentHelp? {
            switch value {
            case .public: "Everybody may see the profile, and find it."
            case .private: "Friends alone may see the profile."
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @Option(help: "Longer name, at most 100 bytes; an empty one removes it.") var displayName: String?
    @Option(help: "About you, at most 2000 bytes; an empty text removes it.") var bio: String?
    @Option(help: ArgumentHelp("A link, with a title in front of it or without.", valueName: "[title=]url"))
    var link: [String] = []
    @Flag(help: "Remove all links.") var noLinks = false
    @Flag var audience: Audience?
    @Flag(help: "Print the profile as JSON.") var json = false

    func validate() throws {
        if noLinks, !link.isEmpty { throw ValidationError("Use either --link or --no-links.") }
        for text in link { _ = try Self.parse(text) }
        if displayName == nil, bio == nil, link.isEmpty, !noLinks, audience == nil {
            throw ValidationError("Name something to set.")
        }
    }

    func run() async throws {
        let request = ProfileUpdate(
            displayName: displayName, bio: bio,
            links: link.isEmpty && !noLinks ? nil : try link.map { try Self.parse($0) },
            isPublic: audience.map { $0 == .public })
        let signIn = try global.signIn()
        let profile = try await signIn.open(.account).closing { try await $0.call(request).profile }
        profile.show(signIn.address, json: json)
    }

    /// `https://…`, or a title, `=` and that.
    private static func parse(_ text: String) throws -> Link {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) { return Link(url: text) }
        let bytes = Array(text.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "=") {
            let url = String(decoding: bytes[(index + 1)...], as: UTF8.self)
            guard url.hasPrefix("http://") || url.hasPrefix("https://") else { continue }
            let title = String(decoding: bytes[..<index], as: UTF8.self)
            return Link(title: title.isEmpty ? nil : title, url: url)
        }
        throw ValidationError("A link is http://… or https://…, or a title, \"=\" and that.")
    }
}

struct ProfilePhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Sets or removes the photo of your profile.",
        discussion: "PNG, JPEG or WebP of at most 5 MiB. The server keeps the picture alone: no place, no camera.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The image.") var file: String?
    @Flag(help: "Remove the photo.") var remove = false
    @Flag(help: "Print the profile as JSON.") var json = false

    func validate() throws {
        guard (file == nil) == remove else { throw ValidationError("Use either a file or --remove.") }
    }

    func run() async throws {
        let image = try file.map { try ImageFile.read($0) }
        let signIn = try global.signIn()
        let profile: Profile
        if let image {
            profile = try await signIn.upload(photo: image)
        } else {
            profile = try await signIn.open(.account).closing { try await $0.call(PhotoRemove()).profile }
        }
        profile.show(signIn.address, json: json)
    }
}
