import SonaWire
import Testing

@Suite struct ChatMessageTests {
    @Test func `every message about chat encodes and decodes to itself`() throws {
        let room = RoomReference.id(try Samples.roomID)
        let message = try Samples.message
        let gone = ChatMessage(id: 1, user: message.user, text: "", atMilliseconds: 0, isDeleted: true)
        try roundTrip(ChatSend(text: "Hello,\nall."))
        try roundTrip(ChatSend(text: "a", replyTo: Limits.integerMax, room: room))
        try roundTrip(ChatEdit(id: 1, text: "b"))
        try roundTrip(ChatEdit(id: 1, text: "b", room: room))
        try roundTrip(ChatDelete(id: 1))
        try roundTrip(ChatDelete(id: 1, room: room))
        try roundTrip(ChatHistory())
        try roundTrip(ChatHistory(before: 5, limit: 100, room: room))
        try roundTrip(ReactionSend(emoji: "🎉"))
        try roundTrip(ReactionSend(emoji: "👍🏽", atMicroseconds: -1))
        try roundTrip(ChatResult(message: message))
        try roundTrip(ChatPage(messages: [gone, message], nextBefore: 1))
        try roundTrip(ChatPage(messages: [], nextBefore: nil))
        try roundTrip(ChatPosted(message: message))
        try roundTrip(ChatChanged(message: gone))
        try roundTrip(
            Reactions(
                atMicroseconds: -5, counts: [ReactionCount(emoji: "🎉", count: 2), ReactionCount(emoji: "a", count: 1)]))
    }

    @Test func `a text is measured in grapheme clusters, in bytes and in lines`() {
        let family = "👨‍👩‍👧‍👦"
        #expect(ChatText.isAcceptable("a"))
        #expect(ChatText.isAcceptable(String(repeating: "👍🏽", count: 500)))
        #expect(!ChatText.isAcceptable(String(repeating: "a", count: 501)))
        #expect(ChatText.isAcceptable(String(repeating: family, count: 160)))
        #expect(!ChatText.isAcceptable(String(repeating: family, count: 161)))
        #expect(ChatText.isAcceptable("a" + String(repeating: "\n", count: 10)))
        #expect(!ChatText.isAcceptable("a" + String(repeating: "\n", count: 11)))
    }

    @Test func `a text has something to see and no control character but the line feed`() {
        for text in ["", " ", "\n", "\u{3000}", "\u{A0}\u{2003}"] { #expect(!ChatText.isAcceptable(text)) }
        for value: UInt32 in Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029] where value != 0x0A {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(!ChatText.isAcceptable("a\(Character(scalar))b"), "U+\(String(value, radix: 16))")
        }
        #expect(!ChatText.isAcceptable("a\r\nb"))
        #expect(ChatText.isAcceptable("a\u{200D}b\u{2067}c"))
    }

    @Test func `a reaction is one grapheme cluster that can be seen`() {
        for sign in ["🎉", "❤️", "👨‍👩‍👧‍👦", "🇩🇪", "a", "é"] { #expect(ChatText.isReaction(sign), "\(sign)") }
        for sign in ["", " ", "\n", "\u{0}", "🎉🎉", "ok", "a" + String(repeating: "\u{301}", count: 16)] {
            #expect(!ChatText.isReaction(sign), "\(sign)")
        }
    }

    @Test func `an invalid text gets its own code, a missing text request.invalid`() throws {
        #expect(
            throws: WireError(
                .chatTextInvalid, "data.text must be plain text of 1 to 500 characters.", field: "data.text")
        ) {
            try ChatSend(try JSON.parse(Array(#"{"text":"a\tb"}"#.utf8)))
        }
        #expect(throws: WireError(.requestInvalid, "data.text is missing.", field: "data.text")) {
            try ChatSend(.emptyObject)
        }
    }

    private func roundTrip<Message: WireObject & Equatable>(_ message: Message) throws {
        #expect(try Message(try JSON.parse(message.encoded())) == message)
    }
}

extension Samples {
    static var message: ChatMessage {
        get throws {
            let user = try user
            return ChatMessage(
                id: 17, user: user, text: "Which one, @ada?\n🎹", atMilliseconds: 1, editedMilliseconds: 2,
                mentions: [user.uid], replyTo: 3)
        }
    }
}
