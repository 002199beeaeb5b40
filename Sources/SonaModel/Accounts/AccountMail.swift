package import SonaWire

/// A message for the owner of an e-mail address. The server chooses how it is delivered.
package struct AccountMail: Sendable {
    package enum Subject: Sendable, Equatable {
        case recovery(code: String)
        case confirmation(code: String)
        /// Sent to the former address of the account.
        case emailChanged
        case passwordChanged
        /// Somebody tried to sign up with an address that an account has already.
        case addressTaken
        /// An administrator has approved the account, or rejected it.
        case approved
        case rejected(reason: String?)
        /// The account has a notification of a kind that it wants by mail.
        case notification(About)
    }

    /// What a notification says.
    package struct About: Sendable, Equatable {
        package let kind: NotificationKind
        package let from: Username?
        package let title: String?
        package let result: String?
        package let text: String?
    }

    package let to: String
    package let subject: Subject
    package let username: Username?
    package let locale: LocaleCode
}
