// The options of groma-send, one row each, but those of a flow (common/model/flow/flow_keys.hpp) and of its transport
// (common/model/transport/transport_options.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/cli/option_value.hpp"

namespace groma {

struct SenderOptions;

/// What takes an option beside a run that is described on the command line; what is not said here refuses it.
namespace option_use {
inline constexpr std::uint8_t of_flow = 1U;            ///< describes a flow: an experiment file does not go with it
inline constexpr std::uint8_t of_daemon = 2U;          ///< --daemon, and nothing else
inline constexpr std::uint8_t with_daemon = 4U;        ///< --daemon as well
inline constexpr std::uint8_t of_calibration = 8U;     ///< --calibrate, and nothing else
inline constexpr std::uint8_t with_calibration = 16U;  ///< --calibrate as well
inline constexpr std::uint8_t not_via = 32U;           ///< is done on this host: --via does not go with it
}  // namespace option_use

namespace option_group {
inline constexpr std::string_view kFlow = "What to send";
inline constexpr std::string_view kTransport = "Options of the transport";
inline constexpr std::string_view kStop = "When to stop";
inline constexpr std::string_view kRun = "The run";
inline constexpr std::string_view kLogs = "Logs";
inline constexpr std::string_view kDaemon = "Runs for others";
inline constexpr std::string_view kCalibration = "The data sheet of a pair of hosts";
inline constexpr std::string_view kOutput = "Output";
}  // namespace option_group

struct SenderOption {
    OptionRow row;
    std::uint8_t uses = 0;                     ///< of option_use
    ReadOption<SenderOptions> read = nullptr;  ///< null: it is read with others, in the file of those that take it
    ReadTurn turn = ReadTurn::usual;
};

/// Of all flows, those of an experiment file as well.
[[nodiscard]] std::span<const SenderOption> shared_flow_option_rows();
[[nodiscard]] std::span<const SenderOption> run_option_rows();
[[nodiscard]] std::span<const SenderOption> log_option_rows();
[[nodiscard]] std::span<const SenderOption> output_option_rows();

}  // namespace groma
