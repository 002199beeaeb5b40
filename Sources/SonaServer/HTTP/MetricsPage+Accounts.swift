internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// What accounts submit and are told.
extension MetricsPage {
    static func addSubmissions(_ figures: SubmissionFigures, _ counts: LibraryCounts, to page: inout Page) {
        page.gauge(
            "sona_submissions_pending", "Submitted tracks that wait for a decision.", counts.pendingSubmissions)
        let waited = counts.oldestPendingMilliseconds.map { max(0, WallClock.system.nowMilliseconds() - $0) } ?? 0
        page.gauge(
            "sona_submissions_oldest_pending_seconds", "How long the first of them has waited; 0 if none waits.",
            Double(waited) / 1_000)
        page.counter("sona_submissions_total", "Tracks that were submitted.", figures.submitted)
        page.counters(
            "sona_submissions_decided_total", "Decisions about submitted tracks, by what was decided.",
            [("approved", figures.approved), ("rejected", figures.rejected)], label: "result")
    }

    static func addNotifications(_ figures: NotificationFigures, _ counts: NotificationCounts, to page: inout Page) {
        page.gauges(
            "sona_notifications", "Notifications that are kept, by whether they were read.",
            [("unread", counts.unread), ("read", counts.read)], label: "state")
        page.counters(
            "sona_notifications_sent_total", "Notifications to accounts, by kind.",
            NotificationKind.allCases.map { ($0.rawValue, figures.sent[$0] ?? 0) }, label: "kind")
        page.counters(
            "sona_notification_mails_total",
            "Mails about notifications, by whether they went to the mailer or were held back, because the account had too many.",
            [("sent", figures.mails), ("held_back", figures.mailsHeldBack)], label: "result")
    }
}
