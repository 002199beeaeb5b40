internal import SonaModel

extension MetricsPage {
    /// What accounts have sent to services of others.
    static func addScrobbling(_ figures: Scrobbler.Figures, to page: inout Page) {
        page.gauge(
            "sona_scrobble_connections", "Services that accounts have connected to send what they hear.",
            figures.connections)
        page.gauge("sona_scrobbles_waiting", "Listens that wait for a service.", figures.waiting)
        page.counter("sona_scrobbles_sent_total", "Listens that services have taken.", figures.sent)
        page.counter("sona_scrobbles_refused_total", "Listens that a service would not have.", figures.refused)
        page.counter(
            "sona_scrobble_failures_total", "Requests to services that failed and are made again.", figures.failures)
    }

    /// What webhooks were told.
    static func addWebhooks(_ figures: WebhookStore.Figures, to page: inout Page) {
        page.counter("sona_webhook_events_delivered_total", "Events that webhooks have taken.", figures.delivered)
        page.counter(
            "sona_webhook_failures_total", "Tries that failed, most of which are made again.", figures.failures)
        page.counter(
            "sona_webhook_events_dropped_total", "Events left out because too many waited.", figures.dropped)
    }
}
