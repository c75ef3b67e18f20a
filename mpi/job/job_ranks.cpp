#include "mpi/job/job_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "mpi/world/common_start.hpp"
#include "mpi/world/lent_files.hpp"

namespace groma {

namespace {

constexpr Nanos kNap = std::chrono::milliseconds(1);
constexpr std::uint32_t kPings = 30;

/// Messages of rank 0 to itself take the same encoding as those to others, so that they mean the same.
RankMessage as_others_hear_it(const RankMessage& message) {
    return parse_rank_message(serialize(message), 0);
}

}  // namespace

JobRanks::JobRanks(Surroundings around, RankWorker& own)
    : around_(around), own_(own), line_(around.world, around.clock) {}

void JobRanks::say(int rank, const RankMessage& message) {
    if (rank == around_.world.rank()) {
        own_.on_message(as_others_hear_it(message));
    } else if (not interrupted()) {  // Open MPI aborts a process that sends to a dead one
        line_.say(rank, message);
    }
}

void JobRanks::turn() {
    if (not interrupted() and around_.signals.take()) {
        interrupted_at_ = around_.clock.now();
    }
    while (auto one = interrupted() ? std::nullopt : line_.hear()) {
        heard_.push_back(std::move(*one));
    }
    while (auto message = own_.next()) {
        heard_.emplace_back(around_.world.rank(), as_others_hear_it(*message));
    }
}

bool JobRanks::await(const std::function<bool()>& done, Patience patience) {
    const MonoTime began = around_.clock.now();
    while (true) {
        turn();
        if (done()) {
            return true;
        }
        MonoTime end = began + patience.limit;
        if (interrupted()) {
            end = std::min(end, std::max(began, *interrupted_at_) + patience.once_interrupted);
        }
        if (around_.clock.now() >= end) {
            return false;
        }
        around_.clock.sleep_until(around_.clock.now() + kNap);
    }
}

std::optional<nlohmann::json> JobRanks::take(int rank, const std::string& kind) {
    const auto found =
        std::ranges::find_if(heard_, [&](const auto& one) { return one.first == rank and one.second.kind == kind; });
    if (found == heard_.end()) {
        return std::nullopt;
    }
    nlohmann::json body = std::move(found->second.body);
    heard_.erase(found);
    return body;
}

bool JobRanks::has(int rank, const std::string& kind) const {
    return std::ranges::any_of(heard_, [&](const auto& one) { return one.first == rank and one.second.kind == kind; });
}

std::optional<std::pair<int, nlohmann::json>> JobRanks::take_any(const std::string& kind) {
    const auto found = std::ranges::find_if(heard_, [&](const auto& one) { return one.second.kind == kind; });
    if (found == heard_.end()) {
        return std::nullopt;
    }
    std::pair<int, nlohmann::json> taken(found->first, std::move(found->second.body));
    heard_.erase(found);
    return taken;
}

void JobRanks::forget() {
    heard_.clear();
}

nlohmann::json JobRanks::ask(int rank, const RankMessage& question, const std::string& kind, Nanos limit) {
    say(rank, question);
    await([&] { return has(rank, kind) or has(rank, "failed"); }, limit);
    if (auto answer = take(rank, kind)) {
        return std::move(*answer);
    }
    const auto failed = take(rank, "failed");
    throw RunError(failed ? failed->value("what", "failed") : "it does not answer");
}

void JobRanks::fetch_logs(int rank, const std::filesystem::path& folder, Nanos limit) {
    const nlohmann::json listed = ask(rank, {"list_files"}, "files", limit);
    std::vector<LentFile> files;
    JsonReader(listed, JsonForm::object).rows("files", files, kMostLentFiles);
    for (const auto& [name, size] : files) {
        std::uint64_t offset = 0;
        for (bool more = true; more;) {
            const RankMessage question{"read_file", {{"name", name}, {"offset", offset}}};
            const nlohmann::json piece = ask(rank, question, "piece", limit);
            const std::vector<std::uint8_t>& bytes = piece.at("bytes").get_binary();
            write_fetched(folder, name, offset, bytes);
            offset += bytes.size();
            more = bytes.size() == kMaxLentPiece;
        }
    }
}

Nanos JobRanks::clock_difference(int rank, const std::vector<RankIdentity>& identities, Nanos limit) {
    const RankIdentity& there = identities[static_cast<std::size_t>(rank)];
    const RankIdentity& here = identities[static_cast<std::size_t>(around_.world.rank())];
    if (not here.boot_id.empty() and there.boot_id == here.boot_id) {
        return Nanos(0);
    }
    ClockComparison comparison;
    for (std::uint32_t number = 0; number < kPings; ++number) {
        const MonoTime sent = around_.clock.now();
        comparison.on_ping(number, sent);
        say(rank, {"ping", {{"number", number}}});
        while (comparison.waits() and around_.clock.now() < sent + limit) {
            turn();
            if (const auto pong = take(rank, "pong")) {
                comparison.on_pong(json_field<std::uint32_t>(*pong, "number"),
                                   MonoTime(json_field<Nanos>(*pong, "mono_ns")), around_.clock.now());
            }
        }
    }
    const auto difference = comparison.difference();
    if (not difference) {
        throw RunError("rank " + std::to_string(rank) + " on " + there.host +
                       " does not answer: is its host overloaded or its network slow?");
    }
    return *difference;
}

}  // namespace groma
