/// A request as it came over HTTP.
package struct SubsonicRequest: Sendable {
    /// The name of the endpoint, without `.view`.
    package let name: String
    package let parameters: Parameters
    /// The address that limits go by; `nil` for exempt ones.
    package let address: String?
    /// The address of the client.
    package let from: String
    /// The beginning of addresses of this server as its people have them, without a slash at the end.
    package let origin: String

    package init(name: String, parameters: Parameters, address: String?, from: String, origin: String) {
        self.name = name.hasSuffix(".view") ? String(name.dropLast(".view".count)) : name
        self.parameters = parameters
        self.address = address
        self.from = from
        self.origin = origin
    }

    package var format: SubsonicFormat { SubsonicFormat(parameters) }
}
