#include "sender/options/search_options.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/plan/common_rate.hpp"

namespace groma {

namespace {

constexpr double kUsualSpan = 1000;  // from the flows' own rate, down and up
constexpr double kFinestResolution = 1e-4;
constexpr double kCoarsestResolution = 1;
constexpr std::uint64_t kMostConfirmations = 100;

using option_group::kSearch;

constexpr auto kSearchRows = std::to_array<SenderOption>({
    {{"--search", ValueKind::required, "rate", kSearch,
      "find the highest rate that keeps --require (default: loss=0), by bisection; --duration is that of a trial "
      "(default: 5s)",
      "It begins with the flows' own rate, and scales all of them as --rate does. A missed trial is repeated once. A "
      "rate that this host cannot send as asked is not kept, and the result says so."}},
    {{"--search-from", ValueKind::required, "RATE", kSearch,
      "try no lower rate of all flows together (default: a thousandth of their own)"}},
    {{"--search-to", ValueKind::required, "RATE", kSearch, "try no higher one (default: a thousand times their own)"}},
    {{"--search-resolution", ValueKind::required, "SHARE", kSearch,
      "end when the lowest missed rate is at most so much above the highest kept one: 0.01% to 100% (default: 1%)"}},
    {{"--search-confirm", ValueKind::required, "N", kSearch,
      "the found rate must be kept by so many more trials, 0 to 100 (default: 2)"}},
});

/// Of one run, where a search makes many.
constexpr std::array<std::string_view, 15> kOfOneRun{
    "--web",        "--web-hold", "--agents", "--interval", "--jsonl", "--metrics", "--web-cert",   "--web-key",
    "--web-tokens", "--dry-run",  "--via",    "--passive",  "--print", "--verbose", "--signal-line"};

void refuse_options_of_one_run(const CommandLine& line, UsageErrors& errors) {
    const auto refuse = [&](std::string_view option, const char* why) {
        if (line.has(option)) {
            errors.add(std::string(option) + why);
        }
    };
    for (const SenderOption& log : log_option_rows()) {
        refuse(log.row.name,
               " is about the logs of a run, and --search makes many runs and keeps no logs: leave it out, and log a "
               "run at the rate that is found");
    }
    for (const std::string_view option : kOfOneRun) {
        refuse(option, " is for a single run, and --search makes many: leave out one of the two");
    }
}

double parse_resolution(std::string_view text) {
    const double share = parse_share(text);
    if (not(share >= kFinestResolution and share <= kCoarsestResolution)) {
        throw UsageError("'" + plain_text(text, 40) + "' is out of range: use a share from 0.01% to 100%");
    }
    return share;
}

void require_no_loss(std::vector<Requirement>& required) {
    if (std::ranges::find(required, RequiredFigure::loss, &Requirement::figure) == required.end()) {
        required.push_back({RequiredFigure::loss, 0});
    }
}

void check_flows(const CommonRate& flows, const SearchArguments& search) {
    for (const double pps : {search.lowest_pps, search.highest_pps}) {
        for (const FlowSpec& flow : flows.flows_at(pps)) {
            if (flow.direction == Direction::reverse) {
                throw UsageError("it sends from this host only: leave out --reverse and --bidir, or search there");
            }
            for (const std::string& error : validate(flow)) {
                throw UsageError("flow '" + flow.name + "': " + error);
            }
        }
    }
}

void read_rates(const CommandLine& line, UsageErrors& errors, const CommonRate& flows, SearchArguments& search) {
    const auto rate = [&](std::string_view text) { return flows.pps_of(parse_rate(text)); };
    const auto from = errors.parsed(line, "--search-from", rate);
    const auto to = errors.parsed(line, "--search-to", rate);
    search.lowest_pps = from.value_or(std::min(flows.pps(), to.value_or(flows.pps())) / kUsualSpan);
    search.highest_pps = to.value_or(std::max(flows.pps(), search.lowest_pps) * kUsualSpan);
    if (search.lowest_pps > search.highest_pps) {
        errors.add("--search-from is above --search-to: no rate is between them");
        return;
    }
    search.first_pps = std::clamp(flows.pps(), search.lowest_pps, search.highest_pps);
}

void parse_search(const CommandLine& line, UsageErrors& errors, SenderOptions& options) {
    SearchArguments& search = options.search.emplace();
    search.resolution = errors.parsed(line, "--search-resolution", parse_resolution).value_or(search.resolution);
    search.confirmations = static_cast<unsigned>(
        errors.number(line, "--search-confirm", 0, kMostConfirmations).value_or(search.confirmations));
    if (not errors.none()) {
        return;
    }
    errors.parsed(line, "--search", [&](std::string_view what) {
        if (what != "rate") {
            throw UsageError("'" + plain_text(what, 40) + "' cannot be searched: use rate");
        }
        const CommonRate flows(options.experiment.flows);
        read_rates(line, errors, flows, search);
        if (errors.none()) {
            check_flows(flows, search);
        }
        return true;
    });
}

}  // namespace

std::span<const SenderOption> search_option_rows() {
    return kSearchRows;
}

void read_search(const CommandLine& line, UsageErrors& errors, SenderOptions& options) {
    if (not line.has("--search")) {
        for (const SenderOption& option : kSearchRows) {
            if (line.has(option.row.name)) {
                errors.add(std::string(option.row.name) + " requires --search rate");
            }
        }
        return;
    }
    refuse_options_of_one_run(line, errors);
    parse_search(line, errors, options);
    require_no_loss(options.experiment.required);
    options.action = SenderOptions::Action::search;
}

}  // namespace groma
