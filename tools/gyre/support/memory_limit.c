#include "support/memory_limit.h"

#include "support/system.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A group without a limit has "max" in its file (version 2) or a number near 2^63 (version 1). */
static double read_limit(const char *path)
{
    double limit = (double)INFINITY;
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%lf", &limit) != 1) {
            limit = (double)INFINITY;
        }
        fclose(file);
    }
    return limit;
}

/* The smallest limit of a group and those that contain it. In a container the path may begin with folders of the host,
   which are not mounted there; the mount itself is then the container's group. */
static double least_limit(const char *mount, char *group, const char *file)
{
    double least = (double)INFINITY;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        char path[2 * PATH_MAX];
        *end = '\0';
        snprintf(path, sizeof path, "%s%s/%s", mount, group, file);
        least = fmin(least, read_limit(path));
    }
    return least;
}

static int is_listed(const char *name, char *names)
{
    for (char *each = strtok(names, ","); each != NULL; each = strtok(NULL, ",")) {
        if (strcmp(each, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A line of /proc/self/cgroup is "number:controllers:group"; version 2 has the number 0 and no controllers. */
double memory_limit_of_groups(const char *root)
{
    char line[PATH_MAX + 256], mount[PATH_MAX];
    double least = (double)INFINITY;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL) {
            continue;
        }
        *controllers++ = *group++ = '\0';
        if (controllers[0] == '\0') {
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
            least = fmin(least, least_limit(mount, group, "memory.max"));
        } else if (is_listed("memory", controllers)) {
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/memory", root);
            least = fmin(least, least_limit(mount, group, "memory.limit_in_bytes"));
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return least;
}

double memory_limit(void) { return fmin(memory_left(), memory_limit_of_groups("")); }
