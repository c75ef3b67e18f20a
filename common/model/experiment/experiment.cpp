#include "common/model/experiment/experiment.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/experiment/experiment_flows.hpp"
#include "common/model/flow/flow_settings.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/start_spread.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/text/text_errors.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kMaxRank = 1'000'000;

constexpr std::string_view kGoodName = "must have 1 to 100 characters, no '/' and no leading '.'";

/// Names of experiments and hosts become file names.
bool good_name(std::string_view name) {
    constexpr std::size_t kMaxNameBytes = 100;
    const auto bad = [](char c) { return static_cast<unsigned char>(c) < 0x20 or c == 0x7f or c == '/'; };
    return not name.empty() and name.size() <= kMaxNameBytes and name.front() != '.' and
           std::ranges::none_of(name, bad);
}

/// "grid" of "runs/grid.toml".
std::string stem_of(std::string_view file) {
    const std::string_view name = file.substr(file.rfind('/') + 1);
    const std::size_t dot = name == ".." ? std::string_view::npos : name.rfind('.');
    return std::string(dot == 0 ? name : name.substr(0, dot));
}

class Builder {
public:
    Builder(ExperimentText text, const std::string& file, const NamedFiles& files)
        : text_(std::move(text)), file_(file), settings_(hosts_, files, text_.errors), flows_(text_.errors) {}

    [[nodiscard]] Experiment build(std::uint64_t seed_if_none, std::optional<std::uint64_t> seed) {
        experiment_.seed = seed_if_none;
        experiment_.name = stem_of(file_);
        experiment_.name = good_name(experiment_.name) ? experiment_.name : "experiment";
        read_top();
        if (seed) {
            experiment_.seed = *seed;
            experiment_.seed_given = seed;
        }
        read_hosts();
        read_ranks();
        read_requirements();
        read_flows();
        finish();
        return std::move(experiment_);
    }

private:
    /// Runs `read` on a setting if it exists, and notes its error.
    template <typename Read>
    void with(const Section& section, std::string_view key, Read read) {
        const auto found = section.settings.find(key);
        if (found == section.settings.end()) {
            return;
        }
        try {
            read(found->second);
        } catch (const UsageError& error) {
            note(text_.errors, key, found->second, error.what());
        }
    }

    void refuse_unknown(const Section& section, std::span<const std::string_view> known, std::size_t real) {
        for (const auto& [key, setting] : section.settings) {
            if (std::ranges::find(known.first(real), key) == known.first(real).end()) {
                note_unknown(text_.errors, key, setting, known);
            }
        }
    }

    void read_top() {
        with(text_.top, "name", [&](const Setting& setting) {
            if (not good_name(text_setting(setting))) {
                throw UsageError(std::string(kGoodName));
            }
            experiment_.name = setting.text;
        });
        with(text_.top, "seed", [&](const Setting& setting) {
            constexpr std::uint64_t kMaxSeed = std::uint64_t{1} << 62U;
            experiment_.seed_given = integer_setting(setting, 0, kMaxSeed);
            experiment_.seed = *experiment_.seed_given;
        });
        with(text_.top, "duration",
             [&](const Setting& setting) { base_.spec.stop.duration = parse_duration(text_setting(setting)); });
        with(text_.top, "start_spread", [&](const Setting& setting) {
            start_spread_ = parse_duration(text_setting(setting));
            if (start_spread_ < Nanos{0}) {
                throw UsageError("must not be negative");
            }
        });
        with(text_.top, "key", [&](const Setting& setting) {
            if (setting.kind != Setting::Kind::text or setting.text.empty()) {
                throw UsageError("must be the name of a key's file, in quotes, or \"none\"");
            }
            experiment_.key_file = setting.text;
        });
        constexpr std::array<std::string_view, 11> kKeys = {"name",    "seed",     "duration", "start_spread",
                                                            "key",     "defaults", "hosts",    "ranks",
                                                            "require", "flow",     "batch"};
        refuse_unknown(text_.top, kKeys, 5);
    }

    void read_hosts() {
        constexpr std::array<std::string_view, 3> kKeys = {"address", "port", "agent"};
        std::map<std::string_view, std::uint16_t> agents;
        for (const auto& [alias, section] : text_.hosts) {
            // An alias with an error is still an alias: flows to it are not a second error.
            Target target{alias, Target{}.control_port, {}};
            if (not section.settings.contains("address")) {
                text_.errors.push_back({section.place.line, section.place.column, "a host needs an address"});
            }
            with(section, "address", [&](const Setting& setting) { target = parse_target(text_setting(setting)); });
            with(section, "port", [&](const Setting& setting) {
                target.control_port = static_cast<std::uint16_t>(integer_setting(setting, 1, 65535));
            });
            with(section, "agent", [&, name = std::string_view(alias)](const Setting& setting) {
                agents[name] = static_cast<std::uint16_t>(integer_setting(setting, 1, 65535));
            });
            if (not good_name(alias)) {
                text_.errors.push_back({section.place.line, section.place.column,
                                        "the alias '" + plain_text(alias, 40) + "' " + std::string(kGoodName)});
            }
            if (alias == kLogServerRole) {
                text_.errors.push_back(
                    {section.place.line, section.place.column,
                     "no host can be called 'log-server': that is the log server's name in [ranks]"});
            }
            refuse_unknown(section, kKeys, kKeys.size());
            hosts_.emplace(alias, target);
            host_places_.emplace_back(std::pair(section.place.line, section.place.column), alias);
        }
        std::ranges::sort(host_places_);
        for (const auto& [place, alias] : host_places_) {
            const auto agent = agents.find(alias);
            experiment_.hosts.push_back(
                {alias, hosts_.at(alias), agent == agents.end() ? std::nullopt : std::optional(agent->second)});
        }
    }

    void read_ranks() {
        std::vector<std::string_view> known = {kLogServerRole};
        for (const ExperimentHost& host : experiment_.hosts) {
            known.push_back(host.alias);
        }
        refuse_unknown(text_.ranks, known, known.size());
        for (const auto& [alias, place] : text_.ranks.settings) {
            with(text_.ranks, alias, [&, name = alias](const Setting& setting) {
                experiment_.ranks[name] = static_cast<int>(integer_setting(setting, 0, kMaxRank));
            });
        }
    }

    void read_requirements() {
        std::vector<std::string_view> known;
        for (const RequiredFigureRow& row : required_figures()) {
            known.push_back(row.word);
            with(text_.require, row.word, [&](const Setting& setting) {
                const std::string limit = setting.kind == Setting::Kind::integer ? setting.text : text_setting(setting);
                experiment_.required.push_back(parse_requirement(row.word, limit));
            });
        }
        refuse_unknown(text_.require, known, known.size());
    }

    void read_flows() {
        if (const auto name = text_.defaults.settings.find("name"); name != text_.defaults.settings.end()) {
            note(text_.errors, "name", name->second, "a name belongs to one flow and cannot be a default");
        }
        settings_.apply(text_.defaults, base_);
        base_.spec.name.clear();
        if (text_.flows.empty() and text_.errors.empty()) {
            text_.errors.push_back({0, 0, "there are no flows: write [[flow]] and settings below it"});
        }
        for (const Section& section : text_.flows) {
            FlowDraft draft = base_;
            const std::size_t before = text_.errors.size();
            settings_.apply(section, draft);
            flows_.complete(section, draft);
            if (text_.errors.size() == before) {
                flows_.add(section.place, draft, experiment_.seed);
            }
        }
        experiment_.flows = flows_.take();
    }

    void spread() {
        spread_starts(experiment_.flows, start_spread_);
        for (const FlowSpec& spec : experiment_.flows) {
            if (const auto errors = validate(spec); not errors.empty()) {
                note(text_.errors, "start_spread", text_.top.settings.at("start_spread"), errors.front());
                return;
            }
        }
    }

    void finish() {
        if (text_.errors.empty() and start_spread_ > Nanos{0}) {
            spread();
        }
        if (not text_.errors.empty()) {
            refuse_text(file_, std::move(text_.errors));
        }
    }

    ExperimentText text_;
    const std::string& file_;
    HostAliases hosts_;
    FlowSettings settings_;
    ExperimentFlows flows_;
    FlowDraft base_;
    Nanos start_spread_{0};
    Experiment experiment_;
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string>> host_places_;  ///< line, column, alias
};

}  // namespace

Experiment build_experiment(ExperimentText text, const std::string& file, const NamedFiles& files,
                            std::uint64_t seed_if_none, std::optional<std::uint64_t> seed) {
    return Builder(std::move(text), file, files).build(seed_if_none, seed);
}

Experiment parse_experiment(std::string_view text, const std::string& file, const NamedFiles& files,
                            std::uint64_t seed_if_none, std::optional<std::uint64_t> seed) {
    ExperimentText sections = read_experiment_text(text, file);
    if (sections.batch) {
        throw ParseError(file, {{sections.batch->place.line, sections.batch->place.column,
                                 "[batch] makes many runs of this experiment, which groma-mpi does: mpirun -np 3 "
                                 "groma-mpi FILE"}});
    }
    return build_experiment(std::move(sections), file, files, seed_if_none, seed);
}

}  // namespace groma
