internal import FoundationEssentials
internal import Glibc
internal import SonaBase
internal import SonaEventLoop
internal import SonaWire

/// The running server, as the process sees it that takes over from it.
///
/// asked (`find`: it has given its sockets) → its data folder is free (`waitForFolder`) → it has handed over what is live
/// (`handover`) → it ends (`confirm`).
struct Predecessor: Sendable {
    private let channel: UnixChannel
    private let sockets: [(handed: HandedSocket, descriptor: Int32)]

    /// Seconds that it may take for each step. It finishes requests and writes first.
    private static let patience = 30

    /// Asks the server of a data folder for its sockets.
    ///
    /// - Throws: `.handover`: none runs there, it is too old to hand over, or refuses.
    static func find(_ dataFolder: String) async throws(ServerError) -> Predecessor {
        do {
            return try await HandoverThread.run {
                let channel = try UnixChannel(path: SuccessorDoor.path(dataFolder), patience: patience)
                let request = HandoverRequest(version: ServerVersion.number, format: ServerHandover.format)
                try channel.send(Array(try JSONEncoder().encode(request)))
                let (message, descriptors) = try channel.receive()
                let offer = try JSONDecoder().decode(HandoverOffer.self, from: Data(message))
                guard offer.refusal == nil, offer.sockets.count == descriptors.count else {
                    for descriptor in descriptors { close(descriptor) }
                    throw ServerError.handover(offer.refusal ?? "it has not sent its sockets")
                }
                return Predecessor(channel: channel, sockets: Array(zip(offer.sockets, descriptors)))
            }
        } catch let error as ServerError {
            throw error
        } catch let error as EventLoopError {
            throw .handover(error.code == .system ? "no server runs in \(dataFolder) that can be asked" : error.detail)
        } catch {
            throw .handover("it has said what is not understood: \(error)")
        }
    }

    /// Its socket for an address of the configuration.
    ///
    /// - Parameter taken: Descriptors that other addresses have.
    func socket(for use: SocketUse, at address: ListenAddress, except taken: Set<Int32>) -> ListeningSocket? {
        let found = sockets.first { socket in
            socket.handed.use == use.rawValue && !socket.handed.isLocal && socket.handed.host == address.host
                && (address.port == 0 || socket.handed.port == address.port) && !taken.contains(socket.descriptor)
        }
        return found.map { $0.handed.listening($0.descriptor) }
    }

    /// Closes its sockets at addresses that the configuration does not have any more.
    func closeUnused(except used: Set<Int32>) {
        for (_, descriptor) in sockets where !used.contains(descriptor) { close(descriptor) }
    }

    var operatorSocket: ListeningSocket? {
        sockets.first { $0.handed.use == SocketUse.operator.rawValue }.map { $0.handed.listening($0.descriptor) }
    }

    /// Has it close its data folder.
    ///
    /// - Returns: The rooms that will be handed over, as far as is known by then.
    func waitForFolder() async throws(ServerError) -> [RoomID] {
        try await step { channel in
            try channel.send([HandoverStep.prepared.rawValue])
            // Requests, writes, scans and jobs under way are finished first.
            channel.wait(atMost: 180)
            let message = try channel.receive().message
            guard message.first == HandoverStep.folderIsFree.rawValue else {
                throw ServerError.handover("it does not close its data folder")
            }
            return try JSONDecoder().decode([RoomID].self, from: Data(message.dropFirst()))
        }
    }

    /// Takes what is live.
    func handover() async throws(ServerError) -> ServerHandover {
        try await step { channel in
            try channel.send([HandoverStep.ready.rawValue])
            return try ServerHandover(decoding: try channel.receive().message)
        }
    }

    /// Has it end.
    func confirm() async {
        _ = try? await HandoverThread.run { [channel] in try channel.send([HandoverStep.accepting.rawValue]) }
    }

    private func step<Value: Sendable>(
        _ body: @escaping @Sendable (UnixChannel) throws -> Value
    ) async throws(ServerError) -> Value {
        do { return try await HandoverThread.run { [channel] in try body(channel) } } catch let error as ServerError {
            throw error
        } catch {
            throw .handover("it has ended, or does not answer: \((error as? EventLoopError)?.detail ?? "\(error)")")
        }
    }
}

extension HandedSocket {
    fileprivate func listening(_ descriptor: Int32) -> ListeningSocket {
        ListeningSocket(takenOver: descriptor, host: host, port: port, isLocal: isLocal)
    }
}

/// Threads for conversations between two processes, which wait.
enum HandoverThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isStarted = WorkerThread.start("sona-handover") { continuation.resume(with: Result(catching: body)) }
            if !isStarted { continuation.resume(throwing: EventLoopError(.system, "There is no thread")) }
        }
    }
}
