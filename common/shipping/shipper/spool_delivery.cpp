#include "common/shipping/shipper/spool_delivery.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/shipping/spool/spool_folders.hpp"

namespace groma {

namespace {

/// A spool's first turn is shorter than its last ones by this factor, if nothing is confirmed.
constexpr int kShortestOfPatience = 5;

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
            deliver(folder, {.times = order_.limits.times}, counts);
        } catch (const std::exception& error) {
            ++counts.failed;
            order_.say("failed: " + folder.string() + ": " + error.what());
        }
    }
    return counts;
}

void SpoolDelivery::deliver(const std::filesystem::path& folder, const Patience& patience, DeliveryCounts& counts) {
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
    const std::string what = plain_text(about.experiment + '/' + about.name) + " (" + counted(spool->bytes(), "byte") +
                             ", piece " + std::to_string(spool->first()) + " to " + std::to_string(spool->end()) + ')';
    ship(std::move(spool), patience);
    ++counts.delivered;
    order_.say((whole ? "delivered: " : "delivered, incomplete: ") + what +
               (whole            ? ""
                : damage.empty() ? ": its writer ended before it closed the log"
                                 : ": " + damage));
}

void SpoolDelivery::ship(std::unique_ptr<Spool> spool, const Patience& patience) {
    const SpoolDescription about = spool->description();
    const LogRoute route{.server = order_.server.value_or(parse_log_server(about.server)),
                         .transport = order_.transport.value_or(about.transport),
                         .bytes_per_second = order_.bytes_per_second};
    const Asker asker{.peer = {}, .gave_up = [this] { return stopping_.load(); }};
    ShipperIdentity identity{
        .program = order_.program,
        .spool = order_.folder,
        .limits = order_.limits,
        .report = {},
        .resolve = [&](std::string_view host, std::uint16_t port) { return resolver_.resolve(host, port, asker); },
        .offer = order_.offer};
    identity.limits.times = patience.times;
    ShippingSettings settings = shipping_settings(route, identity);
    settings.until = patience.until;
    LogShipper shipper(std::move(settings), clock_);
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
    TurnsOfSpools turns;
    while (not stopping_) {
        try {
            if (deliver_next(turns, between)) {
                continue;
            }
            told.clear();
        } catch (const std::exception& error) {
            if (std::exchange(told, error.what()) != error.what()) {
                order_.say("logs cannot be delivered for now: " + told);
            }
        }
        Nanos rest = between;
        for (const auto& [folder, one] : turns) {
            rest = std::min(rest, std::max(one.due - clock_.now(), Nanos{0}));
        }
        std::unique_lock lock(mutex_);
        stop_.wait_for(lock, rest, [this] { return stopping_.load(); });
    }
}

/// Keeps entries for exactly the spools that exist.
void SpoolDelivery::keep_up(TurnsOfSpools& turns) const {
    remove_delivered(order_.folder);
    TurnsOfSpools known = std::exchange(turns, {});
    const auto folders = spools_in(order_.folder);
    for (const auto& folder : folders) {
        turns[folder] = known[folder];
    }
    if (order_.budget) {
        order_.budget->measured(bytes_on_disk(folders), clock_.now());
    }
}

bool SpoolDelivery::deliver_next(TurnsOfSpools& turns, Nanos between) {
    keep_up(turns);
    const MonoTime now = clock_.now();
    auto next = turns.end();
    for (auto one = turns.begin(); one != turns.end(); ++one) {
        if (one->second.due <= now and (next == turns.end() or one->second.spent < next->second.spent)) {
            next = one;
        }
    }
    if (next == turns.end()) {
        return false;
    }
    give_turn(next->first, next->second, between);
    return true;
}

void SpoolDelivery::give_turn(const std::filesystem::path& folder, Turns& turns, Nanos between) {
    const MonoTime begin = clock_.now();
    const ShippingTimes& usual = order_.limits.times;
    Patience patience{.times = usual, .until = begin + between};
    patience.times.patience = std::clamp(2 * turns.spent, usual.patience / kShortestOfPatience, usual.patience);
    patience.times.connecting = std::min(usual.connecting, patience.times.patience);
    DeliveryCounts counts;
    std::string failure;
    try {
        deliver(folder, patience, counts);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const MonoTime end = clock_.now();
    turns.spent += end - begin;
    const bool soon = not failure.empty() and end - begin >= patience.times.patience and
                      patience.times.patience < usual.patience;  // a longer turn is possible
    turns.due = soon ? end : end + between;
    if (not failure.empty() and not soon) {
        order_.say("failed: " + folder.string() + ": " + failure);
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
