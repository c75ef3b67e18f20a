// groma-key: makes and shows the keys of users and hosts (man groma-key).
#include <unistd.h>

#include <cstdio>
#include <string>

#include "common/access/key_files.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/output.hpp"
#include "common/os/system_clock.hpp"
#include "keys/key_listing.hpp"
#include "keys/key_option_table.hpp"
#include "keys/key_options.hpp"
#include "keys/made_keys.hpp"
#include "keys/secret_output.hpp"

namespace {

int print(const std::string& text) {
    static_cast<void>(groma::write_output("-", text));
    return groma::kExitOk;
}

int make_new(const groma::KeyOptions& options) {
    groma::require_no_terminal(STDOUT_FILENO, "groma-key new " + options.name + " > " + options.name + ".key");
    groma::write_secret(STDOUT_FILENO, text_of(groma::new_access_key(groma::new_grant(options))));
    return groma::kExitOk;
}

int make_part(const groma::KeyOptions& options, groma::WallTime now) {
    const std::filesystem::path& file = options.files.front();
    const std::string& host = options.hosts.front();
    groma::require_no_terminal(
        STDOUT_FILENO, "groma-key host " + groma::plain_text(file.string()) + ' ' + host + " > " + host + ".key");
    groma::write_secret(STDOUT_FILENO, text_of(groma::part_of_host(groma::read_access_key(file), options, now)));
    return groma::kExitOk;
}

int make_token(const groma::KeyOptions& options) {
    const groma::MadeToken made = groma::new_token(options);
    groma::write_new_file(options.folder / (options.name + std::string(groma::kTokenExtension)), text_of(made.known));
    groma::write_secret(STDOUT_FILENO, made.digits + '\n');
    return groma::kExitOk;
}

int program_body(const groma::Arguments& arguments) {
    groma::SystemClock clock;
    const groma::WallTime now = clock.wall_now();
    const groma::KeyOptions options = groma::parse_key_options(arguments, now);
    switch (options.command) {
        case groma::KeyCommand::help:
            return print(groma::help_text(groma::key_option_table()));
        case groma::KeyCommand::version:
            return print("groma-key " GROMA_VERSION "\n");
        case groma::KeyCommand::new_key:
            return make_new(options);
        case groma::KeyCommand::host:
            return make_part(options, now);
        case groma::KeyCommand::token:
            return make_token(options);
        case groma::KeyCommand::show:
            return print(groma::key_listing(options.files, now));
    }
    return groma::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-key", argc, argv, program_body);
}
