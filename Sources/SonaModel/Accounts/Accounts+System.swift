internal import SonaWire

extension Accounts {
    /// The account under which the server itself owns something, such as the demo room. Made if it is not there.
    ///
    /// It has neither e-mail nor password: nobody can sign in to it.
    /// - Throws: `usernameTaken` if a person has the name, `usernameInvalid`, `busy`, `storage`.
    package func systemAccount(username: String) async throws(AccountError) -> Account {
        guard let username = Username(username) else { throw .usernameInvalid }
        let user = UserRecord(Self.newUserID(), username: username, createdMilliseconds: clock.nowMilliseconds())
        return Account(try await users.systemUser(orAdd: user))
    }
}
