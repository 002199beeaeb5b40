extension AccountBudgets {
    private static let second: Int64 = 1_000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// The one table of what an account may ask to have written. Per account or guest; `deploy/limits.md` shows it.
    ///
    /// A request that only reads has no line. What a person does by hand never comes near these; what a program does in a
    /// loop ends at them.
    package static let table: [String: Budget] = [
        // Where somebody is signed in.
        "auth.refresh": Budget(6, thenPer: 10 * second),
    ]
}
