/* Attitudes of a real body, to set those of a simulated one beside. */
#ifndef GYRE_TOOL_OBSERVED_H
#define GYRE_TOOL_OBSERVED_H

#include "scene/attitude.h"
#include "scene/scene.h"

struct observed {
    size_t count, predicted_count;
    double *at_s;                           /* ascending */
    double (*degrees)[3];                   /* alpha, beta and gamma as the file has them, and */
    struct attitude *attitudes, *predicted; /* what they make */
};

/* From the CSV file that `file` names, with columns at_s, alpha_deg, beta_deg and gamma_deg among others. Adds an event
   for each to the batch. An absent file is no attitudes. */
struct observed observed_read(struct batch *batch, const struct node *file, const struct scene *scene);

/* What the simulation says to the next one. */
void observed_predict(struct observed *observed, struct attitude predicted);

void observed_summary(const struct observed *observed, const char *name, FILE *out);

#endif
