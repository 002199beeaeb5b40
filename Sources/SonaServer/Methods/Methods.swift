internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// The methods of the durable plane, by area: one table for both transports, WebSocket and `POST /v1/rpc/…`.
///
/// Off the loop. Each answer leaves after its transaction is on disk.
struct Methods: Sendable {
    let model: Model
    private let live: LiveConfiguration
    let server: ServerMethods
    let accounts: AccountMethods
    let appPasswords: AppPasswordMethods
    let people: PeopleMethods
    let notifications: NotificationMethods
    let administration: Administration
    let addresses: AddressMethods
    let takeDowns: TakeDownMethods
    let reports: ReportMethods
    let sharing: SharingMethods
    let registration: RegistrationMethods
    let transfers: TransferMethods
    let words: WordMethods
    let rooms: RoomMethods
    let finding: FindingMethods
    let joining: JoiningMethods
    let moderation: ModerationMethods
    let chat: ChatMethods
    let listening: ListeningMethods
    let meter: MeterMethods
    let queue: QueueMethods
    let autoplay: AutoplayMethods
    let songRequests: SongRequestMethods
    let otherPlayers: OtherPlayerMethods
    let webhooks: WebhookMethods
    let schedules: ScheduleMethods
    let replays: ReplayMethods
    let recordings: RecordingMethods
    let library: LibraryMethods
    let tracks: TrackMethods
    let submissions: SubmissionMethods
    let folders: FolderMethods
    let jobs: JobMethods
    let playlists: PlaylistMethods
    let storage: StorageMethods
    let plans: PlanMethods
    let setup: SetupMethods
    let likes: LikeMethods
    let plays: PlayMethods
    let player: PlayerMethods
    let scrobbling: ScrobbleMethods
    let discovering: DiscoveringMethods
    /// How methods and joins reach a room.
    let access: RoomAccess

    init(_ services: ShardServices, shard: Shard) {
        let (model, directory) = (services.model, services.directory)
        let access = RoomAccess(model: model, shard: shard)
        self.model = model
        live = services.live
        self.access = access
        server = ServerMethods(live: services.live, history: services.history)
        accounts = AccountMethods(model: model, live: services.live)
        appPasswords = AppPasswordMethods(accounts: model.accounts)
        people = PeopleMethods(model: model) { await directory.circlesChanged(of: $0) }
        notifications = NotificationMethods(notifications: model.notifications, shard: shard)
        administration = Administration(model: model)
        addresses = AddressMethods(model: model, banned: services.banned, shard: shard)
        takeDowns = TakeDownMethods(
            access: access, directory: directory, library: services.library, scheduler: services.scheduler)
        reports = ReportMethods(access: access)
        sharing = SharingMethods(access: access, library: services.library)
        registration = RegistrationMethods(accounts: model.accounts)
        transfers = TransferMethods(access: access, directory: directory)
        words = WordMethods(words: model.words)
        rooms = RoomMethods(
            access: access, directory: directory, library: services.library, scheduler: services.scheduler)
        finding = FindingMethods(access: access, directory: directory)
        joining = JoiningMethods(access: access)
        moderation = ModerationMethods(access: access)
        chat = ChatMethods(access: access)
        listening = ListeningMethods(access: access)
        meter = MeterMethods(access: access)
        queue = QueueMethods(access: access, library: services.library)
        autoplay = AutoplayMethods(access: access, library: services.library)
        songRequests = SongRequestMethods(access: access, library: services.library)
        otherPlayers = OtherPlayerMethods(access: access, live: services.live, tokens: services.radioTokens)
        webhooks = WebhookMethods(access: access, sender: services.webhooks)
        schedules = ScheduleMethods(
            access: access, library: services.library, directory: directory, scheduler: services.scheduler)
        replays = ReplayMethods(access: access)
        recordings = RecordingMethods(access: access, replays: replays, tokens: services.library.tokens)
        library = LibraryMethods(library: services.library)
        tracks = TrackMethods(library: services.library, shard: shard)
        submissions = SubmissionMethods(library: services.library)
        folders = FolderMethods(library: services.library)
        jobs = JobMethods(library: services.library)
        playlists = PlaylistMethods(library: services.library, model: model)
        storage = StorageMethods(library: services.library)
        plans = PlanMethods(plans: model.plans, library: services.library)
        setup = SetupMethods(accounts: model.accounts)
        likes = LikeMethods(library: services.library, access: access)
        plays = PlayMethods(
            library: services.library, streams: services.streams, scrobbler: services.scrobbler)
        player = PlayerMethods(library: services.library, shard: shard, scrobbler: services.scrobbler)
        scrobbling = ScrobbleMethods(library: services.library, live: services.live)
        discovering = DiscoveringMethods(library: services.library, access: access)
    }

    private static let all: [[Method]] = [
        ServerMethods.methods, AccountMethods.methods, AppPasswordMethods.methods, PeopleMethods.methods,
        NotificationMethods.methods, Administration.methods,
        AddressMethods.methods, TakeDownMethods.methods, ReportMethods.methods,
        SharingMethods.methods, RegistrationMethods.methods, TransferMethods.methods, WordMethods.methods,
        RoomMethods.methods, FindingMethods.methods, JoiningMethods.methods, ModerationMethods.methods,
        ChatMethods.methods, ListeningMethods.methods, MeterMethods.methods, QueueMethods.methods,
        AutoplayMethods.methods, SongRequestMethods.methods, OtherPlayerMethods.methods, WebhookMethods.methods,
        ScheduleMethods.methods, ReplayMethods.methods, RecordingMethods.methods,
        LibraryMethods.methods, TrackMethods.methods, SubmissionMethods.methods, LikeMethods.methods,
        PlaylistMethods.methods, FolderMethods.methods, JobMethods.methods, StorageMethods.methods, PlanMethods.methods,
        SetupMethods.methods, PlayMethods.methods, PlayerMethods.methods, ScrobbleMethods.methods,
        DiscoveringMethods.methods,
    ]

    /// By type of request.
    static let table = Dictionary(uniqueKeysWithValues: all.joined().map { ($0.type, $0) })

    /// Answers a request.
    ///
    /// - Throws: The errors of the request's page in Protocol/spec.
    func call(_ method: Method, _ data: JSON, _ caller: Caller) async throws(WireError) -> AnyOutcome {
        if live.isInMaintenance { try Maintenance.check(method.type, isLive: false, caller.account) }
        do { return try await method.call(self, data, caller) } catch { throw WireError(error) }
    }
}
