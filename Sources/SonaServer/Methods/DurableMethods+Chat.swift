internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `chat.*`.
extension DurableMethods {
    static let chat: [DurableMethod] = [
        .signedIn(ChatSend.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.send(request, account, caller)
        },
        .signedIn(ChatEdit.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller)
            let text = try methods.text(request.text)
            _ = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.chat.author(of: request.id, in: id)
            }
            try await methods.admitMessage(from: account, in: id)
            let (stored, changeNumber) = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.chat.edit(request.id, in: id, to: text, by: account.uid)
            }
            let message = try await methods.changed(ChatMessage(stored), changeNumber, in: id)
            return DurableOutcome(ChatResult(message: message))
        },
        .signedIn(ChatDelete.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller)
            let user = User(account)
            let author = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.chat.author(of: request.id, in: id)
            }
            if author != user.uid { try await methods.require(.moderate, account, over: author, in: id) }
            let (stored, changeNumber) = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.chat.delete(
                    request.id, in: id, by: account.uid, mayModerate: true)
            }
            let message = try await methods.changed(ChatMessage(stored), changeNumber, in: id)
            if message.user.uid != account.uid {
                try await methods.on(id) { home in
                    home.moderated(.delete, message.user, by: user)
                    return .success(())
                }
            }
            return DurableOutcome(Empty())
        },
        .signedIn(ChatHistory.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller)
            let page = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.chat.page(of: id, before: request.before, limit: request.limit)
            }
            return DurableOutcome(ChatPage(page))
        },
    ]

    private func text(_ typed: String) throws(WireError) -> ChatStore.Text {
        do throws(RoomStorageError) { return try ChatStore.Text(typed) } catch { throw WireError(error) }
    }

    /// - Throws: Why somebody may not write, or not yet.
    private func admitMessage(from account: Accounts.Account, in id: RoomID) async throws(WireError) {
        let user = User(account)
        try await on(id) { home in
            .of { () throws(WireError) in
                try home.room.mayChat(user, wall: MonotonicClock.wallMilliseconds())
                try home.admitMessage(from: user, now: MonotonicClock.nowMicroseconds())
            }
        }
    }

    private func send(
        _ request: ChatSend, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(request.room, account, caller)
        let text = try text(request.text)
        let user = User(account)
        try await admitMessage(from: account, in: id)
        let stored = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.chat.send(text, to: id, by: user, replyTo: request.replyTo)
        }
        let message = ChatMessage(stored)
        try await on(id) { home in
            home.posted(message)
            return .success(())
        }
        return DurableOutcome(ChatResult(message: message))
    }

    private func changed(
        _ message: ChatMessage, _ changeNumber: Int64, in id: RoomID
    ) async throws(WireError) -> ChatMessage {
        try await on(id) { home in
            home.changed(message, changeNumber: changeNumber)
            return .success(message)
        }
    }
}

extension ChatPage {
    /// As many as fit into one message, the newest of them.
    init(_ page: ChatStore.Page) {
        var bytes = 0
        var messages: [ChatMessage] = []
        for stored in page.messages.reversed() {
            let message = ChatMessage(stored)
            bytes += message.encoded().count + 1
            if bytes > Limits.chatBytesMax, !messages.isEmpty { break }
            messages.append(message)
        }
        let isCut = messages.count < page.messages.count
        self.init(messages: messages.reversed(), nextBefore: isCut ? messages.last?.id : page.nextBefore)
    }
}
