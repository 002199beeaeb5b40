import Testing

/// Tests of the module's own threads, one after another: only two transfers run at once and few wait, so parallel tests
/// would be refused.
@Suite(.serialized, .timeLimit(.minutes(1))) enum TransferTests {}
