#include "support/replace.h"

#include "support/common.h"
#include "support/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 20 }; /* few large writes for many short rows */

static FILE *stream;
static const char *shown;  /* the path as it was given, for messages */
static char *destination;  /* the file to replace: what a link leads to */
static const char *folder; /* of the destination */

static char part[PATH_MAX]; /* the temporary file */
static volatile sig_atomic_t has_part;

static struct identity {
    dev_t device;
    ino_t file;
} * inputs;
static size_t input_count;

static _Noreturn void cannot_write(void) { fail(EXIT_FAILED, "%s: cannot write: %s", shown, strerror(errno)); }

static void remove_part(void)
{
    if (has_part) {
        unlink(part);
    }
}

/* Removes the temporary file and ends by the same signal. Calls only functions that are safe in a signal handler. */
static void stop(int signal_number)
{
    remove_part();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void remove_part_at_exit(void)
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction action = {.sa_handler = stop}, former;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        /* An ignored signal stays ignored, as nohup asks. */
        if (sigaction(signals[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
    signal(SIGXFSZ, SIG_IGN); /* then a file that grows too large is a write error */
    atexit(remove_part);
}

void replace_never(FILE *input)
{
    struct stat status;
    if (fstat(fileno(input), &status) == 0 && S_ISREG(status.st_mode)) {
        inputs = resize(inputs, input_count + 1, sizeof *inputs);
        if (inputs == NULL) {
            out_of_memory(NULL);
        }
        inputs[input_count++] = (struct identity){status.st_dev, status.st_ino};
    }
}

static bool is_input(const struct stat *status)
{
    for (size_t i = 0; i < input_count; i++) {
        if (inputs[i].device == status->st_dev && inputs[i].file == status->st_ino) {
            return true;
        }
    }
    return false;
}

bool replace_is_stdout(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

/* Checks that the path can be written, so that a long run does not fail at its end. */
static void find_destination(const char *path, bool exists)
{
    struct stat itself;
    if (!exists && lstat(path, &itself) == 0) {
        fail(EXIT_FAILED, "%s: cannot write: it is a link to a file that does not exist", path);
    }
    if (!exists && errno != ENOENT) { /* such as a name that is too long */
        cannot_write();
    }
    destination = exists ? realpath(path, NULL) : strdup(path);
    if (destination == NULL || (exists && access(destination, W_OK) != 0)) {
        cannot_write();
    }
    static char path_of_folder[PATH_MAX]; /* which dirname may change, or leave unused */
    if (snprintf(path_of_folder, sizeof path_of_folder, "%s", destination) >= (int)sizeof path_of_folder) {
        errno = ENAMETOOLONG;
        cannot_write();
    }
    folder = dirname(path_of_folder);
}

/* Some file systems have no modes, or cannot sync a folder. */
static bool is_unsupported(int error) { return error == EINVAL || error == ENOTSUP; }

/* Gives the temporary file the owner, group and mode of the former file. The owner changes only where this user may do
   that, and then the group alone is tried; without a former file the mode follows the umask. */
static bool set_mode(int file, const struct stat *former)
{
    mode_t mode = former != NULL ? former->st_mode & 0777 : 0666;
    if (former != NULL) {
        bool is_kept =
            fchown(file, former->st_uid, former->st_gid) == 0 || fchown(file, (uid_t)-1, former->st_gid) == 0;
        (void)is_kept;
    } else {
        mode_t mask = umask(0);
        umask(mask);
        mode &= ~mask;
    }
    return fchmod(file, mode) == 0 || is_unsupported(errno);
}

static FILE *open_part(const struct stat *former)
{
    if (snprintf(part, sizeof part, "%s/gyre-part-XXXXXX", folder) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    remove_part_at_exit();
    has_part = true; /* a signal may come as soon as the file exists */
    int file = mkstemp(part);
    if (file < 0) {
        has_part = false;
        return NULL;
    }
    return set_mode(file, former) ? fdopen(file, "wb") : NULL;
}

FILE *replace_open(const char *path)
{
    struct stat former;
    if (path[0] == '\0') {
        fail(EXIT_BAD_INPUT, "the name of the output is empty");
    }
    const bool exists = stat(path, &former) == 0;
    shown = path;
    if (replace_is_stdout(path)) {
        shown = "stdout";
        stream = stdout;
    } else if (exists && is_input(&former)) {
        fail(EXIT_BAD_INPUT, "%s: is an input of this run, expected another file to write", path);
    } else if (exists && !S_ISREG(former.st_mode)) {
        stream = fopen(path, "wb");
    } else {
        find_destination(path, exists);
        stream = open_part(exists ? &former : NULL);
    }
    if (stream == NULL) {
        cannot_write();
    }
    setvbuf(stream, NULL, _IOFBF, BUFFER_SIZE);
    return stream;
}

/* Makes the renaming durable. A folder that may not be read cannot be synced, which is no reason to fail. */
static bool sync_folder(void)
{
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) {
        return errno == EACCES;
    }
    const bool is_synced = fsync(opened) == 0 || is_unsupported(errno);
    return close(opened) == 0 && is_synced;
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
    if (fflush(stream) != 0 || (has_part && fsync(fileno(stream)) != 0) || (stream != stdout && fclose(stream) != 0)) {
        cannot_write();
    }
    if (has_part) {
        has_part = false;
        if (rename(part, destination) != 0) { /* a mount point, or another user's file in a sticky folder */
            fail(EXIT_FAILED, "%s: cannot write: %s; the complete output is in %s", shown, strerror(errno), part);
        }
        if (!sync_folder()) {
            cannot_write();
        }
    }
}
