/* gyre: runs scenes on the library, tells what this machine can do, draws pictures. */
#include "commands/commands.h"
#include "plot/plot.h"
#include "support/common.h"
#include "support/text.h"

#include <errno.h>
#include <gyre/gyre.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    void (*help)(FILE *out);
    const char *summary;
} commands[] = {
    {"simulate", simulate, simulate_help, "run a scene and write its states"},
    {"info", info, info_help, "list the instruction sets and which one is used"},
    {"plot", plot, plot_help, "draw a picture with gnuplot"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find(const char *name)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, names[i]) == 0) {
            return &commands[i];
        }
    }
    const char *nearest = nearest_word(name, names);
    if (nearest != NULL) {
        fail(EXIT_BAD_INPUT, "unknown command \"%s\"; did you mean %s?", name, nearest);
    }
    fail(EXIT_BAD_INPUT, "unknown command \"%s\"; try gyre --help", name);
}

static void overview(FILE *out)
{
    fputs("Usage: gyre COMMAND [options]\n\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  gyre %-12s%s\n", commands[i].name, commands[i].summary);
    }
    fputs("\n  gyre help COMMAND   what a command does and its options\n"
          "  gyre --version      the version\n\n"
          "Exit status: 0 done, 1 could not (output, memory, a missing program), 2 usage,\n"
          "or input that is bad or cannot be read.\n",
          out);
}

/* What is left over is likelier a slip than a wish. */
static void expect_no_more(int argc, char **argv, int taken)
{
    if (argc > taken) {
        fail(EXIT_BAD_INPUT, "unexpected \"%s\" after %s; try gyre --help", argv[taken], argv[taken - 1]);
    }
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        overview(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--version") == 0) {
        expect_no_more(argc, argv, 2);
        puts("gyre " GYRE_VERSION);
        return 0;
    }
    bool is_help = strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (is_help && argc > 2) {
        const struct command *command = find(argv[2]);
        expect_no_more(argc, argv, 3);
        command->help(stdout);
        return 0;
    }
    if (is_help) {
        overview(stdout);
        return 0;
    }
    const struct command *command = find(argv[1]);
    char name[32];
    snprintf(name, sizeof name, "gyre: %s", command->name); /* how getopt_long begins what it says */
    argv[1] = name;
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    /* A full disk behind stdout shows only when the last of it is written. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fail(EXIT_FAILED, "stdout: cannot write: %s", strerror(errno));
    }
    return status;
}
