#include "common/cli/run_main.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/json/json_text.hpp"

namespace groma {

namespace {

void complain(const char* program, std::string_view text) {
    while (not text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string line = plain_text(text.substr(0, end));
        std::fprintf(stderr, "%s: %s\n", program, line.c_str());
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// For readers of the result on standard output.
void print_json_error(std::string_view text) {
    const nlohmann::json object{{"error", text}};
    std::puts(json_text(object).c_str());
}

}  // namespace

int run_main(const char* program, const Arguments& arguments, const std::function<int(const Arguments&)>& body) {
    // The write that raises one of these also fails, and that error is reported.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    const auto failed = [&](const std::exception& error, int status) {
        complain(program, error.what());
        if (std::ranges::find(arguments, "--json") != arguments.end()) {
            print_json_error(error.what());
        }
        return status;
    };
    try {
        return body(arguments);
    } catch (const UsageError& error) {
        const int status = failed(error, kExitUsage);
        complain(program, "try '" + std::string(program) + " --help'");
        return status;
    } catch (const ParseError& error) {
        return failed(error, kExitUsage);
    } catch (const std::exception& error) {
        return failed(error, kExitFailed);
    }
}

int run_main(const char* program, int argc, char** argv, const std::function<int(const Arguments&)>& body) {
    return run_main(program, Arguments(argv + std::min(argc, 1), argv + argc), body);
}

}  // namespace groma
