#include "mpi/world/mpi_world.hpp"

#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "common/base/errors.hpp"

namespace groma {

namespace {

/// Waiting ranks share cores with sending ranks: a waiting rank must yield its core.
void be_polite_while_waiting() {
    ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

}  // namespace

MpiWorld::MpiWorld(int* argc, char*** argv) {
    be_polite_while_waiting();
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) {
        throw RunError("cannot start MPI: MPI_Init_thread failed (is this started by the mpirun of the same MPI?)");
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (provided < MPI_THREAD_SERIALIZED) {
        MPI_Finalize();
        throw RunError(
            "cannot use this MPI: it cannot be called from several threads (MPI_THREAD_SERIALIZED); use one "
            "that was built with threads, such as Debian's Open MPI");
    }
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    processor_.assign(name.data(), static_cast<std::size_t>(length));
}

MpiWorld::~MpiWorld() {
    const std::lock_guard lock(calls_);
    MPI_Finalize();
}

void MpiWorld::abort(int status) noexcept {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
}

int rank_from_environment() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
        if (const char* text = std::getenv(name)) {
            const std::string_view digits = text;
            int rank = 0;
            std::from_chars(digits.data(), digits.data() + digits.size(), rank);
            return rank;
        }
    }
    return 0;
}

}  // namespace groma
