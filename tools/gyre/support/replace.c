#include "support/replace.h"

#include "support/common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 20 }; /* rows are short and many: few, large writes */
enum { MOST_PIECES = 100 };

static FILE *stream;
static char destination[PATH_MAX];
static char beside[PATH_MAX]; /* empty: nothing to remove or rename */
static const char *shown;     /* the destination as it was given */

typedef struct file_identity {
    dev_t device;
    ino_t file;
} file_identity;

static file_identity *inputs;
static size_t input_count;

static _Noreturn void cannot_write(void) { fail(EXIT_FAILED, "%s: cannot write: %s", shown, strerror(errno)); }

static void remove_piece(void)
{
    if (beside[0] != '\0') {
        unlink(beside);
        beside[0] = '\0';
    }
}

/* Removes the piece and dies of the signal, as if it had not been caught. Calls only what a handler may. */
static void stop(int signal_number)
{
    if (beside[0] != '\0') {
        unlink(beside);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void watch_for_the_end(void)
{
    struct sigaction action = {.sa_handler = stop};
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction former;
        /* What was ignored stays ignored: nohup. */
        if (sigaction(signals[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like others */
    atexit(remove_piece);
}

/* The length of the path that a piece's name begins with: as much of the destination's as leaves room for the rest, as
   names have an end on every file system, and whole letters of UTF-8, as some take nothing else. */
static int kept_length(void)
{
    enum { MOST_KEPT = 100 };
    const char *slash = strrchr(destination, '/');
    const char *name = slash != NULL ? slash + 1 : destination;
    size_t length = strlen(name);
    if (length > MOST_KEPT) {
        length = MOST_KEPT;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    return (int)(name - destination) + (int)length;
}

/* The file beside `destination`, open and new; the signals wait until its name is known to their handler. */
static int open_beside(mode_t mode)
{
    sigset_t all, former;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &former);
    int file = -1;
    errno = EEXIST;
    /* In containers numbers of processes come again, and a run that was killed leaves its piece. */
    for (int attempt = 0; file < 0 && errno == EEXIST && attempt < MOST_PIECES; attempt++) {
        if (snprintf(beside, sizeof beside, "%.*s.%ld-%d.part", kept_length(), destination, (long)getpid(), attempt) >=
            (int)sizeof beside) {
            errno = ENAMETOOLONG;
            break;
        }
        file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    if (file < 0) {
        beside[0] = '\0';
    }
    sigprocmask(SIG_SETMASK, &former, NULL);
    return file;
}

void replace_never(FILE *input)
{
    struct stat status;
    if (fstat(fileno(input), &status) == 0 && S_ISREG(status.st_mode)) {
        inputs = realloc(inputs, (input_count + 1) * sizeof *inputs);
        if (inputs == NULL) {
            fail(EXIT_FAILED, "out of memory");
        }
        inputs[input_count++] = (file_identity){status.st_dev, status.st_ino};
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

/* What is to be replaced: a link stays a link, and what it leads to is replaced. */
static void find_destination(const char *path, bool exists)
{
    struct stat itself;
    if (exists) {
        if (realpath(path, destination) == NULL || access(destination, W_OK) != 0) {
            cannot_write();
        }
    } else if (lstat(path, &itself) == 0) {
        fail(EXIT_FAILED, "%s: cannot write: is a link to nothing", path);
    } else if (errno != ENOENT) { /* a name that is too long is found here, not when all is to be renamed to it */
        cannot_write();
    } else if (snprintf(destination, sizeof destination, "%s", path) >= (int)sizeof destination) {
        errno = ENAMETOOLONG;
        cannot_write();
    }
}

/* Some file systems keep no modes, or have no way to write a folder back. */
static bool is_lacking(int problem) { return problem == EINVAL || problem == ENOTSUP; }

/* Owner and group as the former file has them, or who could read that could not read this. As far as this user may: who
   may write another's file may not give files away. */
static void keep_owner(int file, const struct stat *former)
{
    const bool is_kept =
        fchown(file, former->st_uid, former->st_gid) == 0 || fchown(file, (uid_t)-1, former->st_gid) == 0;
    (void)is_kept;
}

/* The file beside, with the mode that the former one has, if there is one, whatever the umask. */
static FILE *open_replacement(const struct stat *former)
{
    const mode_t mode = former != NULL ? former->st_mode & 0777 : 0666;
    const int file = open_beside(mode);
    if (file < 0) {
        return NULL;
    }
    if (former != NULL) {
        keep_owner(file, former);
        if (fchmod(file, mode) != 0 && !is_lacking(errno)) {
            return NULL;
        }
    }
    return fdopen(file, "wb");
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
        fail(EXIT_BAD_INPUT, "%s: is what this run reads, expected another file to write", path);
    } else if (exists && !S_ISREG(former.st_mode)) {
        stream = fopen(path, "wb");
    } else {
        find_destination(path, exists);
        watch_for_the_end();
        stream = open_replacement(exists ? &former : NULL);
    }
    if (stream == NULL) {
        cannot_write();
    }
    setvbuf(stream, NULL, _IOFBF, BUFFER_SIZE);
    return stream;
}

/* Writes a rename back. A folder that may not be read cannot be, and is no reason to fail: the file is there. */
static bool sync_folder(void)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(destination, '/');
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - destination) + 1, destination);
    }
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) {
        return errno == EACCES;
    }
    const bool is_synced = fsync(opened) == 0 || is_lacking(errno);
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
    if (fflush(stream) != 0) {
        cannot_write();
    }
    if (beside[0] != '\0' && fsync(fileno(stream)) != 0) {
        cannot_write();
    }
    if (stream != stdout && fclose(stream) != 0) {
        cannot_write();
    }
    if (beside[0] == '\0') {
        return;
    }
    if (rename(beside, destination) != 0) { /* a mount point, or another's file in a sticky folder */
        const int problem = errno;
        char kept[PATH_MAX];
        strcpy(kept, beside);
        beside[0] = '\0';
        fail(EXIT_FAILED, "%s: cannot write: %s; all of it is in %s", shown, strerror(problem), kept);
    }
    beside[0] = '\0';
    if (!sync_folder()) {
        cannot_write();
    }
}
