import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

struct RoomChatTests {
    private func user(_ uid: UserID, _ name: String?) -> User {
        User(uid: uid, username: name.flatMap { Username($0) }, isGuest: name == nil)
    }

    // MARK: Texts

    @Test func `what may be said ends where the protocol says`() throws {
        func problem(_ typed: String) -> DisplayTextError? {
            do throws(Refusal) {
                _ = try ChatStore.Text(typed)
                return nil
            } catch {
                if let problem = error.textProblem, error == .textInvalid(problem) { return problem }
                Issue.record("\(error)")
                return nil
            }
        }
        let family = "👨‍👩‍👧‍👦"
        #expect(problem("x") == nil)
        #expect(problem(String(repeating: "ż", count: 500)) == nil)
        #expect(problem(String(repeating: "ż", count: 501)) == .tooLong(maximum: 500))
        // 25 bytes, one to a reader: 160 of them are 4 000.
        #expect(problem(String(repeating: family, count: 160)) == nil)
        #expect(problem(String(repeating: family, count: 161)) == .tooManyBytes(maximum: 4_000))
        #expect(problem(Array(repeating: "a", count: 11).joined(separator: "\n")) == nil)
        #expect(problem(Array(repeating: "a", count: 12).joined(separator: "\r\n")) == .tooManyLines(maximum: 11))
        for empty in ["", " ", "\n\n", "\u{200B}", "\u{2800}", "\u{FE0F}\u{200D}"] { #expect(problem(empty) == .empty) }
        for control in ["a\u{0}b", "a\u{7}b", "a\tb", "a\u{1B}[31mb", "a\u{85}b\u{9B}"] {
            #expect(problem(control) != nil, "\(control.debugDescription)")
        }
        #expect(problem("a\u{202E}b") == .bidirectionalControl(at: 1))
        #expect(try ChatStore.Text("  hi\r\nthere \n").text == "hi\nthere")
        // Any letters stand side by side, and markup is text.
        #expect(problem("<b>привет</b> hi שלום") == nil)
        #expect(Refusal.textInvalid(.empty).code == .chatTextInvalid)
    }

    @Test func `a name after an @ at the start of a word may be a mention`() throws {
        func keys(_ text: String) throws -> [[String]] { try ChatStore.Text(text).mentionCandidates }
        #expect(try keys("@Ada hi") == [["ada"]])
        #expect(try keys("hi (@ada),@bob") == [["ada"], ["bob"]])
        #expect(try keys("hi @ada...") == [["ada...", "ada..", "ada.", "ada"]])
        #expect(try keys("@a.b-c") == [["a.b-c"]])
        #expect(try keys("mail ada@example.org") == [])
        #expect(try keys("@@ada") == [])
        #expect(try keys("“@ada” 你好@bob🎵@cyd你") == [["ada"], ["bob"], ["cyd"]])
        #expect(try keys("@ab @_ada @ @") == [])
        #expect(try keys("@" + String(repeating: "a", count: 24)).count == 1)
        #expect(try keys("@" + String(repeating: "a", count: 25)) == [])
        #expect(try keys("@ada" + String(repeating: ".", count: 60)).first?.last == "ada")
        #expect(try keys("@ada" + String(repeating: ".", count: 60)).first?.count == 22)
        let many = (0..<60).map { "@user\($0)" }.joined(separator: " ")
        #expect(try keys(many).count == ChatStore.Text.namesMax)
    }

    @Test func `a mention is somebody who exists, once, at most twenty, and not who has blocked the author`()
        async throws
    {
        let at = try await RoomFixture()
        let (bob, dot, foe) = (try await at.account("bob"), try await at.account("dot."), try await at.account("foe"))
        _ = try await at.model.people.block(.id(at.ada), foe)
        func mentions(_ text: String) async throws -> [UserID] {
            try await at.chat.send(try ChatStore.Text(text), to: at.room, by: user(at.ada, "ada")).mentions
        }
        #expect(try await mentions("@nobody @BOB. and @bob! @dot. @foe") == [bob, dot])
        #expect(try await mentions("hi @ada") == [at.ada])
        #expect(try await mentions("nothing") == [])
        var uids: [UserID] = []
        for number in 0..<21 { uids.append(try await at.account("person\(number)")) }
        #expect(try await mentions((0..<21).map { "@person\($0)" }.joined(separator: " ")) == Array(uids.prefix(20)))
        let edited = try await at.chat.edit(1, in: at.room, to: try ChatStore.Text("@person3"), by: at.ada).message
        #expect(edited.mentions == [uids[3]])
        #expect(try await at.chat.delete(1, in: at.room, by: at.ada, mayModerate: false).message.mentions == [])
        await at.model.close()
    }

    // MARK: Messages

    @Test func `what is said comes back in order, in each room by itself, also after a restart`() async throws {
        let at = try await RoomFixture()
        let other = try await at.another()
        let guest = RoomFixture.guest()
        let first = try await at.chat.send(try ChatStore.Text("Nächte 🎵"), to: at.room, by: user(at.ada, "ada"))
        at.calendar.advance(seconds: 1)
        let second = try await at.chat.send(try ChatStore.Text("hi"), to: at.room, by: user(guest, nil), replyTo: 1)
        let elsewhere = try await at.chat.send(try ChatStore.Text("there"), to: other, by: user(at.ada, "ada"))
        #expect(first.id == 1 && second.id == 2 && elsewhere.id == 1)
        #expect(first.text == "Nächte 🎵" && first.user == user(at.ada, "ada") && first.replyTo == nil)
        #expect(second.replyTo == 1 && second.user.isGuest && second.atMilliseconds == first.atMilliseconds + 1_000)
        #expect(first.editedMilliseconds == nil && !first.isDeleted)
        await at.model.close()

        let again = try await Model.opened(at.folder, at.calendar)
        #expect(
            try await again.roomStorage.chat.page(of: at.room)
                == ChatPage(messages: [first, second], nextBefore: nil))
        #expect(try await again.roomStorage.chat.page(of: other).messages == [elsewhere])
        #expect(
            try await again.roomStorage.chat.send(try ChatStore.Text("x"), to: at.room, by: user(guest, nil)).id == 3)
        await again.close()
    }

    @Test func `pages go back without a gap, and say when there is no more`() async throws {
        let at = try await RoomFixture()
        for number in 1...12 {
            _ = try await at.chat.send(try ChatStore.Text("\(number)"), to: at.room, by: user(at.ada, "ada"))
        }
        for limit in [1, 5, 6, 12, 13, 100] {
            var found: [ChatMessage] = []
            var before: Int64?
            repeat {
                let page = try await at.chat.page(of: at.room, before: before, limit: limit)
                #expect(page.messages.count <= limit)
                found = page.messages + found
                before = page.nextBefore
                #expect((before == nil) == (found.count == 12))
            } while before != nil && found.count < 12
            #expect(found.map(\.text) == (1...12).map(String.init))
        }
        #expect(try await at.chat.page(of: at.room, before: 1).messages == [])
        #expect(try await at.chat.page(of: at.room, before: .min, limit: .min).messages == [])
        #expect(try await at.chat.page(of: at.room, limit: .max).messages.count == 12)
        await at.model.close()
    }

    @Test func `an author changes what they said for a quarter of an hour`() async throws {
        let at = try await RoomFixture()
        let guest = RoomFixture.guest()
        _ = try await at.chat.send(try ChatStore.Text("one"), to: at.room, by: user(guest, nil))
        func edit(_ id: Int64 = 1, by uid: UserID, _ text: String = "two") async -> Refusal? {
            await refusal {
                try await at.chat.edit(id, in: at.room, to: try ChatStore.Text(text), by: uid)
            }
        }
        #expect(await edit(by: at.ada) == .notAuthor)
        #expect(await edit(2, by: guest) == .messageUnknown)
        #expect(await edit(by: guest, " ") == .textInvalid(.empty))
        at.calendar.advance(milliseconds: ChatStore.editMilliseconds)
        #expect(await edit(by: guest) == nil)
        let message = try #require(try await at.chat.page(of: at.room).messages.first)
        #expect(
            message.text == "two" && message.editedMilliseconds == message.atMilliseconds + ChatStore.editMilliseconds)
        at.calendar.advance(milliseconds: 1)
        #expect(await edit(by: guest, "three") == .messageTooOld)
        #expect(try await at.chat.page(of: at.room).messages == [message])
        await at.model.close()
    }

    @Test func `a deleted message keeps its place and loses its text, in the file too`() async throws {
        let at = try await RoomFixture()
        let guest = RoomFixture.guest()
        let secret = "the-door-code-is-81723"
        for _ in 0..<2 { _ = try await at.chat.send(try ChatStore.Text(secret), to: at.room, by: user(guest, nil)) }
        _ = try await at.chat.send(try ChatStore.Text("what?"), to: at.room, by: user(at.ada, "ada"), replyTo: 1)
        func delete(_ id: Int64, by uid: UserID, mayModerate: Bool) async -> Refusal? {
            await refusal {
                try await at.chat.delete(id, in: at.room, by: uid, mayModerate: mayModerate)
            }
        }
        #expect(await delete(1, by: at.ada, mayModerate: false) == .notAuthor)
        #expect(await delete(9, by: at.ada, mayModerate: true) == .messageUnknown)
        #expect(await delete(1, by: guest, mayModerate: false) == nil)
        #expect(try await at.lines(guest) == [])
        #expect(await delete(2, by: at.ada, mayModerate: true) == nil)
        let line = #"room_message_deleted \#(at.ada) {"message":2,"room":"\#(at.room)"}"#
        #expect(try await at.lines(guest) == [line])
        let messages = try await at.chat.page(of: at.room).messages
        #expect(messages.map(\.text) == ["", "", "what?"] && messages.map(\.isDeleted) == [true, true, false])
        #expect(messages[2].replyTo == 1)
        // Again: nothing changes, and there is no second line.
        #expect(await delete(2, by: at.ada, mayModerate: true) == nil)
        #expect(try await at.lines(guest) == [line])
        #expect(
            await refusal {
                try await at.chat.edit(1, in: at.room, to: try ChatStore.Text("x"), by: guest)
            } == .messageUnknown)
        #expect(
            await refusal {
                try await at.chat.send(try ChatStore.Text("x"), to: at.room, by: user(guest, nil), replyTo: 1)
            } == .messageUnknown)
        #expect(
            await refusal {
                try await at.chat.send(try ChatStore.Text("x"), to: RoomFixture.noRoom(), by: user(guest, nil))
            } == .roomUnknown)
        await at.model.close()
        let file = try #require(TemporaryFolder.bytes(ofFile: at.folder.file("data/sona.sqlite")))
        #expect(!String(decoding: file, as: UTF8.self).contains(secret))
    }

    /// Goal: the bound is exact, and the numbers go on. Way: a room just short of it, and one that is far past it.
    @Test func `ten thousand messages of a room are kept`() async throws {
        let at = try await RoomFixture()
        let other = try await at.another()
        func fill(_ room: RoomID, _ count: Int) async throws {
            try await at.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO room_chat (room_id, id, uid, is_guest, text, at_ms, mentions)
                SELECT \(room), i, 'someone', 1, 'x', i, '[]' FROM n
                """)
        }
        try await fill(at.room, 9_999)
        try await fill(other, 10_030)
        func send(_ room: RoomID) async throws -> Int64 {
            try await at.chat.send(try ChatStore.Text("new"), to: room, by: user(at.ada, "ada")).id
        }
        func kept(_ room: RoomID) async throws -> Int { try await at.count("room_chat", where: "room_id = \(room)") }
        #expect(try await send(at.room) == 10_000)
        #expect(try await kept(at.room) == 10_000)
        #expect(try await send(at.room) == 10_001)
        #expect(try await kept(at.room) == 10_000)
        #expect(try await at.chat.page(of: at.room, before: 3).messages.map(\.id) == [2])
        // In small steps: nobody waits for thousands of rows.
        #expect(try await send(other) == 10_031)
        #expect(try await kept(other) == 10_031 - 16)
        #expect(try await send(other) == 10_032)
        #expect(try await kept(other) == 10_000)
        await at.model.close()
    }

    @Test func `many who talk at once get numbers without a gap`() async throws {
        let at = try await RoomFixture()
        let ids = await withTaskGroup(of: Int64?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let guest = User(uid: RoomFixture.guest(), username: nil, isGuest: true)
                    return try? await at.chat.send(ChatStore.Text("\(number)"), to: at.room, by: guest).id
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ids.compactMap { $0 }.sorted() == Array(1...100))
        await at.model.close()
    }
}
