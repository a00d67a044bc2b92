/* gyre: simulates scenes with the library, and lists what this machine supports. */
#include "commands/commands.h"
#include "commands/help.h"
#include "support/common.h"
#include "support/text.h"

#include <errno.h>
#include <gyre/gyre.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SECTIONS = 3 };

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help[MOST_SECTIONS + 1]; /* headings of sections of the manual page; ends with NULL */
} commands[] = {
    {"simulate", simulate, {"SIMULATE", "SCENES"}},
    {"info", info, {"INFO"}},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char *const overview[] = {"SYNOPSIS", "COMMANDS", "EXIT STATUS", NULL};

static void print_help(FILE *out, const char *const headings[])
{
    for (size_t i = 0; headings[i] != NULL; i++) {
        const struct help_section *section = help_sections;
        while (strcmp(section->heading, headings[i]) != 0) {
            section++;
        }
        fputs(i > 0 ? "\n" : "", out);
        for (const char *const *line = section->lines; *line != NULL; line++) {
            fprintf(out, "%s\n", *line);
        }
    }
}

static const struct command *find(const char *name)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, names[i]) == 0) {
            return &commands[i];
        }
    }
    if (strcmp(name, "plot") == 0) {
        fail(EXIT_BAD_INPUT, "unknown command \"plot\"; pictures come from python3 -m gyre.plot");
    }
    const char *nearest = nearest_word(name, names);
    if (nearest != NULL) {
        fail(EXIT_BAD_INPUT, "unknown command \"%s\"; did you mean %s?", name, nearest);
    }
    fail(EXIT_BAD_INPUT, "unknown command \"%s\"; try gyre --help", name);
}

static bool is_help_option(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* Unexpected arguments are more likely an error of the user than meant to be ignored. */
static void expect_no_more(int argc, char **argv, int used)
{
    if (argc > used) {
        fail(EXIT_BAD_INPUT, "unexpected \"%s\" after %s; try gyre --help", argv[used], argv[used - 1]);
    }
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr, overview);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--version") == 0) {
        expect_no_more(argc, argv, 2);
        puts("gyre " GYRE_VERSION);
        return 0;
    }
    if (is_help_option(argv[1]) || strcmp(argv[1], "help") == 0) {
        expect_no_more(argc, argv, 3);
        print_help(stdout, argc > 2 ? find(argv[2])->help : overview);
        return 0;
    }
    const struct command *command = find(argv[1]);
    for (int i = 2; i < argc; i++) {
        if (is_help_option(argv[i])) {
            print_help(stdout, command->help);
            return 0;
        }
    }
    char name[32];
    snprintf(name, sizeof name, "gyre: %s", command->name);
    argv[1] = name;
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    /* If the disk behind stdout is full, the last write may be the first to fail. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fail(EXIT_FAILED, "stdout: cannot write: %s", strerror(errno));
    }
    return status;
}
