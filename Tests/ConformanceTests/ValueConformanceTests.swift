import SonaWire
import Testing

/// Runs the vectors that are neither text message nor frame: identifiers, positions, close codes.
@Suite struct ValueConformanceTests {
    @Test func `every file of vectors is run by some test`() throws {
        let run: Set = [
            "json", "envelope", "errors", "identifiers", "positions", "close_codes", "clock", "playback_views",
            "timeline", "join_planning", "playlist_shuffle",
        ]
        for family in try VectorFile.families() where !run.contains(family) {
            for vector in try VectorFile.vectors(family) {
                let isRun = ["requests/", "replies/", "events/", "client_frame", "server_frame"]
                    .contains { vector.message.hasPrefix($0) }
                #expect(isRun, "\(vector)")
            }
        }
    }

    @Test func `identifiers are accepted and refused as their vectors say`() throws {
        for vector in try VectorFile.vectors("identifiers") {
            let text: String?
            switch vector.message {
            case "user_id": text = UserID(vector.text)?.rawValue
            case "room_id": text = RoomID(vector.text)?.rawValue
            case "session_id": text = SessionID(vector.text)?.rawValue
            case "username":
                let username = Username(vector.text)
                text = username?.rawValue
                #expect(username?.key == vector.value["key"]?.string, "\(vector)")
            case "room_reference":
                let reference = RoomReference(vector.text)
                text = reference?.text
                switch reference {
                case .id(let id): #expect(id.rawValue == vector.value["room_id"]?.string, "\(vector)")
                case .username(let name): #expect(name.rawValue == vector.value["username"]?.string, "\(vector)")
                case nil: break
                }
            case "user_reference":
                let reference = UserReference(vector.text)
                text = reference?.text
                switch reference {
                case .id(let id): #expect(id.rawValue == vector.value["user_id"]?.string, "\(vector)")
                case .username(let name): #expect(name.rawValue == vector.value["username"]?.string, "\(vector)")
                case nil: break
                }
            case "photo_id": text = PhotoID(vector.text)?.rawValue
            case "invite_id": text = InviteID(vector.text)?.rawValue
            case "color": text = HexColor(vector.text)?.rawValue
            default:
                Issue.record("\(vector): nothing is called \(vector.message)")
                continue
            }
            let expected = vector.result == .valid ? vector.text : nil
            #expect(text?.utf8.elementsEqual(vector.input) ?? false == (expected != nil), "\(vector)")
        }
    }

    @Test func `positions are computed to the microsecond`() throws {
        for vector in try VectorFile.vectors("positions") {
            let playback = try Playback(try JSON.parse(vector.input))
            for sample in try #require(vector.value["positions"]?.array, "\(vector)") {
                let time = try #require(sample["at_us"]?.integer)
                #expect(playback.position(at: time) == sample["position_us"]?.integer, "\(vector) at \(time)")
            }
        }
    }

    @Test func `a playlist is shuffled as the vectors say`() throws {
        for vector in try VectorFile.vectors("playlist_shuffle") {
            let list = try JSON.parse(vector.input)
            let seed = try #require(list["seed"]?.integer)
            let entries = try #require(list["entries"]?.array).map { try #require($0.string.flatMap(MusicID.init)) }
            let numbers = entries.map { JSON.string("\(PlaylistShuffle.number(of: $0, seed: seed))") }
            #expect(vector.value["numbers"]?.array == numbers, "\(vector)")
            let order = PlaylistShuffle.order(entries, seed: seed).map { JSON.string($0.rawValue) }
            #expect(vector.value["order"]?.array == order, "\(vector)")
        }
    }

    @Test func `close codes say whether to come back`() throws {
        var seen: Set<CloseCode> = []
        for vector in try VectorFile.vectors("close_codes") {
            let code = vector.input.reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            let close = CloseCode(rawValue: code)
            guard vector.result == .valid else {
                #expect(close == nil, "\(vector)")
                continue
            }
            let words: [CloseCode.Return: String] = [
                .never: "never", .withBackoff: "with_backoff", .afterSignIn: "after_sign_in",
            ]
            #expect(close.flatMap { words[$0.comeBack] } == vector.value["come_back"]?.string, "\(vector)")
            if let close { seen.insert(close) }
        }
        #expect(seen == Set(CloseCode.allCases))
    }
}
