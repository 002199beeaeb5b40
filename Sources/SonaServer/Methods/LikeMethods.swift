internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `like.*` and `rating.*`: what an account likes, and how it rates music.
struct LikeMethods: MethodArea {
    let library: Library
    let access: RoomAccess

    static func area(of methods: Methods) -> LikeMethods { methods.likes }

    static var methods: [Method] { [signedIn(set), signedIn(list, .apart), signedIn(rate)] }

    func set(_ request: LikeSet, _ asker: Asker) async throws -> OpinionResult {
        let (kind, id) = try await item(request.target, asker)
        let listener = try await library.listener(for: asker.account)
        return OpinionResult(opinion: try await library.likes.set(request.isLiked, kind, id, for: listener))
    }

    func rate(_ request: RatingSet, _ asker: Asker) async throws -> OpinionResult {
        let (kind, id) = try await item(request.target, asker)
        let listener = try await library.listener(for: asker.account)
        return OpinionResult(opinion: try await library.likes.rate(request.rating, kind, id, for: listener))
    }

    func list(_ request: LikeList, _ asker: Asker) async throws -> LikePage {
        try await library.finder.likes(request, for: try await library.listener(for: asker.account))
    }

    /// The thing that a request is about: the one it names, or what its sender hears.
    ///
    /// - Throws: `room.not_joined`, `track.not_in_library`.
    private func item(_ target: LikeTarget, _ asker: Asker) async throws -> (LikeKind, MusicID) {
        switch target {
        case .item(let kind, let id): return (kind, id)
        case .room:
            let room = try await access.reach(nil, asker)
            let track = try await room.onLoop { $0.heardTrack }
            guard let id = track?.music else { throw WireError(.trackNotInLibrary) }
            return (.track, id)
        }
    }
}
