#include "sender/sender_log.hpp"

#include <exception>
#include <utility>

#include "common/log/file_sink.hpp"
#include "common/log/tee_sink.hpp"
#include "common/shipping/log_route.hpp"

namespace groma {

SenderLog::SenderLog(const SenderOptions& options, const PlaceOnServer& place) : block_records_(options.block_records) {
    std::vector<std::unique_ptr<LogSink>> sinks;
    if (not options.log.empty()) {
        sinks.push_back(open_file_sink(options.log));
    }
    if (options.log_server or place.shipper != nullptr) {
        sinks.push_back(ship(options, place));
    }
    if (sinks.size() == 1) {
        sink_ = std::move(sinks.front());
    } else if (not sinks.empty()) {
        sink_ = tee(std::move(sinks));
    }
}

std::unique_ptr<LogSink> SenderLog::ship(const SenderOptions& options, const PlaceOnServer& place) {
    LogShipper* shipper = place.shipper;
    if (options.log_server) {
        const LogRoute route{.server = *options.log_server,
                             .transport = options.log_transport.value_or(LogTransport::tcp),
                             .bytes_per_second = options.log_rate};
        shipper_ = std::make_unique<LogShipper>(shipping_settings(route, {.program = "groma-send " GROMA_VERSION,
                                                                          .spool = options.spool_dir,
                                                                          .limits = options.shipping,
                                                                          .report = place.remark}));
        shipper = shipper_.get();
    }
    auto log = shipper->open_log(place.folder, place.name);
    shipped_ = log.get();
    return log;
}

void SenderLog::begin(const RunMetadata& metadata) {
    if (sink_) {
        writer_ = std::make_unique<LogWriter>(*sink_, metadata, block_records_);
    }
}

std::optional<LogReport> SenderLog::close(const std::vector<LogEvent>& events, const std::vector<ClockProbe>& probes,
                                          const LogTotals& totals, const std::string& trouble) {
    if (not writer_) {
        return std::nullopt;
    }
    LogReport report{.name = sink_->describe(), .records = 0, .bytes = 0, .error = trouble, .shipment = {}};
    if (trouble.empty()) {
        try {
            for (const ClockProbe& probe : probes) {
                writer_->add(probe);
            }
            for (const LogEvent& event : events) {
                writer_->add(event);
            }
            writer_->close(totals);
        } catch (const std::exception& error) {
            report.error = error.what();
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
