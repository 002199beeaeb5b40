package import SonaWire

/// Something to be written to the owner of an address. What carries it is the server's business.
package struct AccountMail: Sendable {
    package enum Subject: Sendable, Equatable {
        case recovery(code: String)
        case confirmation(code: String)
        /// To the address the account had.
        case emailChanged
        case passwordChanged
        /// Somebody gave the address for a new account.
        case addressTaken
    }

    package let to: String
    package let subject: Subject
    package let username: Username?
    package let locale: LocaleCode
}
