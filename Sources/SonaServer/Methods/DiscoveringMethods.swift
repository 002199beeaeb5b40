internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Music that goes with other music, and with other people.
struct DiscoveringMethods: MethodArea {
    let library: Library
    let access: RoomAccess

    static func area(of methods: Methods) -> DiscoveringMethods { methods.discovering }

    static var methods: [Method] {
        [signedIn(similar, .apart), signedIn(radio, .apart), signedIn(feed, .apart), signedIn(common, .apart)]
    }

    func similar(_ request: TrackSimilar, _ asker: Asker) async throws -> SimilarTracks {
        try await library.finder.similar(request, for: try await library.listener(for: asker.account))
    }

    func radio(_ request: RadioStart, _ asker: Asker) async throws -> Radio {
        try await library.finder.radio(request, for: try await library.listener(for: asker.account))
    }

    func feed(_ request: PlaysFeed, _ asker: Asker) async throws -> FeedPage {
        let page = try await library.finder.feed(request, for: try await library.listener(for: asker.account))
        let cards = try await access.model.people.cards(of: Array(Set(page.plays.map(\.uid))))
        let byID = Dictionary(cards.map { ($0.user.uid, $0) }) { first, _ in first }
        // A friend whose account ended since then has no card.
        let plays = page.plays.compactMap { play in
            byID[play.uid].map { FriendPlay(user: $0, atMilliseconds: play.atMilliseconds, track: play.track) }
        }
        return FeedPage(plays: plays, nextCursor: page.nextCursor)
    }

    func common(_ request: PlaylistIntersect, _ asker: Asker) async throws -> CommonTracks {
        try await library.finder.common(request, for: try await library.listener(for: asker.account))
    }
}
