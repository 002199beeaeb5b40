internal import SonaDatabase

/// Everything that is asked of the database, by subject. Being listed here is what sets a table up.
struct SonaDAOs: DAOs {
    let users: UserDAO
    let refreshTokens: RefreshTokenDAO
    let revokedFamilies: RevokedFamilyDAO
    let rooms: RoomDAO

    init(_ database: any DatabaseWriter) {
        users = UserDAO(database)
        refreshTokens = RefreshTokenDAO(database)
        revokedFamilies = RevokedFamilyDAO(database)
        rooms = RoomDAO(database)
    }
}
