// Rank 0's ears and mouth: every rank of the job, itself among them, and everything that they have said. Thread: one.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/os/signal_set.hpp"
#include "common/time/clock.hpp"
#include "mpi/roles/rank_identity.hpp"
#include "mpi/roles/rank_worker.hpp"
#include "mpi/world/rank_line.hpp"

namespace groma {

class JobRanks {
public:
    struct Surroundings {
        MpiWorld& world;
        SignalSet& signals;
        Clock& clock;
    };
    /// Everything outlives this.
    JobRanks(Surroundings around, RankWorker& own);
    JobRanks(const JobRanks&) = delete;
    JobRanks& operator=(const JobRanks&) = delete;

    [[nodiscard]] int size() const { return around_.world.size(); }
    [[nodiscard]] Clock& clock() { return around_.clock; }

    void say(int rank, const RankMessage& message);

    /// How long to wait for something: `limit`, and no more than `once_interrupted` from when the job is told to end.
    struct Patience {
        Nanos limit;
        Nanos once_interrupted;
    };
    /// Returns: whether `done`.
    bool await(const std::function<bool()>& done, Patience patience);
    /// Does not wait any more when the job is told to end.
    bool await(const std::function<bool()>& done, Nanos limit) { return await(done, {limit, Nanos(0)}); }

    /// The first message of this kind that a rank has said and nobody has taken yet.
    [[nodiscard]] std::optional<nlohmann::json> take(int rank, const std::string& kind);
    [[nodiscard]] bool has(int rank, const std::string& kind) const;
    /// Of whatever rank.
    [[nodiscard]] std::optional<std::pair<int, nlohmann::json>> take_any(const std::string& kind);
    /// Forgets what was said and not taken, but for messages of this kind.
    void forget();

    /// SIGINT or SIGTERM came: the job is to end.
    [[nodiscard]] bool interrupted() const { return interrupted_at_.has_value(); }

    /// Instants on the clock of `rank` minus those on this one's (CLOCK_MONOTONIC), by ping-pong; zero on one kernel.
    /// `limit`: for an answer.
    [[nodiscard]] Nanos clock_difference(int rank, const std::vector<RankIdentity>& identities, Nanos limit);

    /// Gives what was said some time to get away.
    void flush() { line_.flush(std::chrono::milliseconds(200)); }

private:
    void turn();

    Surroundings around_;
    RankWorker& own_;
    RankLine line_;
    std::deque<std::pair<int, RankMessage>> heard_;
    std::optional<MonoTime> interrupted_at_;
};

}  // namespace groma
