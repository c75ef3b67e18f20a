// groma._log: the packets of logs as arrays of NumPy. Python's side is python/groma/_packets.py.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "python/extension/log_packets.hpp"

namespace py = pybind11;

namespace {

using namespace groma;  // a program of one file, as it were

/// An array that owns the column's memory from now on.
template <typename T>
py::array as_array(GrowingColumn<T>& column) {
    const auto count = static_cast<py::ssize_t>(column.size());
    typename GrowingColumn<T>::Memory memory = column.release();
    if (memory == nullptr) {
        return py::array_t<T>(count);
    }
    const T* values = memory.get();
    const py::capsule owner(memory.release(), [](void* freed) { FreedMemory()(freed); });
    return py::array_t<T>(count, values, owner);
}

void add_columns(py::dict& columns, SentPackets& packets) {
    columns["sent_ns"] = as_array(packets.sent_ns);
    columns["lateness_ns"] = as_array(packets.lateness_ns);
    columns["size"] = as_array(packets.size);
    columns["batch"] = as_array(packets.batch);
}

void add_columns(py::dict& columns, ReceivedPackets& packets) {
    columns["sent_ns"] = as_array(packets.sent_ns);
    columns["received_ns"] = as_array(packets.received_ns);
    columns["size"] = as_array(packets.size);
    columns["ttl"] = as_array(packets.ttl);
    columns["ds_byte"] = as_array(packets.ds_byte);
}

void add_columns(py::dict& columns, ReturnedPackets& packets) {
    columns["sent_ns"] = as_array(packets.sent_ns);
    columns["returned_ns"] = as_array(packets.returned_ns);
    columns["reflected_ns"] = as_array(packets.reflected_ns);
    columns["replied_ns"] = as_array(packets.replied_ns);
    columns["size"] = as_array(packets.size);
}

void add_columns(py::dict& columns, TransmittedPackets& packets) {
    columns["transmitted_ns"] = as_array(packets.transmitted_ns);
}

void add_columns(py::dict& columns, MatchedPackets& packets) {
    columns["sent_ns"] = as_array(packets.sent_ns);
    columns["received_ns"] = as_array(packets.received_ns);
    columns["delay_ns"] = as_array(packets.delay_ns);
    columns["lateness_ns"] = as_array(packets.lateness_ns);
    columns["size"] = as_array(packets.size);
}

py::str shown(const std::string& text) {
    return {plain_text(text)};
}

py::dict description(const ReadLog& log) {
    py::dict names;
    for (const FlowSetup& setup : log.metadata.flows) {
        names[py::int_(setup.spec.id.value)] = shown(setup.spec.name);
    }
    py::list gaps;
    for (const LogGap& gap : log.gaps) {
        gaps.append(py::make_tuple(gap.offset, gap.bytes, shown(gap.reason)));
    }
    py::dict said;
    said["path"] = shown(log.name);
    said["role"] = std::string(to_string(log.metadata.role));
    said["run_id"] = shown(log.metadata.run_id);
    said["experiment"] = shown(log.metadata.experiment);
    said["host"] = shown(log.metadata.host);
    said["program"] = shown(log.metadata.program);
    said["timestamps"] = shown(log.metadata.timestamps);
    said["started_ns"] = ns_since_epoch(log.metadata.started_at);
    said["seed"] = log.metadata.seed;
    said["names"] = names;
    said["complete"] = log.totals.has_value();
    said["gaps"] = gaps;
    return said;
}

std::optional<std::set<FlowId>> flows_of(const std::optional<std::vector<std::uint32_t>>& flows) {
    if (not flows) {
        return std::nullopt;
    }
    std::set<FlowId> wished;
    for (const std::uint32_t flow : *flows) {
        wished.insert(FlowId{flow});
    }
    return wished;
}

std::optional<PacketTable> kind_named(const std::optional<std::string>& kind) {
    constexpr std::pair<const char*, PacketTable> kKinds[] = {{"sent", PacketTable::sent},
                                                              {"received", PacketTable::received},
                                                              {"returned", PacketTable::returned},
                                                              {"transmitted", PacketTable::transmitted},
                                                              {"matched", PacketTable::matched}};
    for (const auto& [name, value] : kKinds) {
        if (kind == name) {
            return value;
        }
    }
    if (kind) {
        throw py::value_error("kind: '" + plain_text(*kind, 100) +
                              "' is not sent, received, returned, transmitted or matched");
    }
    return std::nullopt;
}

const char* name_of(PacketTable kind) {
    switch (kind) {
        case PacketTable::sent:
            return "sent";
        case PacketTable::received:
            return "received";
        case PacketTable::returned:
            return "returned";
        case PacketTable::transmitted:
            return "transmitted";
        default:
            return "matched";
    }
}

/// Ctrl-C ends the reading of a large log.
void look_for_signals() {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
    }
}

std::uint64_t memory_of_this_machine() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

py::tuple read_arrays(std::vector<std::string> paths, const std::optional<std::string>& kind,
                      const std::optional<std::vector<std::uint32_t>>& flows, bool allow_damage) {
    PacketWish wish{.paths = std::move(paths),
                    .kind = kind_named(kind),
                    .flows = flows_of(flows),
                    .allow_damage = allow_damage,
                    .most_bytes = memory_of_this_machine(),
                    .look_around = look_for_signals};
    LogPackets found;
    {
        const py::gil_scoped_release unlocked;
        found = read_packets(std::move(wish));
    }
    py::dict columns;
    std::visit(
        [&](auto& packets) {
            columns["flow"] = as_array(packets.flow);
            columns["seq"] = as_array(packets.seq);
            add_columns(columns, packets);
        },
        found.packets);
    py::list logs;
    for (const ReadLog& log : found.logs) {
        logs.append(description(log));
    }
    py::list notes;
    for (const std::string& note : found.notes) {
        notes.append(shown(note));
    }
    return py::make_tuple(name_of(found.kind), columns, logs, notes);
}

void raise_as(const py::object& kind, const std::string& message) {
    PyErr_SetObject(kind.ptr(), shown(message).ptr());
}

/// Errors of ours as exceptions of Python. Throws: what it does not know.
void translate(std::exception_ptr thrown) {
    const auto log_error = [] { return py::module_::import("groma._errors").attr("LogError"); };
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const SystemError& error) {
        PyErr_SetObject(PyExc_OSError, py::make_tuple(error.errno_value(), shown(error.what())).ptr());
    } catch (const UsageError& error) {
        raise_as(log_error(), error.what());
    } catch (const ParseError& error) {
        raise_as(log_error(), error.what());
    } catch (const RunError& error) {
        raise_as(log_error(), error.what());
    }
}

}  // namespace

PYBIND11_MODULE(_log, module) {
    module.doc() = "Reads logs of Groma into arrays of NumPy.";
    py::register_exception_translator(translate);
    module.def("read", &read_arrays, py::arg("paths"), py::arg("kind"), py::arg("flows"), py::arg("allow_damage"),
               "(kind, columns by name, logs, notes) of the packets of one run's logs.");
}
