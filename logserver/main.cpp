// groma-log: collects the logs of experiments.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/process.hpp"
#include "common/os/system_clock.hpp"
#include "logserver/commands/commands.hpp"
#include "logserver/log_option_table.hpp"
#include "logserver/log_options.hpp"
#include "logserver/log_server.hpp"

namespace {

void write_port(const std::filesystem::path& file, std::uint16_t port) {
    const std::filesystem::path part = file.string() + ".part";
    std::ofstream(part) << port << '\n';
    std::error_code error;
    std::filesystem::rename(part, file, error);
    if (error) {
        throw groma::SystemError("write the port to " + file.string(), error.value());
    }
}

std::string greeting(const groma::LogServer& server, const groma::LogServerSettings& settings) {
    std::string addresses;
    for (const groma::SocketAddress& address : server.addresses()) {
        addresses += (addresses.empty() ? "" : ", ") + address.to_string();
    }
    return "listening on " + addresses + (settings.listen.open ? "" : " (loopback only; --open for every address)") +
           ", logs go to " + settings.directory.string();
}

int serve(groma::LogOptions options, groma::Clock& clock) {
    const auto logger = spdlog::stderr_color_mt("groma-log");
    logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %n: %v");
    options.server.report = [logger](const std::string& line) { logger->info("{}", groma::plain_text(line)); };
    groma::raise_fd_limit();
    groma::LogServer server(options.server, clock);
    server.stop_on_signals();
    std::printf("groma-log " GROMA_VERSION ": %s\n", greeting(server, options.server).c_str());
    std::fflush(stdout);
    if (options.port_file) {
        write_port(*options.port_file, server.port());
    }
    server.run();
    return groma::kExitOk;
}

int program_body(const std::vector<std::string>& arguments) {
    groma::LogOptions options = groma::parse_log_options(arguments);
    groma::SystemClock clock;
    switch (options.command) {
        case groma::LogCommand::help:
            std::fputs(groma::help_text(groma::log_option_table()).c_str(), stdout);
            return groma::kExitOk;
        case groma::LogCommand::version:
            std::puts("groma-log " GROMA_VERSION);
            return groma::kExitOk;
        case groma::LogCommand::serve:
            return serve(std::move(options), clock);
        default:
            break;
    }
    return groma::run_command(options, clock);
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-log", argc, argv, program_body);
}
