/// Messages of one subject: a page of `Protocol/spec`, a file of `Protocol/schema` and a file of this module.
public struct Area: Sendable {
    /// The name of the page and of the schema, without suffix.
    public let name: String
    /// The requests declared on the page, in its order.
    public let requests: [any WireRequest.Type]
    /// The events declared on the page, in its order.
    public let events: [any WireEvent.Type]

    init(_ name: String, requests: [any WireRequest.Type] = [], events: [any WireEvent.Type] = []) {
        self.name = name
        self.requests = requests
        self.events = events
    }
}

/// Every request and event of this revision, for tables and tests.
public enum Catalogue {
    /// All areas, in the order of the protocol's pages.
    public static let areas: [Area] = [
        connection, setup, accounts, appPasswords, registration, people, notifications, sharing, permissions, plans,
        reports, words,
        rooms, joining, roles, finding, hosting, audio, shifting, playback, listening, queue, autoplay, songRequests,
        otherPlayers, webhooks, schedules, chat, replays, meter, library,
        tracks, likes, playlists, plays, player, scrobbling, discovering, submissions, folders, uploads, jobs, figures,
    ]

    /// The requests of all areas.
    public static let requests = areas.flatMap(\.requests)
    /// The events of all areas.
    public static let events = areas.flatMap(\.events)
}
