internal import SonaModel
internal import SonaWire

/// A failure as the protocol has it: a number and a sentence.
///
/// Source: OpenSubsonic, "error".
package struct SubsonicError: Error, Sendable, Equatable {
    package enum Code: Int, Sendable {
        case generic = 0
        case parameterMissing = 10
        case clientTooOld = 20
        case serverTooOld = 30
        case credentialsWrong = 40
        /// The way of signing in is not offered.
        case mechanismUnsupported = 42
        case mechanismsConflict = 43
        case keyInvalid = 44
        case forbidden = 50
        case notFound = 70
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func missing(_ parameter: String) -> SubsonicError {
        SubsonicError(.parameterMissing, "Required parameter is missing: \(parameter).")
    }

    static let notFound = SubsonicError(.notFound, "The requested data was not found.")

    /// What an error of the domains is in this protocol.
    package init(_ error: any Error) {
        switch error {
        case let error as SubsonicError: self = error
        case let error as WireError: self.init(error.code, error.message)
        case let error as Refusal: self.init(error.code, error.message ?? error.code.meaning)
        default: self.init(.generic, ErrorCode.serverInternal.meaning)
        }
    }

    private init(_ code: ErrorCode, _ message: String) {
        let kind: Code =
            switch code {
            case .authCredentialsInvalid, .authTokenInvalid, .authRequired: .credentialsWrong
            case _ where code.httpStatus == 404: .notFound
            case _ where code.httpStatus == 403: .forbidden
            default: .generic
            }
        self.init(kind, message)
    }
}
