internal import SonaDatabase
internal import SonaWire

/// The settings of a user: defaults of new rooms, the look of the page, and who may know which room they are in.
struct SettingsRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var delivery = Delivery.party
    var visibility = Visibility.public
    var locale = LocaleCode.englishUS
    var theme = Theme.system
    var shading = false
    /// `nobody`, because consent must not be assumed.
    var presence = PresencePolicy.nobody

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let delivery = Column("delivery", \Self.delivery, .defaults(to: .party), .anyCase)
    static let visibility = Column("visibility", \Self.visibility, .defaults(to: .public), .anyCase)
    static let locale = Column("locale", \Self.locale, .defaults(to: .englishUS), .anyCase)
    static let theme = Column("theme", \Self.theme, .defaults(to: .system), .anyCase)
    static let shading = Column("shading", \Self.shading, .defaults(to: false), .oneOf(false, true))
    static let presence = Column("presence", \Self.presence, .defaults(to: .nobody), .anyCase)

    static let table = Table<Self>("settings", uid, delivery, visibility, locale, theme, shading, presence)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(delivery)
        values.next(visibility)
        values.next(locale)
        values.next(theme)
        values.next(shading)
        values.next(presence)
    }
}

extension SettingsRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        delivery = try row.next()
        visibility = try row.next()
        locale = try row.next()
        theme = try row.next()
        shading = try row.next()
        presence = try row.next()
    }
}
