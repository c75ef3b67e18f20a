// A batch of four short runs, and a folder for it.
#pragma once

#include <string>

#include "common/model/experiment/batch.hpp"

namespace groma {

inline const std::string kSampleBatch = R"(
name = "grid"
seed = 7
[[flow]]
to = "h"
[batch]
transport = ["udp", "tcp"]
size = [64, 512]
duration = "2s"
)";

inline Batch sample_batch(const std::string& text = kSampleBatch) {
    return parse_batch(text, "grid.toml", {}, 1).value();
}

}  // namespace groma
