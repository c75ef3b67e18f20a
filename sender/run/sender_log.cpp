#include "sender/run/sender_log.hpp"

#include <exception>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/earlier_log.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/tee_sink.hpp"
#include "common/shipping/shipper/log_route.hpp"
#include "common/shipping/spool/spool_folders.hpp"

namespace groma {

namespace {

/// Takes what it writes from the room that spools have.
class InSpoolRoom final : public LogSink {
public:
    InSpoolRoom(std::unique_ptr<LogSink> log, std::shared_ptr<SpoolBudget> room)
        : log_(std::move(log)), room_(std::move(room)) {}
    InSpoolRoom(const InSpoolRoom&) = delete;
    InSpoolRoom& operator=(const InSpoolRoom&) = delete;
    ~InSpoolRoom() override { room_->give_back(bytes_); }

    void append(std::span<const std::byte> piece) override {
        if (not room_->take(piece.size())) {
            throw RunError("cannot keep the sender's log until the run is over: " + room_->shortage(piece.size()));
        }
        bytes_ += piece.size();
        log_->append(piece);
    }
    void close() override { log_->close(); }
    [[nodiscard]] std::string describe() const override { return log_->describe(); }

private:
    std::unique_ptr<LogSink> log_;
    std::shared_ptr<SpoolBudget> room_;
    std::uint64_t bytes_ = 0;
};

}  // namespace

SenderLog::SenderLog(const SenderOptions& options, Clock& clock) : options_(options), clock_(clock) {
    const std::string& wanted = options.logs_for_client.own;
    if (not options.log.empty()) {
        sink_ = open_file_sink(options.log, {.replaced = options.replace_log, .advice = "or --force to replace it"});
        if (not wanted.empty()) {
            written_.emplace(open_part_of_log(options.log), options.log);
        }
    } else if (not wanted.empty()) {
        make_spool_folder(options.spool_dir);
        UnnamedLog log = open_unnamed_file_sink(options.spool_dir / wanted,
                                                "a file without a name, which goes to who asked for the run");
        written_.emplace(std::move(log.file), wanted);
        sink_ = std::move(log.sink);
        if (options.spool_budget) {
            sink_ = std::make_unique<InSpoolRoom>(std::move(sink_), options.spool_budget);
        }
    }
    if (sink_) {
        sink_ = options.key_logs->within_limits(std::move(sink_), options.log, options.key_with_limits());
    }
}

SectionedLog& SenderLog::written() {
    check(written_.has_value(), "a log that goes to the client is on this host's disk until then");
    return *written_;
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
