#include "common/shipping/spool_delivery.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

bool set(const char* value) {
    return value != nullptr and *value == '/';  // the XDG specification: paths must be absolute
}

}  // namespace

DeliveryCounts SpoolDelivery::run() {
    DeliveryCounts counts;
    remove_delivered(order_.folder);
    for (const auto& folder : spools_in(order_.folder)) {
        if (stopping_) {
            break;
        }
        try {
            deliver(folder, counts);
        } catch (const std::exception& error) {
            ++counts.failed;
            order_.say("failed: " + folder.string() + ": " + error.what());
        }
    }
    return counts;
}

void SpoolDelivery::deliver(const std::filesystem::path& folder, DeliveryCounts& counts) {
    std::unique_ptr<Spool> spool = Spool::open(folder);
    if (not spool) {
        if (order_.of_program.empty()) {
            ++counts.left_alone;
            order_.say("left alone: " + folder.string() + ": a program that runs is shipping it");
        }
        return;
    }
    const SpoolDescription about = spool->description();
    if (not about.program.starts_with(order_.of_program)) {
        return;
    }
    const bool whole = spool->totals().has_value();
    const std::string damage = spool->damage();
    const std::string what = plain_text(about.experiment + '/' + about.name) + " (" + std::to_string(spool->bytes()) +
                             " bytes, piece " + std::to_string(spool->first()) + " to " + std::to_string(spool->end()) +
                             ')';
    ship(std::move(spool));
    ++counts.delivered;
    order_.say((whole ? "delivered: " : "delivered, incomplete: ") + what +
               (whole            ? ""
                : damage.empty() ? ": its writer ended before it closed the log"
                                 : ": " + damage));
}

void SpoolDelivery::ship(std::unique_ptr<Spool> spool) {
    const SpoolDescription about = spool->description();
    const LogRoute route{.server = order_.server.value_or(parse_log_server(about.server)),
                         .transport = order_.transport.value_or(about.transport),
                         .bytes_per_second = order_.bytes_per_second};
    const Asker asker{.peer = {}, .gave_up = [this] { return stopping_.load(); }};
    LogShipper shipper(
        shipping_settings(route, {.program = order_.program,
                                  .spool = order_.folder,
                                  .limits = order_.limits,
                                  .report = {},
                                  .resolve = [&](std::string_view host,
                                                 std::uint16_t port) { return resolver_.resolve(host, port, asker); }}),
        clock_);
    {
        const std::scoped_lock lock(mutex_);
        shipper_ = &shipper;
        if (stopping_) {
            shipper.stop();
        }
    }
    std::exception_ptr failure;
    try {
        shipper.resume(std::move(spool))->close();
    } catch (...) {
        failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    shipper_ = nullptr;
    if (failure) {
        std::rethrow_exception(failure);
    }
}

void SpoolDelivery::run_until_stopped(Nanos between) {
    std::string told;
    while (not stopping_) {
        try {
            run();
            told.clear();
        } catch (const std::exception& error) {
            if (std::exchange(told, error.what()) != error.what()) {
                order_.say("logs cannot be delivered for now: " + told);
            }
        }
        std::unique_lock lock(mutex_);
        stop_.wait_for(lock, between, [this] { return stopping_.load(); });
    }
}

void SpoolDelivery::stop() {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    stop_.notify_all();
    if (shipper_ != nullptr) {
        shipper_->stop();
    }
}

std::size_t waiting_spools(const std::filesystem::path& parent) {
    const auto folders = spools_in(parent);
    return static_cast<std::size_t>(std::ranges::count_if(folders, is_unattended));
}

std::filesystem::path user_spool_folder(const char* xdg_state_home, const char* home, unsigned uid) {
    if (set(xdg_state_home)) {
        return std::filesystem::path(xdg_state_home) / "groma" / "spool";
    }
    if (set(home)) {
        return std::filesystem::path(home) / ".local" / "state" / "groma" / "spool";
    }
    return "/var/tmp/groma-spool-" + std::to_string(uid);
}

}  // namespace groma
