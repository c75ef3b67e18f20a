// The key of a run: rank 0 draws it and gives it to the ranks with their orders, each rank proves it to the others, and
// receivers and the log server serve only those who do (docs/guide/mpi.md).
#pragma once

#include "common/access/access_key.hpp"
#include "common/access/key_source.hpp"

namespace groma {

/// What a receiver or a log server asks for.
[[nodiscard]] KeySource asked_of_ranks(const SharedKey& key);

/// What a sender or a receiver offers, whatever rank it connects to.
[[nodiscard]] OfferKey offered_to_ranks(const SharedKey& key);

}  // namespace groma
