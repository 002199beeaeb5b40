internal import Glibc
internal import SonaBase
internal import SonaConfiguration
internal import SonaDatabase
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaMedia
internal import SonaModel
internal import SonaWire

/// A whole server: composition, start and orderly end.
///
/// created → running (`start`) → drained (`drain`). The end has an order: no new connections, all clients told and
/// closed, then the durable plane flushed and closed.
package actor Server {
    var configuration: ServerConfiguration
    let live: LiveConfiguration
    private let storage = StorageWatch()
    /// The live domain is on the first.
    let loops: [EventLoop]
    let shard: Shard
    private let clients: ClientPolicy
    var library: Library?
    var model: Model?
    private var demo: DemoHost?
    var mailer: AccountMailer?
    private var upkeep: Task<Void, Never>?
    private var watching: Task<Void, Never>?
    private var sampling: Task<Void, Never>?
    private var scheduling: Task<Void, Never>?
    private var scrobbling: Task<Void, Never>?
    private var scheduler: Scheduler?
    /// All listening sockets, with what each is for.
    var sockets: [(use: SocketUse, socket: ListeningSocket)] = []
    /// The address of `/metrics`, as `HOST:PORT`; `nil` if only the operator's socket serves it.
    package internal(set) var metricsAddress: String?
    var metricsLoop: EventLoop?
    /// The address for programs that speak Icecast, as `HOST:PORT`; `nil` if there is none.
    package var icecastAddress: String? { icecast?.address }
    var icecast: IcecastListener?
    /// The address for speakers, as `HOST:PORT`; `nil` if there is none.
    package internal(set) var snapcastAddress: String?
    private var successorDoor: SuccessorDoor?
    /// What is stored of rooms that the process before hands over.
    var awaited: [RoomID: (RoomStore.StoredRoom, StoredRoomState)] = [:]
    enum Stage { case starting, running, handingOver, draining }
    var stage = Stage.starting
    /// The end of the durable plane, of a server that hands over.
    var closing: Task<Void, Never>?
    private var backing: Task<Void, Never>?
    private var backups: BackupKeeper?

    package init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
        live = LiveConfiguration(configuration)
        let log = configuration.log
        let clients = ClientPolicy(
            trustedProxies: configuration.trustedProxies, exempt: Set(configuration.exempt),
            connectionsPerAddressMax: configuration.connectionsPerAddressMax, census: ConnectionCensus()
        ) { address in
            log.log(
                .proxyUntrusted,
                "\(address) sends X-Forwarded-For or Forwarded but is not a trusted proxy. "
                    + "If it is your proxy, set trusted-proxy to \(address).", [.address(address.text)])
        }
        self.clients = clients
        loops = (0..<max(1, configuration.loopCount)).map { index in
            var options = EventLoop.Options()
            options.name = "sona-loop-\(index)"
            options.index = index
            options.count = max(1, configuration.loopCount)
            options.subprotocols = ["sona.v1"]
            options.identity = configuration.identity
            options.clients = clients
            // Supervisors on this machine need no change when TLS is turned on.
            options.pathsWithoutTLS = ["/healthz", "/readyz"]
            return EventLoop(options)
        }
        shard = Shard(loop: loops[0])
        announceStrictTransport(configuration)
    }

    private nonisolated func announceStrictTransport(_ configuration: ServerConfiguration) {
        for loop in loops { loop.setStrictTransport(seconds: configuration.strictTransportDays * 86_400) }
    }

    /// Gives the service manager signs of life from now on, as long as all loops run.
    package func report(to manager: ServiceManager) { manager.watch(loops) }

    /// Opens the data folder, binds every address and begins to serve.
    ///
    /// - Returns: The addresses that the server listens on, as `HOST:PORT`, in the order of the configuration.
    /// - Throws: `ServerError`. Nothing stays bound or locked then.
    package func start() async throws(ServerError) -> [String] {
        let predecessor = configuration.takesOver ? try await Predecessor.find(configuration.dataFolder) : nil
        do throws(ServerError) {
            // Addresses first: a port in use is noticed before a data folder is made.
            try bindAll(predecessor)
            let rooms = try await predecessor?.waitForFolder() ?? []
            try await openModel()
            try bindOperatorSocket(predecessor)
            predecessor?.closeUnused(except: Set(sockets.map(\.socket.descriptor)))
            successorDoor = SuccessorDoor(dataFolder: configuration.dataFolder) { [weak self] channel in
                await self?.handOver(over: channel)
            }
            try await open(isTakingOver: predecessor != nil)
            await read(rooms)
            if let predecessor { await takeOver(try await predecessor.handover()) }
            try await accept()
            if predecessor != nil { configuration.tookOver?() }
            await predecessor?.confirm()
            try await begin()
        } catch {
            for (_, socket) in sockets { socket.release() }
            successorDoor?.close()
            await library?.close()
            await model?.close()
            throw error
        }
        let addresses = sockets.filter { $0.use == .clients }.map { $0.socket.address }
        live.listens(at: addresses.first.map(ownAddress))
        return addresses
    }

    /// The address by which a browser on this machine reaches the server.
    private func ownAddress(_ listening: String) -> String {
        let scheme = configuration.identity == nil ? "http" : "https"
        // What listens everywhere has no address of its own.
        for everywhere in ["0.0.0.0:", "[::]:"] where listening.hasPrefix(everywhere) {
            return "\(scheme)://localhost:\(listening.dropFirst(everywhere.count))"
        }
        return "\(scheme)://\(listening)"
    }

    /// Makes a link with which one person makes the first administrator's account, as long as there is none. The one
    /// before is good no longer.
    ///
    /// - Returns: `nil` if there is an administrator, or nothing could be stored.
    package func setupLink() async -> String? {
        guard let model, let code = try? await model.accounts.newSetupCode() else { return nil }
        return AccountLinks(publicAddress: live.publicAddress ?? live.ownAddress).setup(code)
    }

    private func openModel() async throws(ServerError) {
        let (log, mustEnd) = (configuration.log, configuration.mustEnd)
        var options = Model.Options()
        options.passwordCost = configuration.passwordCost
        options.budgetFactor = configuration.budgetFactor
        options.log = { [storage] event in
            storage.heard(event)
            log.log(event)
            if case .writesStopped = event { mustEnd?() }
        }
        options.notice = { log.log(.folderNotice, "\($0).") }
        options.makesLostKeys = configuration.makesLostKeys
        options.makesLostDatabase = configuration.makesLostDatabase
        if let project = configuration.firebaseProject {
            options.firebase = try FirebaseTokens(
                project: project, keys: configuration.firebaseKeys, clock: options.clock
            ) { log.log(.firebaseFailed, "\($0).") }
        }
        if let path = configuration.workerProgram {
            var program = WorkerProgram()
            program.path = path
            options.pictures = PictureWorkers(program) { log.log(.workerFailed, "\($0).") }
        }
        if configuration.mailing.isOn {
            let mailer = try AccountMailer(configuration.mailing, live: live) { log.log(.mailFailed, $0) }
            options.mail = { mailer.send($0) }
            self.mailer = mailer
        }
        do throws(ModelError) {
            let storage = try await Storage.open(
                dataFolder: configuration.dataFolder, options, library: libraryOptions())
            (model, library) = (storage.model, storage.library)
        } catch {
            throw .model(error)
        }
        if let reset = model?.journal.reset { log.log(.journalReset, "The journal has a new seal: \(reset).") }
    }

    private func libraryOptions() -> Library.Options {
        var options = Library.Options()
        options.folders = configuration.musicFolders.map { ($0.name, $0.path) }
        if configuration.hasDemo { options.folders.append((Self.demoFolder, demoPath)) }
        options.uploads = configuration.uploads
        options.guestAccess = configuration.guestsHear.access
        options.mediaFolder = "\(configuration.dataFolder)/media"
        options.renditionBytes = Int64(configuration.renditionMebibytes) << 20
        let log = configuration.log
        options.notice = { log.log(.libraryNotice, "\($0)") }
        if let path = configuration.workerProgram {
            var program = WorkerProgram()
            program.path = path
            options.program = program
            options.pictures = PictureWorkers(program) { log.log(.workerFailed, "\($0).") }
        }
        return options
    }

    /// Opens both planes. Nobody is served yet.
    ///
    /// - Parameter isTakingOver: Broadcasts go on: another process has sent them up to now.
    private func open(isTakingOver: Bool) async throws(ServerError) {
        guard let model, let library else { return }
        for loop in loops {
            do { try loop.start() } catch { throw .address(error) }
        }
        let directory = RoomDirectoryService(people: model.people, accounts: model.accounts, shard: shard)
        let banned = BannedAddresses()
        do throws(Refusal) {
            banned.replace(try await model.addressBans.current())
            if !isTakingOver { try await model.roomStorage.replays.noteEnd() }
            let open = try await model.rooms.allOpen()
            for (id, reason) in open.unreadable {
                configuration.log.log(
                    .roomUnreadable, "The room \(id) can't be read and is missing in lists: \(reason).")
            }
            await directory.start(open.rooms)
        } catch { throw .configuration("The rooms can't be read: \(error)") }
        let teller = NotificationTeller(model.notifications)
        let scheduler = Scheduler(model, shard, configuration.log)
        self.scheduler = scheduler
        let shard = self.shard
        let recordings = RecordingDesk(
            model.roomStorage, folder: configuration.dataFolder + "/recordings", live, configuration.log
        ) { room, recording in await shard.perform { $0.rooms[room]?.endRecording(recording) } }
        do throws(Refusal) { try await recordings.recover() } catch {
            throw .configuration("The recordings can't be read: \(error)")
        }
        let scrobbler = Scrobbler(library.scrobbles, live)
        let webhooks = WebhookSender(model.webhooks, live)
        let services = ShardServices(
            live: live, model: model, library: library, directory: directory, banned: banned, storage: storage,
            log: configuration.log,
            site: SiteSource(folder: configuration.siteFolder), teller: teller, scheduler: scheduler,
            scrobbler: scrobbler, webhooks: webhooks, recordings: recordings)
        await shard.start(services, mailboxes: loops.enumerated().map { HubMailbox($0.element, index: $0.offset) })
        await scheduler.start()
        // Handled in order: a removed user is told of the removal before the end of their tokens.
        let (events, continuation) = AsyncStream.makeStream(of: AccountEvent.self)
        model.accounts.onEvent { continuation.yield($0) }
        Task {
            for await event in events { await shard.perform { $0.heard(event) } }
        }
        Task { await teller.run(on: shard) }
        // In order as well: the end of a job is told last.
        let (changes, jobChanges) = AsyncStream.makeStream(of: Job.self)
        library.jobs.onChange { jobChanges.yield($0) }
        Task { for await job in changes { await shard.perform { $0.changed(job) } } }
        let (opinions, likeChanges) = AsyncStream.makeStream(of: Likes.Change.self)
        library.likes.onChange { likeChanges.yield($0) }
        let likes = library.likes
        Task {
            for await change in opinions {
                // What cannot be read is not told: the next list has it.
                guard let opinion = try? await likes.opinion(of: change) else { continue }
                await shard.perform { $0.tell(LikeChanged(opinion: opinion), to: change.uid) }
            }
        }
        // One after another: those of one playlist are told in the order of its versions.
        let (edits, playlistChanges) = AsyncStream.makeStream(of: PlaylistChange.self)
        library.playlists.onChange { playlistChanges.yield($0) }
        Task { for await edit in edits { await PlaylistNotices(library: library, shard: shard).tell(edit) } }
        let (submissions, submissionChanges) = AsyncStream.makeStream(of: Submissions.Change.self)
        library.submissions.onChange { submissionChanges.yield($0) }
        Task { for await change in submissions { await shard.perform { $0.changed(change) } } }
    }

    /// Begins the work that nobody asks for.
    private func begin() async throws(ServerError) {
        guard let model, let library, let scheduler else { return }
        let shard = self.shard
        let services = await shard.perform { $0.services }
        let (scrobbler, webhooks) = (services.scrobbler, services.webhooks)
        let directory = services.directory
        Task { await RoomAwakening(model: model, shard: shard).wakePlaying() }
        scheduling = Task { await scheduler.run() }
        scrobbling = Task {
            async let hooks: Void = webhooks.run()
            await scrobbler.run()
            await hooks
        }
        let (storage, log, folder) = (self.storage, configuration.log, configuration.dataFolder)
        if !configuration.mailing.isOn {
            log.log(
                .mailMissing,
                "No mail is sent, so nobody who forgets a password gets back in without you (sona user recovery-link). "
                    + "Set mail-from, and smtp or sendmail.")
        }
        noteCertificate()
        // Scanned at the start: files may have come while no server ran.
        // Watched and scanned before its albums are written.
        if configuration.hasDemo { mkdir(demoPath, 0o700) }
        await library.folders.follow(rescanEvery: configuration.rescanMinutes)
        do throws(Refusal) { try await library.folders.scan(nil) } catch {
            log.log(.libraryNotice, "The music folders can't be scanned: \(error)")
        }
        // What was under way when the last server ended.
        Task { await library.uploads.recover() }
        watching = Task { await storage.watch(model, folder: folder, log) }
        let backups = BackupKeeper(model, live, services.backups, log)
        self.backups = backups
        backing = Task { await backups.run() }
        sampling = Task { await services.history.follow(shard) }
        upkeep = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(3_600))
                if Task.isCancelled { return }
                await self?.noteCertificate()
                try? await model.journal.anchor()
                _ = try? await model.upkeep.round()
                await self?.forgetOldReplays()
                await library.uploads.sweep()
                _ = try? await model.accounts.removeUnapproved()
                _ = try? await library.tidy()
                await self?.replaceAbsentOwners()
            }
        }
        if configuration.hasDemo {
            let demo = DemoHost(model: model, shard: shard, directory: directory)
            try await demo.start()
            self.demo = demo
            writeDemoAlbums(library)
        }
        stage = .running
    }

    private static let demoFolder = "Demo albums"
    private var demoPath: String { configuration.dataFolder + "/demo" }
    private let demoStop = StopFlag()

    /// Writes the albums of the demo, unless they are there, and lets the library find them.
    private func writeDemoAlbums(_ library: Library) {
        let (log, path, stop) = (configuration.log, demoPath, demoStop)
        Task {
            do throws(ServerError) {
                guard case .complete(let written) = try await DemoAlbums(folder: path).writeInBackground(until: stop),
                    written > 0
                else { return }
            } catch { return log.log(.libraryNotice, error.sentence) }
            await library.folders.waitForScans()
            try? await library.folders.scan(Self.demoFolder)
        }
    }

    /// Forgets replays that are older than the operator keeps them.
    func forgetOldReplays() async {
        _ = try? await model?.roomStorage.replays.tidy(keptDays: live.configuration.replayDays)
        await shard.perform { $0.services.recordings }.sweep()
    }

    /// Gives rooms whose owner has not been seen for long to a cohost, or closes them.
    func replaceAbsentOwners() async {
        let days = live.configuration.absentOwnerDays
        guard days > 0, let model else { return }
        let before = MonotonicClock.wallMilliseconds() - Int64(days) * 86_400_000
        guard let outcomes = try? await model.roomTransfers.replaceOwners(seenBefore: before) else { return }
        await shard.perform { core in for outcome in outcomes { core.apply(outcome) } }
    }

    /// Says so if the certificate has expired or soon will.
    private func noteCertificate() {
        switch CertificateAge(configuration.identity, nowSeconds: Int(MonotonicClock.wallMilliseconds() / 1000)) {
        case .expired:
            configuration.log.log(
                .certificateExpired, "The certificate has expired: no client trusts this server until it is renewed.")
        case .expiring(let days):
            configuration.log.log(
                .certificateExpiring, "The certificate expires in \(days) days. After renewing it, send SIGHUP.")
        case .fine, nil: break
        }
    }

    /// Takes over a new configuration, as far as a running server can.
    ///
    /// - Parameter new: With its `identity` read from its files.
    /// - Returns: The names of the keys that changed and hold from now on, and of those that need a restart.
    package func reload(_ new: ServerConfiguration) async -> (taken: [String], waiting: [String]) {
        let table = ServerConfiguration.keys
        let changes = table.changes(from: configuration, to: new)
        var merged = table.merged(configuration, with: new)
        // A certificate is renewed in the same file. TLS itself is turned on and off by a restart.
        if configuration.identity != nil, let identity = new.identity {
            merged.identity = identity
            for loop in loops { loop.replaceIdentity(identity) }
        }
        merged.logo = new.logo
        configuration = merged
        configuration.log.setLevel(merged.logLevel)
        announceStrictTransport(merged)
        noteCertificate()
        let before = live.configuration.description
        live.replace(merged)
        let description = merged.description
        if description != before { await shard.perform { $0.tellAll(description) } }
        clients.rules = ClientPolicy.Rules(trustedProxies: merged.trustedProxies, exempt: Set(merged.exempt))
        library?.uploads.limits = merged.uploads
        model?.accounts.setBudgetFactor(merged.budgetFactor)
        return changes
    }

    /// Ends the work that nobody asks for.
    func stopWork() {
        demo?.stop()
        demoStop.set()
        icecast?.stop()
        upkeep?.cancel()
        watching?.cancel()
        backing?.cancel()
        backups?.end()
        sampling?.cancel()
        scheduling?.cancel()
        scrobbling?.cancel()
    }

    /// Ends the server. Returns when all clients have been told and everything is on disk.
    ///
    /// - Returns: Number of writes given up because the disk does not answer; none of them was acknowledged.
    @discardableResult
    package func drain() async -> Int {
        if stage == .handingOver { return await drainRest() }
        stage = .draining
        successorDoor?.close()
        stopWork()
        let loop = loops[0]
        loop.post { loop.stopAccepting() }
        await shard.perform { $0.drain() }
        // Once every hub has answered, the shard knows of the clients that came at the last moment.
        for mailbox in await shard.perform({ $0.mailboxes }) { await mailbox.ask { _ in } }
        await waitForClients()
        await mailer?.close()
        let left = await shard.perform { $0.services.writes }.end(within: .seconds(configuration.writingSecondsMax))
        await shard.perform { $0.services.recordings }.close()
        await library?.close()
        await model?.close()
        OperatorDoor.removeSocket(dataFolder: configuration.dataFolder)
        return left
    }

    /// Ends a server whose data folder, and the sockets in it, another process has or may have.
    private func drainRest() async -> Int {
        await closing?.value
        await shard.perform { $0.drain() }
        await waitForClients()
        return 0
    }

    private func waitForClients() async {
        for _ in 0..<configuration.drainSecondsMax * 20 {
            let count = await shard.perform { $0.sessions.count }
            if count == 0 { break }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
