internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct RoomsPicture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture", abstract: "Sets or removes the picture of a room of yours.",
        discussion: """
            PNG, JPEG or WebP of at most 5 MiB. The server keeps the picture alone: no place, no camera. Whoever has \
            its address may see it, that of a private room too.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var room: RoomArgument
    @Argument(help: "The image.") var file: String?
    @Flag(help: "Remove the picture.") var remove = false
    @Flag(help: "Print the room as JSON.") var json = false

    func validate() throws {
        guard (file == nil) == remove else { throw ValidationError("Use either a file or --remove.") }
    }

    func run() async throws {
        let link = try room.link()
        let image = try file.map { try ImageFile.read($0) }
        let signIn = try global.signIn(link: link)
        let room = try await signIn.open(.account).closing { client in
            guard image == nil else { return try await client.call(RoomGet(room: link.reference)).room }
            return try await client.call(RoomRemovePicture(room: link.reference)).room
        }
        guard let image else { return room.show(signIn.address, json: json) }
        try await signIn.upload(picture: image, of: room.id).show(signIn.address, json: json)
    }
}
