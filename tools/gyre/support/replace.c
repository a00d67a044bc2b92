#include "support/replace.h"

#include "support/common.h"
#include "support/memory.h"
#include "support/system.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 20 }; /* few large writes for many short rows */

static FILE *stream;
static const char *shown;  /* the path as it was given, for messages */
static char *destination;  /* the file to replace, with links resolved */
static const char *folder; /* of the destination */

static char part[PATH_MAX]; /* the temporary file */
static volatile sig_atomic_t has_part;

static file_status *inputs;
static size_t input_count;

static _Noreturn void cannot_write(void) { fail(EXIT_FAILED, "%s: cannot write: %s", shown, strerror(errno)); }

static void remove_part(void)
{
    if (has_part) {
        unlink(part);
    }
}

void replace_never(FILE *input)
{
    file_status status;
    if (file_status_of(input, &status) && status.kind == FILE_REGULAR) {
        inputs = resize(inputs, input_count + 1, sizeof *inputs);
        if (inputs == NULL) {
            out_of_memory(NULL);
        }
        inputs[input_count++] = status;
    }
}

static bool is_input(const file_status *status)
{
    for (size_t i = 0; i < input_count; i++) {
        if (inputs[i].device == status->device && inputs[i].number == status->number) {
            return true;
        }
    }
    return false;
}

bool replace_is_stdout(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

/* Checks that the path can be written, so that a long run does not fail at its end. */
static void find_destination(const char *path, bool exists)
{
    destination = exists ? file_behind(path) : strdup(path);
    if (destination == NULL || (exists && access(destination, W_OK) != 0)) {
        cannot_write();
    }
    static char path_of_folder[PATH_MAX]; /* dirname may change it, or leave it unused */
    if (snprintf(path_of_folder, sizeof path_of_folder, "%s", destination) >= (int)sizeof path_of_folder) {
        errno = ENAMETOOLONG;
        cannot_write();
    }
    folder = dirname(path_of_folder);
}

static FILE *open_part(const file_status *former)
{
    if (snprintf(part, sizeof part, "%s/gyre-part-XXXXXX", folder) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    atexit(remove_part);
    before_signals_end(remove_part);
    has_part = true; /* a signal may come as soon as the file exists */
    return file_create(part, former);
}

FILE *replace_open(const char *path)
{
    file_status former;
    if (path[0] == '\0') {
        fail(EXIT_BAD_INPUT, "the output name is empty");
    }
    shown = path;
    if (replace_is_stdout(path)) {
        shown = "stdout";
        stream = stdout;
        stream_is_binary(stream);
    } else if (!file_status_at(path, &former)) { /* such as a name that is too long */
        cannot_write();
    } else if (former.kind == FILE_ABSENT && is_dangling(path)) {
        fail(EXIT_FAILED, "%s: cannot write: it is a link to a file that does not exist", path);
    } else if (former.kind != FILE_ABSENT && is_input(&former)) {
        fail(EXIT_BAD_INPUT, "%s: is an input of this run, expected a different output file", path);
    } else if (former.kind == FILE_SPECIAL) {
        stream = fopen(path, "wb");
    } else {
        find_destination(path, former.kind == FILE_REGULAR);
        stream = open_part(&former);
    }
    if (stream == NULL) {
        cannot_write();
    }
    setvbuf(stream, NULL, _IOFBF, BUFFER_SIZE);
    return stream;
}

void replace_check(void)
{
    if (ferror(stream)) {
        cannot_write();
    }
}

void replace_commit(void)
{
    replace_check();
    if (fflush(stream) != 0 || (has_part && !file_sync(stream)) || (stream != stdout && fclose(stream) != 0)) {
        cannot_write();
    }
    if (has_part) {
        has_part = false;
        if (!file_rename(part, destination)) { /* a mount point, or another user's file in a sticky folder */
            fail(EXIT_FAILED, "%s: cannot write: %s; the complete output is in %s", shown, strerror(errno), part);
        }
        if (!folder_sync(folder)) {
            cannot_write();
        }
    }
}
