internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Tracks that administrators take down.
///
/// Source: Protocol/spec/permissions.md, "content.take_down".
extension TrackStore {
    /// Takes an upload down, whoever owns it, with every other upload of the same content. That content is refused from
    /// then on. The owners are told.
    ///
    /// - Parameter actor: `nil` for the operator.
    /// - Throws: `trackNotFound`; `trackInFolder`; `forbidden`, `banned`, `tokenInvalid`, `busy`, `storage`.
    package func takeDown(_ id: MusicID, reason: String?, by actor: UserID?) async throws(Refusal) {
        let (now, journal, notifications) = (clock.nowMilliseconds(), journal, notifications)
        let (contents, posted) = try await dao.write { db -> ([[UInt8]], [PostedNotification]) in
            try AdminRights.require(.contentTakeDown, of: actor, now: now, in: &db)
            guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)), let number = track.number else {
                throw Refusal(.trackNotFound)
            }
            guard track.owner != nil else { throw Refusal(.trackInFolder) }
            let contents = try db.values(
                "SELECT content FROM music_files WHERE track = \(number) AND content IS NOT NULL", as: [UInt8].self)
            var posted: [PostedNotification] = []
            for content in contents {
                if try !RefusedContentRecord.isRefused(content, in: &db) {
                    try db.insert(
                        RefusedContentRecord(
                            number: nil, content: content, title: track.title, reason: reason, atMilliseconds: now,
                            by: actor))
                }
                let same = try db.values(
                    "SELECT track FROM music_files WHERE content = \(content) AND track IS NOT NULL", as: Int64.self)
                for other in Set(same + [number]).sorted() {
                    guard let gone = try db.first(TrackRecord.self, key: other), let owner = gone.owner else {
                        continue
                    }
                    try TrackWriter.remove(other, &db)
                    try journal.append(
                        JournalEntry(
                            .takenDown, actor: actor, user: owner,
                            ["kind": .text(TakeDown.Kind.track.rawValue), "track": .text(gone.id.rawValue)]), in: &db)
                    var new = NewNotification(.trackTakenDown, key: "taken_down:\(gone.id.rawValue)")
                    new.track = gone.id
                    new.title = gone.title
                    new.text = reason
                    if let one = try notifications.post(new, to: owner, in: &db) { posted.append(one) }
                }
            }
            return (contents, posted)
        }
        notifications.tell(posted)
        for content in contents { uploads.removeSoon(content) }
    }

    /// Contents that are refused, the newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func refusedContents(_ request: ContentTakenDown) async throws(Refusal) -> RefusedContentPage {
        let limit = min(max(request.limit, 1), Int(Limits.refusedContentPageCount.upperBound))
        return try await dao.read { db in
            let found = try db.all(
                """
                SELECT r.number, r.content, r.title, r.reason, r.at_ms, u.uid, u.username
                FROM refused_contents r LEFT JOIN users u ON u.uid = r.by_uid
                WHERE r.number < \(request.before ?? .max) ORDER BY r.number DESC LIMIT \(limit + 1)
                """
            ) { row in
                let (number, content) = (try row.next(Int64.self), try row.next([UInt8].self))
                let (title, reason) = (try row.next(String.self), try row.next(String?.self))
                let (at, uid, name) = (
                    try row.next(Int64.self), try row.next(UserID?.self), try row.next(Username?.self)
                )
                return RefusedContent(
                    id: number, sha256: MediaFolder.hex(content[...]), title: title, reason: reason, atMilliseconds: at,
                    by: uid.map { User(uid: $0, username: name, isGuest: false) })
            }
            let page = Array(found.prefix(limit))
            return RefusedContentPage(contents: page, nextBefore: found.count > limit ? page.last?.id : nil)
        }
    }

    /// Takes a content again.
    ///
    /// - Parameter actor: `nil` for the operator.
    /// - Throws: `refusedContentNotFound`; `forbidden`, `banned`, `tokenInvalid`, `busy`, `storage`.
    package func allow(_ id: Int64, by actor: UserID?) async throws(Refusal) {
        let (now, journal) = (clock.nowMilliseconds(), journal)
        try await dao.write { db -> Void in
            try AdminRights.require(.contentTakeDown, of: actor, now: now, in: &db)
            guard try db.delete(RefusedContentRecord.self, key: id) else { throw Refusal(.refusedContentNotFound) }
            try journal.append(JournalEntry(.contentAllowed, actor: actor, ["content": .integer(id)]), in: &db)
        }
    }
}
