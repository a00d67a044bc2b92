/* The limits of control groups, read below a folder that acts as the root of a file system. */
#include "support/memory_limit.h"

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *path, *text;
};

enum { MAX_FILES = 6 };

static const struct {
    const char *name;
    struct file files[MAX_FILES];
    double limit;
} cases[] = {
    {"no /proc", {{"/sys/fs/cgroup/memory.max", "5000\n"}}, INFINITY},
    {"a group without a limit", {{"/proc/self/cgroup", "0::/a\n"}, {"/sys/fs/cgroup/a/memory.max", "max\n"}}, INFINITY},
    {"a group without files", {{"/proc/self/cgroup", "0::/a\n"}}, INFINITY},
    {"its own", {{"/proc/self/cgroup", "0::/a/b\n"}, {"/sys/fs/cgroup/a/b/memory.max", "5000\n"}}, 5000},
    {"that of a group around it",
     {{"/proc/self/cgroup", "0::/a/b/c\n"},
      {"/sys/fs/cgroup/a/memory.max", "4000\n"},
      {"/sys/fs/cgroup/a/b/memory.max", "max\n"},
      {"/sys/fs/cgroup/a/b/c/memory.max", "5000\n"},
      {"/sys/fs/cgroup/a/other/memory.max", "3000\n"}},
     4000},
    {"the root of a container",
     {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/memory.max", "536870912\n"}},
     536870912},
    {"a path of the host in a container",
     {{"/proc/self/cgroup", "0::/docker/5f2c\n"}, {"/sys/fs/cgroup/memory.max", "5000\n"}},
     5000},
    {"version 1",
     {{"/proc/self/cgroup", "12:pids:/a\n4:hugetlb,memory:/a/b\n1:name=memory:/c\n0::/c\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "7000\n"},
      {"/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "6000\n"},
      {"/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "3000\n"}},
     6000},
    {"both versions, the limit in the second",
     {{"/proc/self/cgroup", "4:memory:/\n0::/a:b\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"/sys/fs/cgroup/a:b/memory.max", "8000\n"}},
     8000},
    {"text that names no group",
     {{"/proc/self/cgroup", "\n0\n0:\n\n"}, {"/sys/fs/cgroup/memory.max", "5000\n"}},
     INFINITY},
};

/* Writes a file and creates its parent folders. */
static void write_file(const char *root, const struct file *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, file->path);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *out = fopen(path, "w");
    check(out, !=, NULL);
    fputs(file->text, out);
    fclose(out);
}

static void test_limits_of_groups(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CASE("%s", cases[i].name);
        char root[] = "gyre-test-XXXXXX", command[64];
        check(mkdtemp(root), !=, NULL);
        for (size_t f = 0; f < MAX_FILES && cases[i].files[f].path != NULL; f++) {
            write_file(root, &cases[i].files[f]);
        }
        double limit = memory_limit_of_groups(root);
        snprintf(command, sizeof command, "rm -r %s", root);
        check(system(command), ==, 0);
        check(limit, ==, cases[i].limit);
    }
}

static void test_limit_of_this_process(void **state)
{
    (void)state;
    check(memory_limit(), >, 0);
    check(memory_limit(), <=, (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
    check(memory_limit(), <=, memory_limit_of_groups(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_limits_of_groups),
        TEST(test_limit_of_this_process),
    };
    return cmocka_run_group_tests_name("tool_memory_limit", tests, NULL, NULL);
}
