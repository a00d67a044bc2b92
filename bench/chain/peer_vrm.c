/* VRM's recurrence, bone by bone in scalar floats, as its specification writes it. */
#include "chain/peers.h"

#include <math.h>

typedef struct vector {
    float x, y, z;
} vector;

typedef struct rotation {
    vector v;
    float w;
} rotation;

static vector sum(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vector scaled(float s, vector a) { return (vector){s * a.x, s * a.y, s * a.z}; }
static float dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vector rotated(rotation q, vector a)
{
    const vector t = scaled(2, cross(q.v, a));
    return sum(a, sum(scaled(q.w, t), cross(q.v, t)));
}

static rotation product(rotation a, rotation b)
{
    return (rotation){sum(sum(scaled(a.w, b.v), scaled(b.w, a.v)), cross(a.v, b.v)), a.w * b.w - dot(a.v, b.v)};
}

static vector with_length(float length, vector a) { return scaled(length / sqrtf(dot(a, a)), a); }

static vector off_spheres(const vrm_chains *c, size_t chain, vector head, vector tail)
{
    for (size_t k = 0; k < c->colliders; k++) {
        const vector centre = {c->centre[k][0][chain], c->centre[k][1][chain], c->centre[k][2][chain]};
        const vector away = sum(tail, scaled(-1, centre));
        const float radius = c->collider_radius[k][chain] + c->radius, distance2 = dot(away, away);
        if (distance2 < radius * radius) {
            const vector out = sum(centre, scaled(radius / sqrtf(distance2), away));
            tail = sum(head, with_length(c->length, sum(out, scaled(-1, head))));
        }
    }
    return tail;
}

void peer_vrm(const vrm_chains *c, float dt_s)
{
    const vector down = {0, -1, 0};
    for (size_t i = 0; i < c->chains; i++) {
        vector head = {c->position[0][i], c->position[1][i], c->position[2][i]};
        rotation parent = {{c->parent[0][i], c->parent[1][i], c->parent[2][i]}, c->parent[3][i]};
        for (size_t l = 0; l < c->bones; l++) {
            vrm_bone *b = &c->bone[i * c->bones + l];
            const vector now = {b->tail[0], b->tail[1], b->tail[2]};
            const vector before = {b->tail_before[0], b->tail_before[1], b->tail_before[2]};
            const vector inertia = scaled(1 - c->drag_force, sum(now, scaled(-1, before)));
            const vector stiffness = scaled(dt_s * c->stiffness, rotated(parent, down));
            const vector external = scaled(dt_s * c->gravity_power, down);
            vector next = sum(now, sum(inertia, sum(stiffness, external)));
            next = sum(head, with_length(c->length, sum(next, scaled(-1, head))));
            next = off_spheres(c, i, head, next);
            b->tail_before[0] = now.x, b->tail_before[1] = now.y, b->tail_before[2] = now.z;
            b->tail[0] = next.x, b->tail[1] = next.y, b->tail[2] = next.z;
            const rotation back = {scaled(-1, parent.v), parent.w};
            const vector to = rotated(back, with_length(1, sum(next, scaled(-1, head)))), n = cross(down, to);
            const float w = 1 + dot(down, to), inverse = 1 / sqrtf(w * w + dot(n, n));
            const rotation local = {scaled(inverse, n), inverse * w};
            b->rotation[0] = local.v.x, b->rotation[1] = local.v.y, b->rotation[2] = local.v.z,
            b->rotation[3] = local.w;
            parent = product(parent, local);
            head = next;
        }
    }
}
