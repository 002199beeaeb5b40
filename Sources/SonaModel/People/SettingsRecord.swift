internal import SonaDatabase
internal import SonaWire

/// The settings of a user: defaults of new rooms, the look of the page, and who may know which room they are in.
struct SettingsRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var settings = Settings()

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let delivery = Column("delivery", \Self.settings.delivery, .defaults(to: .party), .anyCase)
    static let visibility = Column("visibility", \Self.settings.visibility, .defaults(to: .public), .anyCase)
    static let locale = Column("locale", \Self.settings.locale, .defaults(to: .englishUS), .anyCase)
    static let theme = Column("theme", \Self.settings.theme, .defaults(to: .system), .anyCase)
    static let shading = Column("shading", \Self.settings.shading, .defaults(to: false), .oneOf(false, true))
    static let presence = Column("presence", \Self.settings.presence, .defaults(to: .nobody), .anyCase)

    static let table = Table<Self>("settings", uid, delivery, visibility, locale, theme, shading, presence)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(settings.delivery)
        values.next(settings.visibility)
        values.next(settings.locale)
        values.next(settings.theme)
        values.next(settings.shading)
        values.next(settings.presence)
    }
}

extension SettingsRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        settings.delivery = try row.next()
        settings.visibility = try row.next()
        settings.locale = try row.next()
        settings.theme = try row.next()
        settings.shading = try row.next()
        settings.presence = try row.next()
    }
}
