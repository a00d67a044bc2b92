#include "kernels/trace.h"

#include <csignal>
#include <cstdlib>

#include <elf.h>
#include <link.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench
{

namespace
{

struct Range {
    uintptr_t base, end;
};

/* dl_iterate_phdr reports the program itself first. */
int find_program(dl_phdr_info *info, size_t, void *range)
{
    auto *program = static_cast<Range *>(range);
    program->base = info->dlpi_addr;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            program->end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        }
    }
    return 1;
}

uintptr_t next_instruction(pid_t process)
{
#if defined(__arm__)
    (void)process; /* Linux has no single-stepping on 32-bit ARM */
    return 0;
#else
    user_regs_struct registers = {};
    iovec all = {&registers, sizeof registers};
    ptrace(PTRACE_GETREGSET, process, NT_PRSTATUS, &all);
#if defined(__x86_64__)
    return static_cast<uintptr_t>(registers.rip);
#else
    return static_cast<uintptr_t>(registers.pc);
#endif
#endif
}

} // namespace

std::vector<uintptr_t> traced(const std::function<void()> &step)
{
    Range program = {};
    dl_iterate_phdr(find_program, &program);
    const pid_t process = fork();
    if (process == 0) {
        if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) {
            raise(SIGSTOP);
            step();
            raise(SIGSTOP);
        }
        _exit(0);
    }
    std::vector<uintptr_t> addresses;
    int status = 0;
    waitpid(process, &status, 0);
    bool begun = false;
    while (WIFSTOPPED(status)) {
        if (WSTOPSIG(status) == SIGSTOP && begun) { /* the second one: step has returned */
            kill(process, SIGKILL);
        } else {
            begun = true;
            const uintptr_t address = next_instruction(process);
            if (address >= program.base && address < program.end) {
                addresses.push_back(address - program.base);
            }
            if (ptrace(PTRACE_SINGLESTEP, process, nullptr, nullptr) != 0) {
                kill(process, SIGKILL);
            }
        }
        waitpid(process, &status, 0);
    }
    return addresses;
}

} // namespace bench
