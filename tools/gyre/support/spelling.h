/* What was meant by a slip of the pen. */
#ifndef GYRE_TOOL_SPELLING_H
#define GYRE_TOOL_SPELLING_H

/* Of `words`, which ends with NULL, the one that is at most two letters off; NULL: none is. */
const char *nearest_word(const char *word, const char *const words[]);

#endif
