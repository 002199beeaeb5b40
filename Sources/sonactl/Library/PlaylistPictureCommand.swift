internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct PlaylistPictureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture", abstract: "Sets or removes the picture of a playlist that you may edit.",
        discussion: """
            PNG, JPEG or WebP of at most 5 MiB, shown in place of the covers of its albums. The server keeps the picture \
            alone: no place, no camera. Whoever has its address may see it, that of a private playlist too.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var playlist: PlaylistArgument
    @Argument(help: "The image.", completion: .file()) var file: String?
    @Flag(help: "Remove the picture.") var remove = false
    @Flag(help: "Print the playlist as one JSON object.") var json = false

    func validate() throws {
        guard (file == nil) == remove else { throw ValidationError("Use either a file or --remove.") }
    }

    func run() async throws {
        let changed: Playlist
        if let file {
            changed = try await global.signIn().upload(picture: try ImageFile.read(file), of: playlist.playlist)
        } else {
            changed = try await global.withClient(.account) { client in
                try await client.call(PlaylistRemovePicture(playlist: playlist.playlist))
            }.playlist
        }
        if json { return Console.out(json: changed) }
        [changed].show()
    }
}
