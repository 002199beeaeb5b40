import SonaModel
import SonaWire
import Testing

@testable import SonaSubsonic

/// What a query and a form say.
struct ParametersTests {
    private let id = "01JDQ6Z3M8R5V2K7X4N9T1B0CF"

    @Test func `names may come several times, in the query and in the form`() throws {
        let parameters = Parameters(query: "id=\(id)&x=1+2%2B%C5%82&e=&flag", form: Array("id=\(id)&x=9".utf8))
        #expect(try parameters.ids("id").map(\.rawValue) == [id, id])
        #expect(parameters.first("x") == "1 2+ł" && parameters.all("x") == ["1 2+ł", "9"])
        #expect(parameters.first("e") == nil && parameters.text("e") == "" && parameters.has("flag"))
        #expect(parameters.first("none") == nil && !parameters.has("none"))
    }

    @Test(arguments: ["x=%", "x=%4", "x=%zz", "x=%ff"])
    func `what is not encoded rightly is left out`(_ query: String) {
        #expect(!Parameters(query: query).has("x"))
    }

    @Test func `numbers, flags and identifiers are what they say or an error`() throws {
        let parameters = Parameters(query: "n=-3&f=TRUE&g=0&id=x&big=99999999999999999999")
        #expect(try parameters.number("n") == -3 && parameters.flag("f") == true && parameters.flag("g") == false)
        #expect(try parameters.number("none") == nil && parameters.flag("none") == nil)
        #expect(throws: SubsonicError.self) { try parameters.number("f") }
        #expect(throws: SubsonicError.self) { try parameters.number("big") }
        #expect(throws: SubsonicError.self) { try parameters.flag("n") }
        #expect(throws: SubsonicError.notFound) { try parameters.id() }
        #expect(throws: SubsonicError.missing("none")) { try parameters.id("none") }
    }

    /// The number of the error, or the words of the proof.
    private func proof(_ query: String) -> String {
        do {
            switch try Credentials.proof(Parameters(query: query)) {
            case .key(let key): return "key \(key)"
            case .password(let name, let password): return "password \(name) \(password)"
            case .token(let name, let token, let salt): return "token \(name) \(token) \(salt)"
            }
        } catch { return "\(error.code.rawValue)" }
    }

    @Test(arguments: [
        ("u=ada&p=secret", "password ada secret"), ("u=ada&p=enc:736563726574", "password ada secret"),
        ("u=ada&t=abc&s=def", "token ada abc def"), ("apiKey=secret", "key secret"),
        ("", "10"), ("u=ada", "10"), ("p=secret", "10"), ("u=ada&t=abc", "10"), ("u=ada&s=abc", "10"),
        ("u=ada&p=enc:7", "40"), ("u=ada&p=enc:zz", "40"), ("u=ada&p=enc:ff", "40"),
        ("apiKey=secret&u=ada", "43"), ("apiKey=secret&p=x", "43"), ("apiKey=secret&t=x&s=y", "43"),
        ("u=ada&p=x&t=abc&s=def", "43"),
    ])
    func `a request says whose it is in one of four ways`(_ query: String, _ wanted: String) {
        #expect(proof(query) == wanted)
    }

    @Test func `clients of another major version are told who is too old`() throws {
        for version in [nil, "1.16.1", "1.0", "x"] { try Credentials.check(version: version) }
        func code(_ version: String) -> SubsonicError.Code? {
            do { try Credentials.check(version: version) } catch { return error.code }
            return nil
        }
        #expect(code("0.9.9") == .clientTooOld && code("2.0.0") == .serverTooOld)
    }

    @Test func `names of endpoints may end in view`() {
        func name(_ text: String) -> String {
            SubsonicRequest(name: text, parameters: Parameters(query: ""), address: nil, from: "", origin: "").name
        }
        #expect(name("ping.view") == "ping" && name("ping") == "ping")
    }

    @Test(arguments: [
        (Refusal(.trackNotFound), SubsonicError.Code.notFound), (Refusal(.authBanned), .forbidden),
        (Refusal(.playlistForbidden), .forbidden), (.credentialsInvalid, .credentialsWrong),
        (.busy(retryAfterMilliseconds: 1), .generic), (.rateLimited(retryAfterMilliseconds: 1), .generic),
    ])
    func `errors of the domains have the numbers of the protocol`(_ refusal: Refusal, _ code: SubsonicError.Code) {
        #expect(SubsonicError(refusal).code == code)
    }
}
