internal import SonaDatabase
internal import SonaText
package import SonaWire

/// Profiles and settings.
extension People {
    /// Everything that an account sees of itself.
    package struct Own: Sendable {
        package let email: String?
        package let isEmailConfirmed: Bool
        package let role: AccountRole
        package let profile: Profile
        package let settings: Settings
    }

    /// Returns an account's own data.
    ///
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func own(_ uid: UserID) async throws(Refusal) -> Own {
        try await people.read { db in
            guard let user = try db.first(UserRecord.self, key: uid),
                let profile = try Self.profile(of: uid, in: &db),
                let settings = try db.first(SettingsRecord.self, key: uid)?.settings
            else { throw Refusal.userUnknown }
            return Own(
                email: user.email, isEmailConfirmed: user.isEmailConfirmed, role: user.role, profile: profile,
                settings: settings)
        }
    }

    /// Checks and trims a display name.
    ///
    /// - Returns: `nil` for an empty name.
    /// - Throws: `displayNameInvalid` if it has no visible characters, or characters that disturb the text around it.
    static func displayName(_ typed: String) throws(Refusal) -> String? {
        if typed.isEmpty { return nil }
        do { return try DisplayText(typed, .name).text } catch { throw .displayNameInvalid }
    }

    /// Checks and trims the text that people write about themselves.
    ///
    /// - Returns: `nil` for an empty text.
    ///
    /// - Throws: `bioInvalid`.
    private static func bio(_ typed: String) throws(Refusal) -> String? {
        do {
            let text = try DisplayText(typed, .lines).text
            return text.isEmpty ? nil : text
        } catch { throw .bioInvalid }
    }

    /// Changes the fields that are not `nil`. An empty text removes the current one.
    ///
    /// - Throws: `displayNameInvalid`, `bioInvalid`, `userUnknown`, `busy`, `storage`.
    package func update(_ request: ProfileUpdate, of uid: UserID) async throws(Refusal) -> Profile {
        let displayName = try request.displayName.map(Self.displayName)
        let bio = try request.bio.map(Self.bio)
        return try await people.write { db in
            guard let user = try db.first(UserRecord.self, key: uid),
                let current = try db.first(ProfileRecord.self, key: uid)
            else { throw Refusal.userUnknown }
            var changed = current
            if let displayName { changed.displayName = displayName }
            if let bio { changed.bio = bio }
            if let links = request.links {
                changed.links = JSON(links.map { StoredLink(title: $0.title, url: $0.url) })
            }
            if let isPublic = request.isPublic { changed.isPublic = isPublic }
            try db.updateChanges(changed, from: current)
            try DirectoryRecord.update(user, changed, in: &db)
            return try Self.profile(of: uid, in: &db) ?? Profile(displayName: nil, bio: nil, isPublic: false)
        }
    }

    /// Changes the fields that are not `nil`.
    ///
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func update(_ request: SettingsUpdate, of uid: UserID) async throws(Refusal) -> Settings {
        try await people.write { db in
            guard let current = try db.first(SettingsRecord.self, key: uid) else { throw Refusal.userUnknown }
            var changed = current
            changed.settings.apply(request)
            try db.updateChanges(changed, from: current)
            return changed.settings
        }
    }

    static func profile(
        of uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Profile? {
        guard let profile = try db.first(ProfileRecord.self, key: uid) else { return nil }
        let photo = try db.first(
            "SELECT id, color, foreground, width, height FROM \(PhotoRecord.table) WHERE \(PhotoRecord.uid) = \(uid)"
        ) { row in try Photo(row: &row) }
        return Profile(
            displayName: profile.displayName, bio: profile.bio, isPublic: profile.isPublic,
            links: profile.links.value.map { Link(title: $0.title, url: $0.url) }, photo: photo ?? nil)
    }
}
