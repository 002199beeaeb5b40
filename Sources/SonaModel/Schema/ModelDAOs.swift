package import SonaDatabase

/// The DAOs of this module, by subject. The tables of a DAO are set up because it is listed here.
package struct ModelDAOs: DAOs {
    let users: UserDAO
    let refreshTokens: RefreshTokenDAO
    let revokedFamilies: RevokedFamilyDAO
    let codes: AccountCodeDAO
    let people: PeopleDAO
    let photos: PhotoDAO
    let rooms: RoomDAO
    let membership: MembershipDAO
    let invites: InviteDAO
    let chat: ChatDAO
    let playing: PlayingDAO
    let journal: JournalDAO
    let addressBans: AddressBanDAO
    let reports: ReportDAO
    let registration: RegistrationDAO
    let words: WordDAO
    let setup: SetupDAO
    let notifications: NotificationDAO
    let plans: PlanDAO
    let appPasswords: AppPasswordDAO
    let webhooks: WebhookDAO

    package init(_ database: any DatabaseWriter) {
        users = UserDAO(database)
        refreshTokens = RefreshTokenDAO(database)
        revokedFamilies = RevokedFamilyDAO(database)
        codes = AccountCodeDAO(database)
        people = PeopleDAO(database)
        photos = PhotoDAO(database)
        rooms = RoomDAO(database)
        membership = MembershipDAO(database)
        invites = InviteDAO(database)
        chat = ChatDAO(database)
        playing = PlayingDAO(database)
        journal = JournalDAO(database)
        addressBans = AddressBanDAO(database)
        reports = ReportDAO(database)
        registration = RegistrationDAO(database)
        words = WordDAO(database)
        setup = SetupDAO(database)
        notifications = NotificationDAO(database)
        plans = PlanDAO(database)
        appPasswords = AppPasswordDAO(database)
        webhooks = WebhookDAO(database)
    }
}
