// The keys of a flow, one row each: for experiment files, the command line and its help, batches, and messages. Options
// of transports have a table of their own (transport_options.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/model/flow/drawn_values.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/named_files.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

/// "rate = ...": the mean of the inter-departure times, set once a flow's idt and size are known.
struct AskedRate {
    Rate rate;  ///< of a rate over time, its peak
    Place place;
    std::optional<RateOverTime> over_time{};
};

/// A flow whose keys are still being read.
struct FlowDraft {
    FlowSpec spec;
    std::optional<AskedRate> rate{};
    bool sized = false;      ///< its sizes were given
    bool paced = false;      ///< its departures were
    bool transacts = false;  ///< requests and responses were asked for
    std::optional<Distribution> on{};
    std::optional<Distribution> off{};
    DrawnValues drawn{};  ///< for each of its flows
    std::uint32_t count = 1;
};

/// Scales the draft's inter-departure times to its rate, if it has one. Once its keys are read. Throws: UsageError.
void apply_rate(FlowDraft& draft);

/// Gives what was not said, once a flow's keys are read: one request in flight to a flow of requests and responses
/// without departures of its own, and the size of its transport (TransportTraits::bulk_size) to one that goes as fast
/// as possible.
void choose_rest(FlowDraft& draft);

inline constexpr std::uint32_t kMaxFlows = 100'000;

/// What values of keys may refer to. Both outlive this.
struct FlowNames {
    const HostAliases& hosts;
    const NamedFiles& files;
};

/// When a key is read. A later one overrides an earlier one; a command line's errors are reported in this order. Keys
/// of one turn are read in the order of the table.
enum class FlowKeyTurn : std::uint8_t { receiver, profile, transport, process, stop, packet, usual, count, port };

struct FlowKeyRow {
    std::string_view key;  ///< in experiment files and messages: "count"
    /// Throws: UsageError for an invalid value.
    void (*set)(FlowDraft& draft, const Setting& setting, const FlowNames& names);
    /// The text that set() takes, for messages and logs; empty for the default. Null: flow_json.cpp has the key.
    std::optional<std::string> (*get)(const FlowSpec& spec) = nullptr;
    FlowKeyTurn turn = FlowKeyTurn::usual;
    bool in_batch = false;         ///< [batch] accepts a list of its values
    std::string_view option = {};  ///< "--flows"; empty: not on the command line
    std::string_view value = {};   ///< placeholder of the value in the help; empty: a flag, which is "on"
    std::string_view help = {};
    std::string_view more = {};  ///< sentences that only the man page has, after `help`
};

/// In the order of the help.
[[nodiscard]] std::span<const FlowKeyRow> flow_keys();

/// In the order in which they are read.
[[nodiscard]] std::span<const FlowKeyRow> flow_keys_by_turn();

/// The key's name in [batch]: the command line's name, if it has one.
[[nodiscard]] std::string_view name_in_batch(const FlowKeyRow& key);

}  // namespace groma
