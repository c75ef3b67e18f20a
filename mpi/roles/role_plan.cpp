#include "mpi/roles/role_plan.hpp"

#include <algorithm>
#include <set>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "mpi/roles/sought_hosts.hpp"

namespace groma {

namespace {

std::string in_quotes(const std::string& name) {
    return name.empty() ? "the host that sends" : "host '" + plain_text(name, 60) + "'";
}

class Planner {
public:
    Planner(const Experiment& experiment, const std::vector<RankIdentity>& ranks, LogServerNeed need)
        : experiment_(experiment), ranks_(ranks), need_(need), hosts_(sought_hosts(experiment)) {}

    [[nodiscard]] RolePlan plan() {
        check_sources();
        if (not experiment_.ranks.empty()) {
            as_told();
        } else if (ranks_.size() == 1) {
            all_in_one();
        } else if (not by_name()) {
            in_order();
        }
        place_log_server();
        throw_errors();
        warning_idle();
        return std::move(plan_);
    }

private:
    void check_sources() {
        for (const FlowSpec& flow : experiment_.flows) {
            if (flow.direction != Direction::forward) {
                errors_.push_back("flow '" + plain_text(flow.name, 60) +
                                  "': 'direction' is of groma-send; here 'from' and 'to' say which host sends");
            }
        }
        const auto nameless =
            std::ranges::find_if(experiment_.flows, [](const auto& f) { return f.from_host.empty(); });
        const bool named =
            std::ranges::any_of(experiment_.flows, [](const auto& f) { return not f.from_host.empty(); });
        if (named and nameless != experiment_.flows.end()) {
            errors_.push_back("flow '" + plain_text(nameless->name, 60) +
                              "' has no 'from', other flows have one: say for each flow, or in [defaults], which host "
                              "sends it");
        }
    }

    void as_told() {
        for (const auto& [name, rank] : experiment_.ranks) {
            if (rank >= static_cast<int>(ranks_.size())) {
                errors_.push_back("[ranks]: " + plain_text(name, 60) + " = " + std::to_string(rank) +
                                  ", but this job's ranks are 0 to " + std::to_string(ranks_.size() - 1) +
                                  ": start more (mpirun -np)");
            }
        }
        for (const SoughtHost& host : hosts_) {
            const auto found = experiment_.ranks.find(host.name);
            if (found != experiment_.ranks.end()) {
                plan_.rank_of[host.name] = found->second;
            } else if (host.name.empty()) {
                plan_.rank_of[host.name] = 0;
            } else {
                errors_.push_back("[ranks] does not say which rank " + in_quotes(host.name) + " is: add " +
                                  plain_text(host.name, 60) + " = RANK");
            }
        }
        if (const auto found = experiment_.ranks.find(kLogServerRole); found != experiment_.ranks.end()) {
            plan_.log_server = found->second;
        }
    }

    void all_in_one() {
        for (const SoughtHost& host : hosts_) {
            plan_.rank_of[host.name] = 0;
        }
    }

    /// Returns: false if no host matches a rank. The nameless sender is rank 0.
    bool by_name() {
        std::vector<std::string> missing;
        std::set<int> taken;
        for (const SoughtHost& host : hosts_) {
            if (const auto rank = rank_on(host, taken)) {
                plan_.rank_of[host.name] = *rank;
                taken.insert(*rank);
            } else {
                missing.push_back(host.name);
            }
        }
        if (taken.empty()) {
            return false;
        }
        for (const std::string& name : missing) {
            if (name.empty()) {
                plan_.rank_of[name] = 0;
                continue;
            }
            errors_.push_back("no rank runs on " + in_quotes(name) +
                              ", but others of the file were found: the ranks run on " + hosts_of_ranks() +
                              "; start one there (mpirun --host), or say in [ranks] which rank it is");
        }
        return true;
    }

    /// A rank on the host, preferably without another role yet.
    [[nodiscard]] std::optional<int> rank_on(const SoughtHost& host, const std::set<int>& taken) const {
        std::optional<int> shared;
        for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
            if (not runs_on(ranks_[static_cast<std::size_t>(rank)], host)) {
                continue;
            }
            if (not taken.contains(rank)) {
                return rank;
            }
            shared = shared.value_or(rank);
        }
        return shared;
    }

    [[nodiscard]] std::string hosts_of_ranks() const {
        std::string text;
        std::set<std::string> said;
        for (const RankIdentity& rank : ranks_) {
            if (said.insert(rank.host).second) {
                text += (text.empty() ? "" : ", ") + plain_text(rank.host, 60);
            }
        }
        return text;
    }

    void in_order() {
        if (hosts_.size() > ranks_.size()) {
            std::string names;
            for (const SoughtHost& host : hosts_) {
                names += (names.empty() ? "" : ", ") + (host.name.empty() ? "the sender" : plain_text(host.name, 60));
            }
            errors_.push_back("the experiment has " + counted(hosts_.size(), "host") + " (" + names +
                              ") and this job " + counted(ranks_.size(), "rank") + ": start " +
                              std::to_string(hosts_.size()) + " (mpirun -np " + std::to_string(hosts_.size()) +
                              "), or say in [ranks] which hosts share one");
            return;
        }
        for (std::size_t i = 0; i < hosts_.size(); ++i) {
            plan_.rank_of[hosts_[i].name] = static_cast<int>(i);
        }
    }

    [[nodiscard]] bool idle(int rank) const {
        return std::ranges::none_of(plan_.rank_of, [rank](const auto& one) { return one.second == rank; });
    }

    void place_log_server() {
        if (need_ == LogServerNeed::none) {
            plan_.log_server.reset();
            return;
        }
        for (int rank = 0; rank < static_cast<int>(ranks_.size()) and not plan_.log_server; ++rank) {
            if (idle(rank)) {
                plan_.log_server = rank;
            }
        }
        if (not plan_.log_server and need_ == LogServerNeed::needed) {
            errors_.push_back("there is no rank left for the log server: start one more (mpirun -np " +
                              std::to_string(ranks_.size() + 1) +
                              "), name one in [ranks] (log-server = RANK), or keep logs where they are made "
                              "(--log-transport local)");
        }
    }

    void throw_errors() const {
        std::string text;
        for (const std::string& error : errors_) {
            text += (text.empty() ? "" : "\n") + error;
        }
        if (not text.empty()) {
            throw UsageError(text);
        }
    }

    void warning_idle() {
        std::string numbers;
        for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
            if (idle(rank) and plan_.log_server != rank) {
                numbers += (numbers.empty() ? "" : ", ") + std::to_string(rank);
            }
        }
        if (not numbers.empty()) {
            plan_.warnings.push_back("these ranks have nothing to do: " + numbers);
        }
    }

    const Experiment& experiment_;
    const std::vector<RankIdentity>& ranks_;
    LogServerNeed need_;
    std::vector<SoughtHost> hosts_;
    std::vector<std::string> errors_;
    RolePlan plan_;
};

}  // namespace

RolePlan plan_roles(const Experiment& experiment, const std::vector<RankIdentity>& ranks, LogServerNeed need) {
    check(not ranks.empty(), "a job has ranks");
    return Planner(experiment, ranks, need).plan();
}

}  // namespace groma
