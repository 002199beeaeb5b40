internal import SonaConfiguration
internal import SonaEventLoop

/// The addresses that a server listens on: of clients, of the operator, and of other programs.
extension Server {
    /// Binds all addresses, or takes them from the process before.
    func bindAll(_ predecessor: Predecessor?) throws(ServerError) {
        var wanted: [(SocketUse, ListenAddress)] = configuration.addresses.map { (.clients, $0) }
        if let address = configuration.metricsAddress { wanted.append((.metrics, address)) }
        if let address = configuration.icecastAddress { wanted.append((.icecast, address)) }
        if let address = configuration.snapcastAddress { wanted.append((.snapcast, address)) }
        for (use, address) in wanted {
            let taken = Set(sockets.map(\.socket.descriptor))
            if let socket = predecessor?.socket(for: use, at: address, except: taken) {
                sockets.append((use, socket))
                continue
            }
            do { sockets.append((use, try ListeningSocket(host: address.host, port: address.port))) } catch {
                throw .address(error)
            }
        }
    }

    private func serveMetrics(_ socket: ListeningSocket) async throws(ServerError) {
        var options = EventLoop.Options()
        options.name = "sona-metrics"
        let (loop, shard) = (EventLoop(options), self.shard)
        let mailboxes = await shard.perform { $0.mailboxes }
        do {
            try loop.start()
            try await loop.run {
                loop.serve(MetricsApplication(loop, mailboxes, shard))
                _ = try loop.accept(socket, for: [loop])
            }
        } catch {
            throw .address(error as? EventLoopError ?? EventLoopError(.system, "\(error)"))
        }
        metricsLoop = loop
        metricsAddress = socket.address
    }

    private func serveIcecast(_ socket: ListeningSocket) async throws(ServerError) {
        let shard = self.shard
        let listener = await shard.perform { IcecastListener(socket, $0.services, shard) }
        guard listener.start() else { throw .configuration("There is no thread for the Icecast port") }
        icecast = listener
        live.takesSources(at: socket.address)
    }

    private func serveSnapcast(_ socket: ListeningSocket) async throws(ServerError) {
        let loop = loops[0]
        do {
            try await shard.perform { core in
                let port = SnapcastPort(core)
                core.snapcast = port
                _ = try loop.acceptBare(socket) { port.open($0) }
            }
        } catch {
            throw .address(error as? EventLoopError ?? EventLoopError(.system, "\(error)"))
        }
        snapcastAddress = socket.address
        live.takesSpeakers(at: socket.address)
    }

    /// The operator's door: a Unix socket in the data folder, for everyone who may read the folder. A path that is too
    /// long for a socket does not keep the server from serving.
    func bindOperatorSocket(_ predecessor: Predecessor?) throws(ServerError) {
        if let socket = predecessor?.operatorSocket { return sockets.append((.operator, socket)) }
        do {
            let path = OperatorDoor.socketPath(dataFolder: configuration.dataFolder)
            sockets.append((.operator, try ListeningSocket(path: path)))
        } catch {
            guard error.code == .badAddress else { throw .address(error) }
            configuration.log.log(
                .folderNotice, "The operator's commands can't reach this server while it runs: \(error.detail).")
        }
    }

    /// Serves clients from now on.
    func accept() async throws(ServerError) {
        let (loop, loops) = (self.loops[0], self.loops)
        for (use, socket) in sockets where use == .clients || use == .operator {
            do {
                // The operator's few connections need no spreading.
                try await loop.run { _ = try loop.accept(socket, for: use == .operator ? [loop] : loops) }
            } catch {
                throw .address(error as? EventLoopError ?? EventLoopError(.system, "\(error)"))
            }
        }
        for (use, socket) in sockets {
            switch use {
            case .metrics: try await serveMetrics(socket)
            case .icecast: try await serveIcecast(socket)
            case .snapcast: try await serveSnapcast(socket)
            case .clients, .operator: break
            }
        }
    }
}
