internal import SonaModel
internal import SonaWire

/// `people.*` without presence, `user.*`, `profile.*`, `settings.*` and `photo.*`.
struct PeopleMethods: MethodArea {
    let model: Model
    /// Told when two people can see other rooms than before, because one blocked or unblocked the other.
    let circlesChanged: @Sendable ([UserID]) async -> Void

    static func area(of methods: Methods) -> PeopleMethods { methods.people }

    static var methods: [Method] {
        [
            signedIn(follow),
            signedIn(unfollow),
            signedIn(block),
            signedIn(unblock),
            signedIn(followers),
            signedIn(following),
            signedIn(friends),
            signedIn(blocked),
            signedIn(me, .nameless),
            signedIn(details),
            signedIn(search),
            signedIn(updateProfile, .nameless),
            signedIn(updateSettings, .nameless),
            signedIn(removePhoto, .nameless),
        ]
    }

    // MARK: Relations

    func follow(_ request: PeopleFollow, _ asker: Asker) async throws -> RelationResult {
        RelationResult(relation: try await model.people.follow(request.user, asker.uid))
    }

    func unfollow(_ request: PeopleUnfollow, _ asker: Asker) async throws -> RelationResult {
        RelationResult(relation: try await model.people.unfollow(request.user, asker.uid))
    }

    func block(_ request: PeopleBlock, _ asker: Asker) async throws -> RelationResult {
        let relation = try await model.people.block(request.user, asker.uid)
        await noteChangedCircles(asker.uid, request.user)
        return RelationResult(relation: relation)
    }

    func unblock(_ request: PeopleUnblock, _ asker: Asker) async throws -> RelationResult {
        let relation = try await model.people.unblock(request.user, asker.uid)
        await noteChangedCircles(asker.uid, request.user)
        return RelationResult(relation: relation)
    }

    private func noteChangedCircles(_ uid: UserID, _ other: UserReference) async {
        let otherUID = try? await model.accounts.summary(of: other).user.uid
        await circlesChanged([uid] + [otherUID].compactMap { $0 })
    }

    // MARK: Lists of people

    func followers(_ request: PeopleFollowers, _ asker: Asker) async throws -> UserPage {
        try await page(.followers(of: request.user), asker, request.cursor, request.limit)
    }

    func following(_ request: PeopleFollowing, _ asker: Asker) async throws -> UserPage {
        try await page(.following(of: request.user), asker, request.cursor, request.limit)
    }

    func friends(_ request: PeopleFriends, _ asker: Asker) async throws -> UserPage {
        try await page(.friends, asker, request.cursor, request.limit)
    }

    func blocked(_ request: PeopleBlocked, _ asker: Asker) async throws -> UserPage {
        try await page(.blocked, asker, request.cursor, request.limit)
    }

    private func page(
        _ list: People.List, _ asker: Asker, _ cursor: String?, _ limit: Int
    ) async throws -> UserPage {
        try await model.people.page(
            list, for: asker.uid, after: try PageCursor.parse(cursor, of: "this list"), limit: limit)
    }

    func search(_ request: UserSearch, _ asker: Asker) async throws -> UserPage {
        var offset: Int?
        if let cursor = request.cursor {
            guard let number = Int(cursor), number >= 0 else { throw WireError.cursorUnknown(UserSearch.type) }
            offset = number
        }
        return try await model.people.search(request.query, for: asker.uid, offset: offset, limit: request.limit)
    }

    // MARK: Profiles

    func me(_ request: UserMe, _ asker: Asker) async throws -> Me {
        let permissions = asker.account.permissions.map(\.rawValue).sorted()
        guard !asker.account.isGuest else {
            return Me(
                user: asker.user, email: nil, role: nil,
                profile: Profile(displayName: nil, bio: nil, isPublic: false), settings: nil,
                permissions: permissions)
        }
        let own = try await model.people.own(asker.uid)
        return Me(
            user: asker.user, email: own.email, isEmailConfirmed: own.isEmailConfirmed, role: own.role,
            profile: own.profile, settings: own.settings, permissions: permissions)
    }

    func details(_ request: UserGet, _ asker: Asker) async throws -> UserDetails {
        try await model.people.details(of: request.user, for: asker.account.isGuest ? nil : asker.uid)
    }

    func updateProfile(_ request: ProfileUpdate, _ asker: Asker) async throws -> ProfileResult {
        var (request, texts) = (request, FilteredTexts(model.words))
        request.displayName = try texts.take(ifPresent: request.displayName, "data.display_name")
        request.bio = try texts.take(ifPresent: request.bio, "data.bio")
        request.links = try request.links?.map { link in
            Link(title: try texts.take(ifPresent: link.title, "data.links"), url: link.url)
        }
        let profile = try await model.people.update(request, of: asker.uid)
        let quote = [profile.displayName, profile.bio].compactMap { $0 }.joined(separator: "\n")
        await model.reports.flag(texts.flagged, quote, about: .user(asker.uid), by: asker.uid)
        return ProfileResult(profile: profile)
    }

    func updateSettings(_ request: SettingsUpdate, _ asker: Asker) async throws -> SettingsResult {
        SettingsResult(settings: try await model.people.update(request, of: asker.uid))
    }

    func removePhoto(_ request: PhotoRemove, _ asker: Asker) async throws -> ProfileResult {
        ProfileResult(profile: try await model.photos.remove(of: asker.uid))
    }

    /// `POST /v1/photo`.
    func setPhoto(_ bytes: [UInt8], of account: Accounts.Account) async throws -> ProfileResult {
        ProfileResult(profile: try await model.photos.set(bytes, of: account.uid))
    }
}

extension PageCursor {
    /// The place that a page comes after; `nil` for the first page.
    ///
    /// - Parameter list: The list, for the message.
    /// - Throws: `request.invalid` if the text is not a cursor.
    static func parse(_ text: String?, of list: String) throws(WireError) -> PageCursor? {
        guard let text else { return nil }
        guard let cursor = PageCursor(text) else { throw .cursorUnknown(list) }
        return cursor
    }
}

extension WireError {
    static func cursorUnknown(_ type: String) -> WireError {
        WireError(.requestInvalid, "This is no cursor of \(type).", field: "data.cursor")
    }
}
