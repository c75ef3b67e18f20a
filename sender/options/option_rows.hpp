// The options of groma-send, one row each. Options of a flow are in common/model/flow/flow_keys.hpp, those of its
// transport in common/model/transport/transport_options.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/cli/option_value.hpp"

namespace groma {

struct SenderOptions;

/// The modes in which an option is allowed, besides a run described on the command line.
namespace option_use {
inline constexpr std::uint8_t of_flow = 1U;            ///< describes a flow: not with an experiment file
inline constexpr std::uint8_t of_daemon = 2U;          ///< only with --daemon
inline constexpr std::uint8_t with_daemon = 4U;        ///< also with --daemon
inline constexpr std::uint8_t of_calibration = 8U;     ///< only with --calibrate
inline constexpr std::uint8_t with_calibration = 16U;  ///< also with --calibrate
inline constexpr std::uint8_t not_via = 32U;           ///< local to this host: not with --via
}  // namespace option_use

namespace option_group {
inline constexpr std::string_view kFlow = "What to send";
inline constexpr std::string_view kTransport = "Options of the transport";
inline constexpr std::string_view kStop = "When to stop";
inline constexpr std::string_view kRun = "The run";
inline constexpr std::string_view kLogs = "Logs";
inline constexpr std::string_view kDaemon = "Runs for others";
inline constexpr std::string_view kCalibration = "The data sheet of a pair of hosts";
inline constexpr std::string_view kSearch = "The highest rate";
inline constexpr std::string_view kOutput = "Output";
}  // namespace option_group

struct SenderOption {
    OptionRow row;
    std::uint8_t uses = 0;                     ///< flags of option_use
    ReadOption<SenderOptions> read = nullptr;  ///< null: read together with others elsewhere
    ReadTurn turn = ReadTurn::usual;
};

/// Options of flows that are no keys.
[[nodiscard]] std::span<const SenderOption> more_flow_option_rows();
[[nodiscard]] std::span<const SenderOption> run_option_rows();
[[nodiscard]] std::span<const SenderOption> log_option_rows();
[[nodiscard]] std::span<const SenderOption> output_option_rows();

}  // namespace groma
