/* Observed attitudes of a real body, to compare with simulated ones. */
#ifndef GYRE_TOOL_OBSERVED_H
#define GYRE_TOOL_OBSERVED_H

#include "scene/attitude.h"
#include "scene/scene.h"

struct observed {
    size_t count, predicted_count;
    double *at_s;                           /* ascending */
    double (*degrees)[3];                   /* alpha, beta and gamma of the file */
    struct attitude *attitudes, *predicted; /* made from these angles; simulated */
};

/* Reads the CSV file that `file` names, which has columns at_s, alpha_deg, beta_deg and gamma_deg, and adds an event to
   the batch for each row. An absent file has no rows. */
struct observed observed_read(struct batch *batch, const struct node *file, const struct scene *scene);

/* Stores the simulated attitude for the next observation. */
void observed_predict(struct observed *observed, struct attitude predicted);

void observed_summary(const struct observed *observed, const char *name, FILE *out);

#endif
