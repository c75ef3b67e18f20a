#include "common/cli/run_main.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

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

}  // namespace

int run_main(const char* program, const std::function<int()>& body) {
    // The write that caused one of these fails as well, and that error is told.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return body();
    } catch (const UsageError& error) {
        complain(program, error.what());
        complain(program, "try '" + std::string(program) + " --help'");
        return kExitUsage;
    } catch (const ParseError& error) {
        complain(program, error.what());
        return kExitUsage;
    } catch (const std::exception& error) {
        complain(program, error.what());
        return kExitFailed;
    }
}

}  // namespace groma
