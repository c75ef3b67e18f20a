// groma-dec: logs in, figures out.
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/cli/run_main.hpp"
#include "common/os/output.hpp"
#include "common/os/system_clock.hpp"
#include "decoder/command/decode.hpp"
#include "decoder/command/decoder_options.hpp"
#include "decoder/fit/fit_command.hpp"
#include "decoder/html/report_command.hpp"
#include "decoder/packets/pcapng_export.hpp"
#include "decoder/repetitions/repetition_command.hpp"

namespace {

/// What the first word can ask for instead of figures. A log of such a name is written "./NAME".
struct Command {
    std::string_view name;
    int (*run)(std::span<const std::string> arguments, groma::Clock& clock);  ///< those behind the name
};

constexpr std::array kCommands{
    Command{"batch", [](auto arguments, groma::Clock&) { return groma::run_batch_command(arguments); }},
    Command{"fit", [](auto arguments, groma::Clock&) { return groma::fit_command(arguments); }},
    Command{"pcapng", [](auto arguments, groma::Clock&) { return groma::pcapng_command(arguments); }},
    Command{"report", groma::run_report_command},
};

int program_body(std::span<const std::string> arguments) {
    groma::SystemClock clock;
    for (const Command& command : kCommands) {
        if (not arguments.empty() and arguments.front() == command.name) {
            return command.run(arguments.subspan(1), clock);
        }
    }
    const groma::DecoderOptions options = groma::parse_decoder_options(arguments);
    if (options.help or options.version) {
        const std::string text =
            options.help ? help_text(groma::decoder_option_table()) : "groma-dec " GROMA_VERSION "\n";
        return groma::write_output("-", text) ? groma::kExitOk : groma::kExitFailed;
    }
    return groma::decode(options, clock);
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-dec", argc, argv, program_body);
}
