/// Messages of one subject: a page of `Protocol/spec`, a file of `Protocol/schema` and a file of this module.
public struct Area: Sendable {
    /// The name of the page and of the schema, without suffix.
    public let name: String
    public let requests: [any WireRequest.Type]
    public let events: [any WireEvent.Type]

    init(_ name: String, requests: [any WireRequest.Type] = [], events: [any WireEvent.Type] = []) {
        self.name = name
        self.requests = requests
        self.events = events
    }
}

/// Every request and event of this revision, for tables and tests.
public enum Catalogue {
    public static let areas: [Area] = [
        connection, accounts, people, permissions, rooms, joining, roles, finding, hosting, audio, playback,
        listening, queue, chat, meter,
    ]

    public static let requests = areas.flatMap(\.requests)
    public static let events = areas.flatMap(\.events)
}
