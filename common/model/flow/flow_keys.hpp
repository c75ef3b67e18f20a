// The keys of a flow, one row each: experiment files, the command line with its help, batches, and messages that carry
// flows go by this table. Options of transports have a table of their own (transport_options.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/named_files.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

/// "rate = ...": what the mean of the inter-departure times is to become once a flow's idt and size are known.
struct AskedRate {
    Rate rate;
    Place place;
};

/// A flow on its way to a spec.
struct FlowDraft {
    FlowSpec spec;
    std::optional<AskedRate> rate{};
    std::optional<Distribution> on{};
    std::optional<Distribution> off{};
    std::uint32_t count = 1;
};

inline constexpr std::uint32_t kMaxFlows = 100'000;

/// What values of keys may name. Both outlive this.
struct FlowNames {
    const HostAliases& hosts;
    const NamedFiles& files;
};

/// When a key is read: a later one overrides an earlier one, and a command line's errors are reported in this order.
/// Keys of one turn are read in the order of the table.
enum class FlowKeyTurn : std::uint8_t { receiver, profile, transport, process, stop, packet, usual, count, port };

struct FlowKeyRow {
    std::string_view key;  ///< in experiment files and messages: "count"
    /// Throws: UsageError when it has no such value.
    void (*set)(FlowDraft& draft, const Setting& setting, const FlowNames& names);
    /// The text that set() takes, for messages and logs; nothing when it is the default. Null: flow_json.cpp has the
    /// key.
    std::optional<std::string> (*get)(const FlowSpec& spec) = nullptr;
    FlowKeyTurn turn = FlowKeyTurn::usual;
    bool in_batch = false;         ///< [batch] takes a list of its values
    std::string_view option = {};  ///< "--flows"; empty: the command line has none
    std::string_view value = {};   ///< what stands for the value in the help
    std::string_view help = {};
    std::string_view more = {};  ///< sentences that only the man page has, after `help`
};

/// In the order of the help.
[[nodiscard]] std::span<const FlowKeyRow> flow_keys() noexcept;

/// In the order in which they are read.
[[nodiscard]] std::span<const FlowKeyRow> flow_keys_by_turn();

/// What [batch] calls the key: as the command line does, if it has it.
[[nodiscard]] std::string_view name_in_batch(const FlowKeyRow& key);

}  // namespace groma
