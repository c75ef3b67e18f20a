#include "sender/run/sender_log.hpp"

#include <exception>
#include <utility>

#include "common/log/file_sink.hpp"
#include "common/log/tee_sink.hpp"
#include "common/shipping/shipper/log_route.hpp"

namespace groma {

SenderLog::SenderLog(const SenderOptions& options, Clock& clock) : options_(options), clock_(clock) {
    if (not options.log.empty()) {
        sink_ = open_file_sink(options.log, {.replaced = options.replace_log, .advice = "or --force to replace it"});
        sink_ = options.key_logs->within_limits(std::move(sink_), options.log, options.key_with_limits());
    }
}

void SenderLog::ship_to(const PlaceOnServer& place) {
    if (not options_.log_server and place.shipper == nullptr) {
        return;
    }
    LogShipper* shipper = place.shipper;
    if (options_.log_server) {
        const LogRoute route{.server = *options_.log_server,
                             .transport = options_.log_transport.value_or(LogTransport::tcp),
                             .bytes_per_second = options_.log_rate};
        shipper_ = std::make_unique<LogShipper>(shipping_settings(route, {.program = "groma-send " GROMA_VERSION,
                                                                          .spool = options_.spool_dir,
                                                                          .limits = options_.shipping,
                                                                          .budget = options_.spool_budget,
                                                                          .report = place.say,
                                                                          .resolve = place.resolve,
                                                                          .offer = options_.offers(),
                                                                          .of_stranger = options_.of_stranger}),
                                                clock_);
        shipper = shipper_.get();
    }
    auto log = shipper->open_log(place.folder, place.name, options_.key_with_limits());
    shipped_ = log.get();
    if (sink_ == nullptr) {
        sink_ = std::move(log);
        return;
    }
    std::vector<std::unique_ptr<LogSink>> both;
    both.push_back(std::move(sink_));
    both.push_back(std::move(log));
    sink_ = tee(std::move(both));
}

void SenderLog::begin(const RunMetadata& metadata) {
    if (sink_) {
        writer_ = std::make_unique<LogWriter>(*sink_, metadata, options_.block_records);
    }
}

std::optional<LogReport> SenderLog::close(const std::vector<LogEvent>& events, const std::vector<ClockProbe>& probes,
                                          const LogTotals& totals, const std::string& error) {
    if (not writer_) {
        return std::nullopt;
    }
    LogReport report{.name = sink_->describe(), .records = 0, .bytes = 0, .error = error, .shipment = {}};
    if (error.empty()) {
        try {
            for (const ClockProbe& probe : probes) {
                writer_->add(probe);
            }
            for (const LogEvent& event : events) {
                writer_->add(event);
            }
            writer_->close(totals);
        } catch (const std::exception& failure) {
            report.error = failure.what();
        }
    }
    report.records = writer_->records();
    report.bytes = writer_->bytes();
    if (shipped_ != nullptr) {
        report.shipment = shipment_of(*shipped_);
    }
    return report;
}

}  // namespace groma
