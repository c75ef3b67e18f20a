// groma-dec: logs in, figures out.
#include <cstdio>
#include <string>
#include <vector>

#include "common/cli/run_main.hpp"
#include "decoder/decode.hpp"
#include "decoder/options.hpp"
#include "decoder/output.hpp"

int main(int argc, char** argv) {
    return groma::run_main("groma-dec", [&] {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        const groma::DecoderOptions options = groma::parse_decoder_options(arguments);
        if (options.help or options.version) {
            const std::string text = options.help ? groma::decoder_help() : "groma-dec " GROMA_VERSION "\n";
            return groma::write_output("-", text) ? groma::kExitOk : groma::kExitFailed;
        }
        return groma::decode(options);
    });
}
