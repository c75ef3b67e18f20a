#include "logserver/log_server_metrics.hpp"

#include <array>

#include "common/metrics/exposition.hpp"

namespace groma {

namespace {

template <Counted kCounted>
void give_counted(const WatchedLogServer& server, MetricSamples& samples) {
    samples.add(server.counters.of(kCounted));
}

constexpr auto kLogServerRows = std::to_array<MetricRow<WatchedLogServer>>({
    {{"groma_log_server_connections", MetricType::counter, "", "Connections that have come, refused ones included."},
     give_counted<Counted::connections>},
    {{"groma_log_server_open_connections", MetricType::gauge, "", "Connections now."},
     [](const WatchedLogServer& server, MetricSamples& samples) { samples.add(std::uint64_t{server.conversations}); }},
    {{"groma_log_server_refused_connections",
      MetricType::counter,
      "",
      "Connections that were refused: because there were too many (`full`), of another `version` of the protocol, "
      "with frames that are none (`rubbish`) or out of place (`protocol`), `silent` for too long, not reading "
      "answers (`deaf`), without a `key` that is good for it.",
      {"cause"}},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         samples.add(server.counters.of(Counted::refused_full), {"full"});
         samples.add(server.counters.of(Counted::refused_version), {"version"});
         samples.add(server.counters.of(Counted::refused_rubbish), {"rubbish"});
         samples.add(server.counters.of(Counted::refused_protocol), {"protocol"});
         samples.add(server.counters.of(Counted::refused_silent), {"silent"});
         samples.add(server.counters.of(Counted::refused_deaf), {"deaf"});
         samples.add(server.counters.of(Counted::refused_key), {"key"});
     }},
    {{"groma_log_server_open_logs", MetricType::gauge, "", "Logs that are being written, or were just now."},
     [](const WatchedLogServer& server, MetricSamples& samples) { samples.add(std::uint64_t{server.open_logs}); }},
    {{"groma_log_server_opened_logs", MetricType::counter, "",
      "Logs that were opened, once more or for the first time."},
     give_counted<Counted::logs_opened>},
    {{"groma_log_server_completed_logs", MetricType::counter, "", "Logs that are whole, and durable."},
     give_counted<Counted::logs_completed>},
    {{"groma_log_server_given_up_logs", MetricType::counter, "",
      "Logs that their shippers gave up: they stay incomplete."},
     give_counted<Counted::logs_given_up>},
    {{"groma_log_server_refused_logs", MetricType::counter, "", "Logs that were not taken."},
     give_counted<Counted::logs_refused>},
    {{"groma_log_server_taken_over_logs", MetricType::counter, "",
      "Logs that their shippers went on with over another connection."},
     give_counted<Counted::logs_taken_over>},
    {{"groma_log_server_catalogue_logs",
      MetricType::gauge,
      "",
      "Logs of the catalogue that are being written (`writing`), `complete`, and `incomplete`.",
      {"state"}},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         if (server.catalogue) {
             samples.add(server.catalogue->writing, {"writing"});
             samples.add(server.catalogue->complete, {"complete"});
             samples.add(server.catalogue->incomplete, {"incomplete"});
         }
     }},
    {{"groma_log_server_pieces", MetricType::counter, "", "Pieces of logs that were stored."},
     give_counted<Counted::pieces>},
    {{"groma_log_server_received_bytes", MetricType::counter, "bytes", "Bytes of logs in these pieces."},
     give_counted<Counted::bytes>},
    {{"groma_log_server_dropped_pieces",
      MetricType::counter,
      "",
      "Pieces that were not stored: `repeated`, `held` for lack of room and sent again later, or of a log that had "
      "ended (`ended`).",
      {"cause"}},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         samples.add(server.counters.of(Counted::pieces_repeated), {"repeated"});
         samples.add(server.counters.of(Counted::pieces_held), {"held"});
         samples.add(server.counters.of(Counted::pieces_stray), {"ended"});
     }},
    {{"groma_log_server_kept_bytes", MetricType::gauge, "bytes", "Logs on this disk, at most a second ago."},
     [](const WatchedLogServer& server, MetricSamples& samples) { samples.add(server.kept_bytes); }},
    {{"groma_log_server_room_bytes", MetricType::gauge, "bytes",
      "Room for more logs, within --max-disk and --reserve."},
     [](const WatchedLogServer& server, MetricSamples& samples) { samples.add(server.room_bytes); }},
    {{"groma_log_server_not_durable_bytes", MetricType::gauge, "bytes",
      "Bytes that were received and are not acknowledged yet."},
     [](const WatchedLogServer& server, MetricSamples& samples) { samples.add(server.not_durable_bytes); }},
    {{"groma_log_server_holds", MetricType::counter, "", "Times that shippers were told to wait."},
     give_counted<Counted::holds>},
    {{"groma_log_server_current_holds",
      MetricType::gauge,
      "",
      "Why shippers are to wait now: 1 if there is no `room` for any log, 1 after a `failure` to make logs durable, "
      "and the number of keys that have reached their limits (`key`).",
      {"cause"}},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         samples.add(std::uint64_t{server.holds.room ? 1U : 0U}, {"room"});
         samples.add(std::uint64_t{server.holds.failure ? 1U : 0U}, {"failure"});
         samples.add(std::uint64_t{server.holds.keys}, {"key"});
     }},
    {{"groma_log_server_sync_failures", MetricType::counter, "", "Failures to make logs durable."},
     give_counted<Counted::sync_failures>},
    {{"groma_log_server_udp_openings", MetricType::counter, "", "Connections over UDP that were opened."},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         if (server.udp) {
             samples.add(server.udp->opening.accepted);
         }
     }},
    {{"groma_log_server_udp_refused_openings",
      MetricType::counter,
      "",
      "Openings over UDP that were refused: with a token that is old or another's (`token`), for their `key`, beyond "
      "the limits (`full`).",
      {"cause"}},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         if (server.udp) {
             samples.add(server.udp->opening.bad_tokens, {"token"});
             samples.add(server.udp->opening.refused + server.udp->opening.bad_points, {"key"});
             samples.add(server.udp->opening.too_many + server.udp->refused, {"full"});
         }
     }},
    {{"groma_log_server_udp_dropped_datagrams",
      MetricType::counter,
      "",
      "Datagrams that were dropped: of no connection (`stranger`), none of this protocol (`other`), with a wrong "
      "seal (`forged`), `malformed`, by this kernel because the server was too slow (`kernel`).",
      {"cause"}},
     [](const WatchedLogServer& server, MetricSamples& samples) {
         if (server.udp) {
             samples.add(server.udp->strangers, {"stranger"});
             samples.add(server.udp->not_ours, {"other"});
             samples.add(server.udp->forged, {"forged"});
             samples.add(server.udp->malformed, {"malformed"});
             samples.add(server.udp->kernel_drops, {"kernel"});
         }
     }},
});

}  // namespace

std::span<const MetricRow<WatchedLogServer>> log_server_metrics() {
    return kLogServerRows;
}

}  // namespace groma
