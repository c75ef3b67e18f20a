// Lets user-mode Linux run on processors with AMX: loaded into it with LD_PRELOAD (uml.py), this replaces ptrace(2).
//
// The kernel that Debian 12 has keeps 2696 bytes of a guest process's registers (the XSAVE area up to PKRU) and gives
// back as many. Linux takes only a complete area (arch/x86/kernel/fpu/regset.c, xstateregs_set), which with AMX has
// 11008 bytes, and the guest panics when it starts its first process. Guests do not use the rest, so it is filled with
// zeros here: registers in their initial state, as the header of the area says.
#include <dlfcn.h>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace {

using Ptrace = long (*)(__ptrace_request, pid_t, void*, void*);

Ptrace kernels_ptrace() {
    static const auto kFunction = reinterpret_cast<Ptrace>(::dlsym(RTLD_NEXT, "ptrace"));
    return kFunction;
}

long set_whole_area(pid_t process, const iovec& part) {
    alignas(64) static std::array<std::byte, std::size_t{64} << 10U> area;
    iovec whole{.iov_base = area.data(), .iov_len = area.size()};
    auto* const kind = reinterpret_cast<void*>(std::uintptr_t{NT_X86_XSTATE});
    const long result = kernels_ptrace()(PTRACE_GETREGSET, process, kind, &whole);
    if (result < 0 or whole.iov_len < part.iov_len) {
        errno = EFAULT;
        return -1;
    }
    std::fill(area.begin(), area.end(), std::byte{0});
    std::copy_n(static_cast<const std::byte*>(part.iov_base), part.iov_len, area.begin());
    return kernels_ptrace()(PTRACE_SETREGSET, process, kind, &whole);
}

}  // namespace

extern "C" long ptrace(__ptrace_request request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    const pid_t process = va_arg(arguments, pid_t);
    void* const address = va_arg(arguments, void*);
    void* const data = va_arg(arguments, void*);
    va_end(arguments);
    const long result = kernels_ptrace()(request, process, address, data);
    const bool is_area =
        request == PTRACE_SETREGSET and reinterpret_cast<std::uintptr_t>(address) == std::uintptr_t{NT_X86_XSTATE};
    if (result < 0 and errno == EFAULT and is_area) {
        return set_whole_area(process, *static_cast<const iovec*>(data));
    }
    return result;
}
