// Flow specs in control messages and in the metadata of logs.
#pragma once

#include "common/json/describe.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// JSON without the host names of groma-mpi (FlowSpec::from_host, to_host).
template <typename Fields>
void describe(Fields& fields, As<Fields, FlowSpec>& spec);

}  // namespace groma
