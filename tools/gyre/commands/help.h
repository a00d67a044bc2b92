#ifndef GYRE_TOOL_HELP_H
#define GYRE_TOOL_HELP_H

/* A section of the manual page, tools/docs/gyre.1, as plain text. */
struct help_section {
    const char *heading;
    const char *const *lines; /* the first is the heading; ends with NULL */
};

/* Made by help_text.py. Ends with a heading of NULL. */
extern const struct help_section help_sections[];

#endif
