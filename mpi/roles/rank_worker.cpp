#include "mpi/roles/rank_worker.hpp"

#include <exception>
#include <utility>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/os/host.hpp"
#include "mpi/roles/job_key.hpp"
#include "mpi/roles/rank_identity.hpp"
#include "mpi/roles/send_order.hpp"
#include "mpi/world/lent_files.hpp"
#include "mpi/world/mpi_link.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongestName = 1000;

}  // namespace

RankWorker::~RankWorker() {
    end_run();
}

void RankWorker::introduce() {
    outbox_.push({"identity", to_json(own_identity(world_.processor()))});
}

void RankWorker::on_message(const RankMessage& message) {
    try {
        if (message.kind == "prepare") {
            prepare(message.body);
        } else if (message.kind == "begin") {
            begin(message.body);
        } else if (message.kind == "ping") {
            outbox_.push({"pong",
                          {{"number", json_field<std::uint32_t>(message.body, "number")},
                           {"mono_ns", clock_.now().time_since_epoch().count()}}});
        } else if (message.kind == "start" and sender_) {
            sender_->start_at(MonoTime(json_field<Nanos>(message.body, "mono_ns")));
        } else if (message.kind == "stop") {
            stop_sending(json_field<unsigned>(message.body, "level", Within{1U, 2U}));
        } else if (message.kind == "close_receiver") {
            stop_receiving();
        } else if (message.kind == "close_log_server") {
            stop_log_server();
        } else if (message.kind == "list_files" and folder_) {
            list_files();
        } else if (message.kind == "read_file" and folder_) {
            read_file(message.body);
        } else if (message.kind == "end_run") {
            end_run();
            outbox_.push({"run_ended"});
        }
    } catch (const std::exception& error) {
        outbox_.push({"failed", {{"what", error.what()}}});
    }
}

std::unique_ptr<LogShipper> RankWorker::make_shipper() const {
    if (order_.ships_to >= world_.size()) {
        throw UsageError("there is no rank " + std::to_string(order_.ships_to));
    }
    const TimeLimits limits = TimeLimits::with_timeout(order_.timeout);
    return std::make_unique<LogShipper>(
        ShippingSettings{.open = mpi_link(world_, order_.ships_to),
                         .peer = "log server of rank " + std::to_string(order_.ships_to) + " (mpi)",
                         .server = "",
                         .transport = LogTransport::mpi,
                         .node = host_name(),
                         .program = "groma-mpi " GROMA_VERSION,
                         .spool = folder_->spool(),
                         .limits = {.times = limits.shipping}},
        clock_);
}

void RankWorker::prepare(const nlohmann::json& body) {
    end_run();
    order_ = from_json<RankOrder>(body);
    folder_ = RunFolder::join(order_.folder, order_.mark);
    const TimeLimits limits = TimeLimits::with_timeout(order_.timeout);
    nlohmann::json answer = {{"shared", folder_->shared()}};
    if (not order_.log_server_at.empty()) {
        LogServerSettings settings;
        settings.listen = {.address = order_.log_server_at, .reach = {.open = true}, .port = 0};
        settings.directory = folder_->log_server();
        settings.keys = asked_of_ranks(order_.key);
        settings.times = limits.log_server;
        settings.max_per_host = settings.max_sessions;  // of this job all
        log_server_ = std::make_unique<LogServerRole>(std::move(settings), world_, outbox_, clock_);
        answer["log_server_port"] = log_server_->port();
    }
    if (order_.ships_to >= 0) {
        shipper_ = make_shipper();
    }
    if (not order_.receives_at.empty()) {
        ReceiverServerOptions options;
        for (const std::string& address : order_.receives_at) {
            options.listen.push_back(SocketAddress::from_literal(address, 0));
        }
        options.reach = {.keys = true};
        options.keys = asked_of_ranks(order_.key);
        options.offer = offered_to_ranks(order_.key);
        options.log_dir = folder_->logs();
        options.spool = folder_->spool();
        options.block_records = order_.block_records;
        options.shipper = shipper_.get();
        options.times = limits.session;
        options.shipping.times = limits.receiver_shipping;
        options.max_per_host = options.max_sessions;
        receiver_ = std::make_unique<ReceiverRole>(std::move(options), outbox_, clock_);
        answer["receiver_port"] = receiver_->port();
    }
    outbox_.push({"prepared", std::move(answer)});
}

void RankWorker::begin(const nlohmann::json& body) {
    check(folder_.has_value(), "a run is prepared before it begins");
    const auto order = from_json<SendOrder>(body);
    SenderOptions options = sender_options(order, *folder_);
    options.offer = offered_to_ranks(order_.key);
    options.block_records = order_.block_records;
    const TimeLimits limits = TimeLimits::with_timeout(order_.timeout);
    options.times = limits.session;
    options.shipping.times = limits.shipping;
    sender_ = std::make_unique<SenderRole>(
        std::move(options), SenderRole::Run{.run_id = order_.run_id, .sender = order.sender, .shipper = shipper_.get()},
        outbox_, clock_);
}

void RankWorker::leave_behind(const RankMessage& message) const noexcept {
    if (folder_ and (message.kind == "sent" or message.kind == "counted")) {
        folder_->leave_behind(message.kind + "-" + std::to_string(world_.rank()), json_text(message.body));
    }
}

void RankWorker::stop_sending(unsigned level) {
    if (sender_) {
        sender_->stop(level);
    }
}

void RankWorker::stop_receiving() {
    if (receiver_) {
        receiver_->stop();
    }
}

void RankWorker::stop_log_server() {
    if (log_server_) {
        log_server_->stop();
    }
}

void RankWorker::list_files() {
    JsonWriter fields(JsonForm::object);
    fields.rows("files", files_to_lend(folder_->path()), kMostLentFiles);
    outbox_.push({"files", fields.take()});
}

void RankWorker::read_file(const nlohmann::json& body) {
    const auto name = json_field<std::string>(body, "name", UpTo{kLongestName});
    const auto offset = json_field<std::uint64_t>(body, "offset", Within<std::uint64_t>{0, UINT64_MAX / 2});
    outbox_.push({"piece", {{"bytes", nlohmann::json::binary(read_lent(folder_->path(), name, offset))}}});
}

void RankWorker::end_run() {
    sender_.reset();
    receiver_.reset();
    shipper_.reset();
    log_server_.reset();
    order_.key = {};
    if (folder_) {
        folder_->remove_empty_spool();
    }
}

}  // namespace groma
