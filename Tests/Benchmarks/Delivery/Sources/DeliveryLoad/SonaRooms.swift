import Glibc

/// Accounts and rooms of a throw-away Sona, made over HTTP.
package struct SonaRooms {
    /// A user may own so many, by default.
    private static let roomsPerOwner = 8

    private let http: HTTP
    /// So that a second set on the same server has names of its own.
    private let prefix: String

    package init(_ http: HTTP, prefix: String) {
        self.http = http
        self.prefix = prefix
    }

    package struct Made {
        package var id: String
        package var token: String
    }

    package func make(_ count: Int, delivery: String) throws -> [Made] {
        var made: [Made] = []
        for owner in 0..<(count + Self.roomsPerOwner - 1) / Self.roomsPerOwner {
            let name = "\(prefix)\(owner)"
            let account = try http.post(
                "/v1/rpc/auth.sign_up",
                #"{"email":"\#(name)@example.org","password":"correct horse \#(name)","username":"\#(name)"}"#)
            let token = try Self.field("access_token", in: account)
            for number in 0..<min(Self.roomsPerOwner, count - made.count) {
                let room = try http.post(
                    "/v1/rpc/room.create", token: token,
                    #"{"title":"\#(name) \#(number)","visibility":"public","delivery":"\#(delivery)"}"#)
                made.append(Made(id: try Self.field("id", in: room), token: token))
            }
        }
        return made
    }

    /// The first string of this name; of a room that is its own.
    private static func field(_ name: String, in json: String) throws -> String {
        guard let place = json.firstRange(of: "\"\(name)\":\"") else { throw Failure("no \(name) in \(json)") }
        return String(json[place.upperBound...].prefix { $0 != "\"" })
    }
}
