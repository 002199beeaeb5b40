import SonaBase
import SonaTestSupport
import SonaWire
import Testing

@Suite struct JSONTests {
    @Test func `a hundred thousand brackets are refused at the seventeenth`() {
        for bracket in ["[", "{\"a\":"] {
            let error = refusal(Array(String(repeating: bracket, count: 100_000).utf8))
            #expect(error?.kind == .tooDeep)
            #expect(error?.offset == 16 * bracket.utf8.count)
        }
    }

    @Test func `depth is counted from the outermost array and can be chosen`() throws {
        #expect(try JSON.parse(Array("7".utf8), depthMax: 0) == .integer(7))
        #expect(refusal(Array("[]".utf8), depthMax: 0)?.kind == .tooDeep)
        #expect(try JSON.parse(Array("[[]]".utf8), depthMax: 2) == .array([.array([])]))
        #expect(refusal(Array("[[]]".utf8), depthMax: 1)?.offset == 1)
    }

    @Test func `errors point at the byte`() {
        #expect(refusal("{\"a\":1,\"b\":tru}")?.offset == 11)
        #expect(refusal("[1,2")?.offset == 4)
        #expect(refusal("{\"a\":1,\"a\":2}")?.offset == 7)
        #expect(refusal("  \u{1}")?.offset == 2)
        #expect(refusal("[9007199254740992]")?.offset == 1)
        #expect(refusal("")?.offset == 0)
    }

    @Test func `members are found by key, in objects only`() throws {
        let json = try JSON.parse(Array(#"{"a":{"b":[true,"x",null,1,0.5]}}"#.utf8))
        let values = try #require(json["a"]?["b"]?.array)
        #expect(values[0].bool == true && values[0].string == nil)
        #expect(values[1].string == "x" && values[1].integer == nil)
        #expect(values[2].isNull && values[2].object == nil)
        #expect(values[3].integer == 1 && values[3].bool == nil)
        #expect(values[4] == .number(0.5) && values[4].integer == nil && values[4].array == nil)
        #expect(json["b"] == nil && values[0]["a"] == nil)
    }

    /// FNV-1a collides for these two; only a comparison of the keys themselves tells them apart.
    @Test func `different keys with colliding hashes are not duplicates`() throws {
        let json = try JSON.parse(Array(#"{"8yn0iYCKYHlIj4-BwPqk":1,"GReLUrM4wMqfg9yzV3KQ":2}"#.utf8))
        #expect(json["8yn0iYCKYHlIj4-BwPqk"] == .integer(1))
        #expect(json["GReLUrM4wMqfg9yzV3KQ"] == .integer(2))
    }

    @Test func `a large message of large objects is read in linear time`() throws {
        let object = "{" + (0..<256).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
        let text = "[" + Array(repeating: object, count: 100).joined(separator: ",") + "]"
        let clock = ContinuousClock()
        var count = 0
        let time = try clock.measure { count = try JSON.parse(Array(text.utf8)).array?.count ?? 0 }
        #expect(count == 100)
        // A generous bound for a debug build; a quadratic search through the whole text would take minutes.
        #expect(time < .seconds(10))
    }

    /// Turns valid messages into 60 000 damaged ones. Each must be accepted or refused, never crash; what is accepted
    /// must survive being written and read again.
    @Test func `mutated messages are accepted or refused but never crash`() throws {
        let seed: UInt64 = 0x50_4E_41
        var dice = SeededGenerator(seed: seed)
        let seeds = [
            #"{"type":"room.join","id":7,"data":{"room":"k2Vb7nQx0ZrT5mLp9sWd","audio":true}}"#,
            #"{"type":"host.start","id":9007199254740991,"data":{"stream":{"codec":"opus","channels":2,"pre_skip":312},"#
                + #""pacing":"server","track":{"title":"\u00e9\ud83c\udfb5\n","duration_us":214000000}}}"#,
            #"[1,-0,1.5e-7,true,false,null,"",{"a":{"a":[[[]]]}}]"#,
            #"{"type":"hello","id":0,"data":{"client":{"name":"é🎵","version":"1"},"auth":{"guest":true}}}"#,
        ].map { Array($0.utf8) }
        let pieces = [
            "\"", "\\u", "\\ud800", "{", "}", "[", "]", ",", ":", "9999999999999999999", "1e999", "\u{0}", "-", ".0",
        ]
        .map { Array($0.utf8) }
        var accepted = 0
        for round in 0..<60_000 {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &dice)]
            for _ in 0..<Int.random(in: 1...4, using: &dice) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<6, using: &dice) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes.remove(at: index)
                case 2: bytes.removeSubrange(index...)
                case 3: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &dice)], at: index)
                case 4: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
                default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
                }
            }
            if let json = try? JSON.parse(bytes) {
                accepted += 1
                let again = try? JSON.parse(json.encoded())
                #expect(again == json, "seed \(seed), round \(round): \(bytes)")
            }
            switch Request.parse(bytes) {
            case .success(let request): for type in Catalogue.requests { _ = try? type.init(request.data) }
            case .failure(let fault): #expect(fault.error.code != .serverInternal)
            }
        }
        #expect(accepted > 1_000)
    }

    private func refusal(_ bytes: [UInt8], depthMax: Int = 16) -> JSONError? {
        do throws(JSONError) {
            _ = try JSON.parse(bytes, depthMax: depthMax)
            return nil
        } catch {
            return error
        }
    }

    private func refusal(_ text: String) -> JSONError? { refusal(Array(text.utf8)) }
}
