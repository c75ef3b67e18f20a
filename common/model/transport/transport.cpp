#include "common/model/transport/transport.hpp"

#include <string>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

Transport parse_transport(std::string_view text) {
    std::array<std::string_view, kTransports.size()> names{};
    std::string all;
    for (std::size_t i = 0; i < kTransports.size(); ++i) {
        if (kTransports[i].name == text) {
            return kTransports[i].transport;
        }
        names[i] = kTransports[i].name;
        all.append(i == 0 ? "" : " ").append(names[i]);
    }
    throw UsageError("there is no transport '" + plain_text(text, 40) + "'" + did_you_mean(text, names) +
                     " (there are: " + all + ")");
}

std::string_view to_string(Transport transport) noexcept {
    return traits(transport).name;
}

}  // namespace groma
