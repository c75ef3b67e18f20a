#include "common/cli/run_main.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
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

constexpr const char* kNoMemory = "not enough memory";

/// Of the last run_main(): a handler gets no arguments.
const char* running_program = "";

/// Destructors need memory, too, such as those of large JSON values. Where they have none, nothing can be unwound.
/// Allocates nothing.
[[noreturn]] void end_without_memory() {
    try {
        if (const std::exception_ptr error = std::current_exception()) {
            std::rethrow_exception(error);
        }
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "%s: %s\n", running_program, kNoMemory);
        std::_Exit(kExitFailed);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", running_program, error.what());
    }
    std::abort();
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
    running_program = program;
    std::set_terminate(end_without_memory);
    const auto failed = [&](const char* why, int status) {
        complain(program, why);
        if (std::ranges::find(arguments, "--json") != arguments.end()) {
            print_json_error(why);
        }
        return status;
    };
    try {
        return body(arguments);
    } catch (const UsageError& error) {
        const int status = failed(error.what(), kExitUsage);
        complain(program, "try '" + std::string(program) + " --help'");
        return status;
    } catch (const ParseError& error) {
        return failed(error.what(), kExitUsage);
    } catch (const std::bad_alloc&) {
        return failed(kNoMemory, kExitFailed);
    } catch (const std::exception& error) {
        return failed(error.what(), kExitFailed);
    }
}

int run_main(const char* program, int argc, char** argv, const std::function<int(const Arguments&)>& body) {
    return run_main(program, Arguments(argv + std::min(argc, 1), argv + argc), body);
}

}  // namespace groma
