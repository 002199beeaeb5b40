internal import SonaClient
internal import SonaWire

extension UserDetails {
    func show(_ address: ServerAddress) {
        var table = Table()
        table.add("user", user.label)
        table.add("identifier", user.uid.rawValue)
        if let profile { profile.add(to: &table, address) } else { table.add("profile", "private") }
        table.add("followers", "\(followerCount)")
        table.add("following", "\(followingCount)")
        if let relation { table.add("relation", relation.words) }
        table.show()
    }
}

extension Profile {
    func show(_ address: ServerAddress, json: Bool) {
        if json { return Console.out(json: self) }
        var table = Table()
        add(to: &table, address)
        table.show()
    }

    fileprivate func add(to table: inout Table, _ address: ServerAddress) {
        if let displayName { table.add("name", displayName) }
        for (number, line) in (bio?.split(whereSeparator: \.isNewline) ?? []).enumerated() {
            table.add(number == 0 ? "bio" : "", String(line))
        }
        for (number, link) in links.enumerated() {
            table.add(number == 0 ? "links" : "", link.title.map { "\(link.url) (\($0))" } ?? link.url)
        }
        if let photo { table.add("photo", "\(address)\(photo.path(.full))") }
        table.add("seen by", isPublic ? "everybody" : "friends")
    }
}

extension Relation {
    var words: String {
        if isBlocked { return "blocked" }
        if areFriends { return "friends" }
        if isFollowing { return "you follow them" }
        return isFollowedBy ? "they follow you" : "none"
    }
}
