#include "sender/sender_log.hpp"

#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "common/log/file_sink.hpp"
#include "common/log/tee_sink.hpp"
#include "common/shipping/log_route.hpp"

namespace groma {

SenderLog::SenderLog(const SenderOptions& options, const PlaceOnServer& place) : file_(options.log) {
    std::vector<std::unique_ptr<LogSink>> sinks;
    if (not file_.empty()) {
        sinks.push_back(open_file_sink(file_));
    }
    if (options.log_server) {
        try {
            shipper_ = std::make_unique<LogShipper>(shipping_settings(
                LogRoute{*options.log_server}, {.program = "groma-send " GROMA_VERSION, .spool = {}}));
            sinks.push_back(shipper_->open_log(place.folder, place.name));
        } catch (...) {
            sinks.clear();
            remove_part();
            throw;
        }
    }
    if (sinks.size() == 1) {
        sink_ = std::move(sinks.front());
    } else if (not sinks.empty()) {
        sink_ = tee(std::move(sinks));
    }
}

SenderLog::~SenderLog() {
    if (sink_ and not writer_) {
        sink_.reset();
        remove_part();
    }
}

void SenderLog::remove_part() const noexcept {
    if (not file_.empty()) {
        std::error_code ignored;
        std::filesystem::remove(file_ + ".part", ignored);
    }
}

void SenderLog::begin(const RunMetadata& metadata) {
    if (sink_) {
        writer_ = std::make_unique<LogWriter>(*sink_, metadata);
    }
}

std::optional<LogReport> SenderLog::close(const std::vector<LogEvent>& events, const std::vector<ClockProbe>& probes,
                                          const LogTotals& totals, const std::string& trouble) {
    if (not writer_) {
        return std::nullopt;
    }
    LogReport report{.name = sink_->describe(), .records = 0, .bytes = 0, .error = trouble};
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
    return report;
}

}  // namespace groma
