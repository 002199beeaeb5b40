import Testing

/// What goes through the module's own threads, one test after the other: two transfers run at once and few wait, so
/// tests side by side would be refused.
@Suite(.serialized, .timeLimit(.minutes(1))) enum TransferTests {}
