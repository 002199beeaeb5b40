internal import SonaBase
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What accounts like, and how they rate music.
///
/// An opinion of one thing is one row, with a like, a rating, or both. It goes with the account, and with the thing.
package struct Likes: Sendable {
    /// An opinion that was written, for those who tell the account's connections.
    package struct Change: Sendable {
        package let uid: UserID
        package let kind: LikeKind
        package let id: MusicID
    }

    private let dao: LikeDAO
    private let clock: WallClock
    /// The most opinions of one account of one kind of things.
    var opinionsMax = Limits.opinionsMax
    private let handler = Monitor<(@Sendable (Change) -> Void)?>(nil)

    init(_ dao: LikeDAO, clock: WallClock) {
        self.dao = dao
        self.clock = clock
    }

    /// - Parameter handler: Called after each change was committed. It asks for the opinion as it is by then, so that the
    ///   last event of several tells the last state whatever order they come in.
    package func onChange(_ handler: @escaping @Sendable (Change) -> Void) { self.handler.withLock { $0 = handler } }

    // MARK: Changing

    /// Likes a thing, or no longer does. The time of a like stays if it is repeated.
    ///
    /// A like can be taken back from a thing that the account no longer sees.
    ///
    /// - Throws: `trackNotFound`, `albumNotFound`, `artistNotFound`; `trackNotApproved`; `likeLimitReached`; `tokenInvalid`
    ///   if the account is gone; `busy`, `storage`.
    package func set(
        _ isLiked: Bool, _ kind: LikeKind, _ id: MusicID, for listener: Listener
    ) async throws(Refusal) -> Opinion {
        let now = clock.nowMilliseconds()
        return try await change(kind, id, for: listener, isTakenBack: !isLiked) { opinion in
            if isLiked, opinion.likedMilliseconds == nil { opinion.likedMilliseconds = now }
            if !isLiked { opinion.likedMilliseconds = nil }
        }
    }

    /// Rates a thing, or takes the rating back.
    ///
    /// - Throws: As `set(_:_:_:for:)`.
    package func rate(
        _ rating: Int?, _ kind: LikeKind, _ id: MusicID, for listener: Listener
    ) async throws(Refusal) -> Opinion {
        try await change(kind, id, for: listener, isTakenBack: rating == nil) { $0.rating = rating }
    }

    private func change(
        _ kind: LikeKind, _ id: MusicID, for listener: Listener, isTakenBack: Bool,
        _ body: @escaping @Sendable (inout Opinion) -> Void
    ) async throws(Refusal) -> Opinion {
        guard let uid = listener.uid else { throw .accountRequired }
        let most = opinionsMax
        let (opinion, isNew) = try await dao.write { db in
            guard let number: Int64 = try db.value("SELECT number FROM \(kind.things) WHERE id = \(id)") else {
                throw kind.missing
            }
            let before = try Self.stored(kind, id, number, uid, &db)
            if !isTakenBack || before == nil {
                guard try db.exists(kind.isSeen(number, by: listener)) else { throw kind.missing }
            }
            var opinion = before ?? Opinion(kind: kind, id: id, isLiked: false, likedMilliseconds: nil, rating: nil)
            body(&opinion)
            opinion.isLiked = opinion.likedMilliseconds != nil
            if opinion == before { return (opinion, false) }
            if !isTakenBack { try Self.refuseIfUndecided(kind, number, &db) }
            if before == nil, !isTakenBack {
                let count: Int = try db.value("SELECT count(*) FROM \(kind.opinions) WHERE uid = \(uid)") ?? 0
                guard count < most else { throw Refusal(.likeLimitReached) }
            }
            try Self.write(opinion, number, uid, &db)
            return (opinion, before != nil || !isTakenBack)
        }
        if isNew, let handler = handler.withLock({ $0 }) { handler(Change(uid: uid, kind: kind, id: id)) }
        return opinion
    }

    /// A track that was submitted can be liked by its owner and by curators only once it is approved, like by all others.
    private static func refuseIfUndecided(_ kind: LikeKind, _ number: Int64, _ db: inout WriteAccess) throws {
        guard kind == .track else { return }
        let status: TrackStatus? = try db.first("SELECT status FROM tracks WHERE number = \(number)") { row in
            try row.next(TrackStatus?.self)
        }.flatMap { $0 }
        if let status, status != .approved { throw Refusal(.trackNotApproved) }
    }

    private static func stored(
        _ kind: LikeKind, _ id: MusicID, _ number: Int64, _ uid: UserID,
        _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> Opinion? {
        try db.first(
            "SELECT liked_ms, rating FROM \(kind.opinions) WHERE uid = \(uid) AND \(kind.column) = \(number)"
        ) { row in
            let liked: Int64? = try row.next()
            return Opinion(
                kind: kind, id: id, isLiked: liked != nil, likedMilliseconds: liked, rating: try row.next())
        }
    }

    private static func write(_ opinion: Opinion, _ number: Int64, _ uid: UserID, _ db: inout WriteAccess) throws {
        let kind = opinion.kind
        if opinion.likedMilliseconds == nil, opinion.rating == nil {
            try db.execute("DELETE FROM \(kind.opinions) WHERE uid = \(uid) AND \(kind.column) = \(number)")
            return
        }
        let stored = StoredOpinion(
            uid: uid, thing: number, likedMilliseconds: opinion.likedMilliseconds, rating: opinion.rating)
        switch kind {
        case .track: try db.upsert(TrackOpinionRecord(stored))
        case .album: try db.upsert(AlbumOpinionRecord(stored))
        case .artist: try db.upsert(ArtistOpinionRecord(stored))
        case .playlist: try db.upsert(PlaylistOpinionRecord(stored))
        }
    }

    // MARK: Looking

    /// An opinion as it is stored now; one without like and rating if there is none.
    ///
    /// - Throws: `busy`, `storage`.
    package func opinion(of change: Change) async throws(Refusal) -> Opinion {
        try await dao.read { db in
            let (kind, id) = (change.kind, change.id)
            let none = Opinion(kind: kind, id: id, isLiked: false, likedMilliseconds: nil, rating: nil)
            guard let number: Int64 = try db.value("SELECT number FROM \(kind.things) WHERE id = \(id)") else {
                return none
            }
            return try Self.stored(kind, id, number, change.uid, &db) ?? none
        }
    }
}
