internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `chat.*`.
struct ChatMethods: MethodArea {
    let access: RoomAccess

    private var chat: ChatStore { access.model.roomStorage.chat }

    static func area(of methods: Methods) -> ChatMethods { methods.chat }

    static var methods: [Method] {
        [
            signedIn(send),
            signedIn(edit),
            signedIn(delete),
            signedIn(history),
        ]
    }

    func send(_ request: ChatSend, _ asker: Asker) async throws -> ChatResult {
        let room = try await access.reach(request.room, asker)
        let user = asker.user
        let (text, flagged) = try filtered(request.text)
        let result = try await room.change { home in
            try home.admitChat(from: user)
        } write: {
            try await chat.send(text, to: room.id, by: user, replyTo: request.replyTo)
        } apply: { home, message in
            home.posted(message)
            return ChatResult(message: message)
        }
        await flag(flagged, result.message, in: room.id)
        return result
    }

    /// A text that may be sent, and the words in it that the administrators are to be told of.
    private func filtered(_ typed: String) throws -> (text: ChatStore.Text, flagged: [String]) {
        let text = try ChatStore.Text(typed)
        let checked = try access.model.words.check(text.text, "data.text")
        return (checked.text == text.text ? text : try ChatStore.Text(checked.text), checked.flagged)
    }

    private func flag(_ words: [String], _ message: ChatMessage, in room: RoomID) async {
        await access.model.reports.flag(
            words, message.text, about: .message(room, id: message.id), by: message.user.uid)
    }

    func edit(_ request: ChatEdit, _ asker: Asker) async throws -> ChatResult {
        let room = try await access.reach(request.room, asker)
        let user = asker.user
        let (text, flagged) = try filtered(request.text)
        _ = try await chat.author(of: request.id, in: room.id)
        let result = try await room.change { home in
            try home.admitChat(from: user)
        } write: {
            try await chat.edit(request.id, in: room.id, to: text, by: user.uid)
        } apply: { home, edited in
            let (message, changeNumber) = edited
            home.changed(message, changeNumber: changeNumber)
            return ChatResult(message: message)
        }
        await flag(flagged, result.message, in: room.id)
        return result
    }

    func delete(_ request: ChatDelete, _ asker: Asker) async throws -> Empty {
        let room = try await access.reach(request.room, asker)
        let user = asker.user
        let author = try await chat.author(of: request.id, in: room.id)
        try await room.change { home in
            if author != user.uid { try home.room.requireAbove(author, user, .moderate) }
        } write: {
            try await chat.delete(request.id, in: room.id, by: user.uid, mayModerate: true)
        } apply: { home, deleted in
            let (message, changeNumber) = deleted
            home.changed(message, changeNumber: changeNumber)
            if message.user.uid != user.uid { home.moderated(.delete, message.user, by: user) }
        }
        return Empty()
    }

    func history(_ request: ChatHistory, _ asker: Asker) async throws -> ChatPage {
        let room = try await access.reach(request.room, asker)
        let page = try await chat.page(of: room.id, before: request.before, limit: request.limit)
        let newest = page.messages.reversed().fitting(Limits.chatBytesMax)
        return ChatPage(
            messages: newest.reversed(),
            nextBefore: newest.count < page.messages.count ? newest.last?.id : page.nextBefore)
    }
}

extension RoomHome {
    /// Takes a message from the budget of a user.
    ///
    /// - Throws: The reason why the user may not write, or not yet.
    fileprivate func admitChat(from user: User) throws {
        try room.mayChat(user, wall: MonotonicClock.wallMilliseconds())
        try admitMessage(from: user, now: MonotonicClock.nowMicroseconds())
    }
}
