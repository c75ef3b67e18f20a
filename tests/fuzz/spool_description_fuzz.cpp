// The untrusted file that describes a spool and its destination: a description that was read is the same once written
// and read again, and its names are valid names of a log.
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/shipping/spool/spool_description.hpp"

using namespace groma;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    SpoolDescription description;
    try {
        description = parse_spool_description(std::string(reinterpret_cast<const char*>(data), size));
    } catch (const RunError& error) {
        check(plain_text(error.what()) == error.what(), "a message can be printed");
        return 0;
    }
    check(parse_spool_description(to_json(description)) == description, "a description is lost in its JSON");
    check(log_name_error(description.name).empty() and log_name_error(description.experiment).empty(),
          "a name is none of a log");
    check(plain_text(description.program) == description.program, "the program's name can be printed");
    return 0;
}
