// Rank 0's messages to and from all ranks of the job, including itself. Thread: one.
#pragma once

#include <deque>
#include <filesystem>
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
    /// The arguments outlive this object.
    JobRanks(Surroundings around, RankWorker& own);
    JobRanks(const JobRanks&) = delete;
    JobRanks& operator=(const JobRanks&) = delete;

    [[nodiscard]] int size() const { return around_.world.size(); }
    [[nodiscard]] Clock& clock() { return around_.clock; }

    void say(int rank, const RankMessage& message);

    /// Time limits of a wait: `limit`, and at most `once_interrupted` after the job was interrupted.
    struct Patience {
        Nanos limit;
        Nanos once_interrupted;
    };
    /// Returns: whether `done`.
    bool await(const std::function<bool()>& done, Patience patience);
    /// Ends the wait if the job is interrupted.
    bool await(const std::function<bool()>& done, Nanos limit) { return await(done, {limit, Nanos(0)}); }

    /// The first message of this kind from a rank that was not taken yet.
    [[nodiscard]] std::optional<nlohmann::json> take(int rank, const std::string& kind);
    [[nodiscard]] bool has(int rank, const std::string& kind) const;
    /// The same, from any rank.
    [[nodiscard]] std::optional<std::pair<int, nlohmann::json>> take_any(const std::string& kind);
    /// Discards all messages not taken, except those of this kind.
    void forget();

    /// Whether SIGINT or SIGTERM arrived: the job should end.
    [[nodiscard]] bool interrupted() const { return interrupted_at_.has_value(); }

    /// Asks a rank. Returns: its answer, a message of this kind. Throws: RunError with what it said instead, or when it
    /// does not answer within `limit`.
    [[nodiscard]] nlohmann::json ask(int rank, const RankMessage& question, const std::string& kind, Nanos limit);

    /// Copies the logs of a rank that does not see rank 0's disk into `folder`, piece by piece. `limit`: for an answer.
    /// Throws: RunError, UsageError, SystemError.
    void fetch_logs(int rank, const std::filesystem::path& folder, Nanos limit);

    /// The clock of `rank` minus this rank's (CLOCK_MONOTONIC), by ping-pong; zero on the same kernel. `limit`: for an
    /// answer.
    [[nodiscard]] Nanos clock_difference(int rank, const std::vector<RankIdentity>& identities, Nanos limit);

    /// Waits briefly for sent messages to leave.
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
