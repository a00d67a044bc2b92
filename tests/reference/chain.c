#include "reference/chain.h"

#include <math.h>

static const vector nothing = {{0, 0, 0}};

static vector unit(vector a) { return vector_scaled(a, 1 / vector_length(a)); }
static vector across(vector g, vector a) { return vector_difference(a, vector_scaled(g, vector_dot(g, a))); }

static vector of_floats(const float a[3]) { return (vector){{(double)a[0], (double)a[1], (double)a[2]}}; }

reference_bone reference_bone_of(const gyre_bone *b)
{
    return (reference_bone){
        .rest = quaternion_normalised(
            (quaternion){{(double)b->rest[0], (double)b->rest[1], (double)b->rest[2], (double)b->rest[3]}}),
        .tail = of_floats(b->tail),
        .radius = (double)b->radius,
        .stiffness = (double)b->stiffness,
        .damping = (double)b->damping,
        .drag = (double)b->drag,
        .load_damping = (double)b->load_damping,
        .gravity = (double)b->gravity,
        .limit = (double)b->limit,
        .hinge = of_floats(b->hinge),
    };
}

void reference_bone_matrix(double w2, double c, double h, double m[5])
{
    const long double a = (long double)c * (long double)h / 2, p = (long double)w2 * (long double)h * (long double)h,
                      s = p - a * a;
    long double ec, es;
    if (s > 1e-6L) {
        ec = expl(-a) * cosl(sqrtl(s));
        es = expl(-a) * sinl(sqrtl(s)) / sqrtl(s);
    } else if (s < -1e-6L) {
        const long double root = sqrtl(-s), slow = expl(-p / (a + root)), fast = expl(-a - root);
        ec = (slow + fast) / 2;
        es = (slow - fast) / (2 * root);
    } else {
        ec = expl(-a) * (1 - s / 2);
        es = expl(-a) * (1 - s / 6);
    }
    m[0] = (double)(ec + a * es);
    m[1] = (double)((long double)h * es);
    m[2] = -w2 * m[1];
    m[3] = (double)(ec - a * es);
    m[4] = p > 1e-9L ? (double)((1 - ec - a * es) / p * (long double)h * (long double)h)
                     : h * h * (a > 1e-4L ? (double)((2 * a - 1 + expl(-2 * a)) / (4 * a * a)) : 0.5);
}

/* ---- Limits and colliders ---- */

typedef struct direction {
    vector e, rate;
} direction;

static vector any_across(vector g)
{
    return unit(fabs(g.at[0]) > 0.6 ? (vector){{-g.at[2], 0, g.at[0]}} : (vector){{0, -g.at[2], g.at[1]}});
}

static direction out_of_cone(vector g, double limit, direction d)
{
    const double c = limit < -1 ? -1 : limit, along = vector_dot(d.e, g);
    if (along <= c) {
        return d;
    }
    const vector p = across(g, d.e), m = vector_length(p) < 1e-6 ? any_across(g) : unit(p);
    const double s = sqrt((1 - c) * (1 + c));
    const vector u = vector_difference(vector_scaled(g, s), vector_scaled(m, c));
    d.e = vector_sum(vector_scaled(g, c), vector_scaled(m, s));
    d.rate = across(d.e, d.rate);
    const double into = vector_dot(d.rate, u);
    d.rate = into > 0 ? vector_difference(d.rate, vector_scaled(u, into)) : d.rate;
    return d;
}

static direction off_sphere(bool inside, vector centre, double radius, vector head, double length, double hit,
                            direction d)
{
    const vector away = vector_difference(centre, head);
    const double distance = vector_length(away);
    if (distance < 0x1p-20) {
        return d;
    }
    const double rho = inside ? fmax(0, radius - hit) : radius + hit;
    const double c = (length * length + distance * distance - rho * rho) / (2 * length * distance);
    return out_of_cone(vector_scaled(away, (inside ? -1 : 1) / distance), inside ? -c : c, d);
}

static direction off_collider(const reference_collider *o, vector head, double length, double hit, direction d)
{
    if (o->kind == GYRE_COLLIDER_PLANE) {
        const double height = vector_dot(o->end, vector_difference(head, o->position)) - hit;
        return out_of_cone(vector_scaled(o->end, -1), height / length, d);
    }
    if (!(o->radius >= 0)) {
        return d;
    }
    const bool inside = o->kind == GYRE_COLLIDER_INSIDE_SPHERE || o->kind == GYRE_COLLIDER_INSIDE_CAPSULE;
    vector centre = o->position;
    if (o->kind == GYRE_COLLIDER_CAPSULE || o->kind == GYRE_COLLIDER_INSIDE_CAPSULE) {
        const vector axis = vector_difference(o->end, o->position);
        const vector at = vector_difference(vector_sum(head, vector_scaled(d.e, length)), o->position);
        const double part = vector_dot(at, axis) / fmax(0x1p-60, vector_dot(axis, axis));
        centre = vector_sum(centre, vector_scaled(axis, fmin(1, fmax(0, part))));
    }
    return off_sphere(inside, centre, o->radius, head, length, hit, d);
}

/* ---- A bone ---- */

typedef struct pose {
    quaternion base;
    vector rest, hinge; /* hinge 0: none */
} pose;

static pose pose_of(const reference_bone *b, quaternion parent)
{
    pose p = {.base = quaternion_normalised(quaternion_product(parent, b->rest)), .hinge = nothing};
    const vector axis = unit(b->tail);
    p.rest = quaternion_rotate(p.base, axis);
    if (vector_length(b->hinge) > 0) {
        const vector part = across(axis, unit(b->hinge));
        p.hinge = vector_length(part) < 1e-6 ? nothing : quaternion_rotate(p.base, unit(part));
    }
    return p;
}

static vector pull(const reference_bone *b, double length, pose p, vector load)
{
    const vector f = vector_sum(vector_scaled(p.rest, b->stiffness), vector_scaled(load, 1 / length));
    return across(p.hinge, f);
}

static direction constrained(const reference_chain *chain, const reference_bone *b, double length, pose p, vector head,
                             direction d)
{
    if (vector_length(p.hinge) > 0) {
        d.e = unit(across(p.hinge, d.e));
        d.rate = across(d.e, across(p.hinge, d.rate));
    }
    if (b->limit > 0 && b->limit < acos(-1)) {
        d = out_of_cone(vector_scaled(p.rest, -1), -cos(b->limit), d);
    }
    for (size_t k = 0; k < chain->colliders; k++) {
        d = off_collider(&chain->collider[k], head, length, chain->scale * b->radius, d);
    }
    return d;
}

static quaternion turned_to(pose p, vector e)
{
    const vector n = vector_cross(p.rest, e);
    const double w = 1 + vector_dot(p.rest, e);
    if (w < 1e-12) {
        const vector axis = any_across(p.rest);
        return quaternion_product((quaternion){{axis.at[0], axis.at[1], axis.at[2], 0}}, p.base);
    }
    return quaternion_normalised(
        quaternion_product(quaternion_normalised((quaternion){{n.at[0], n.at[1], n.at[2], w}}), p.base));
}

/* R x for the shortest turn from r0 to r1; *velocity becomes its angular velocity. */
static vector turned(vector r0, vector r1, vector x)
{
    const double k = vector_dot(r0, r1);
    if (k < -0.99) {
        return x;
    }
    const vector n = vector_cross(r0, r1);
    return vector_sum(vector_sum(vector_scaled(x, k), vector_cross(n, x)),
                      vector_scaled(n, vector_dot(n, x) / (1 + k)));
}

static vector turning(vector r0, vector r1, double h)
{
    const double k = vector_dot(r0, r1);
    const vector n = vector_cross(r0, r1);
    const double sine = vector_length(n);
    return k < -0.99 || sine == 0 ? nothing : vector_scaled(n, atan2(sine, k) / sine / h);
}

/* The free motion of a direction whose target turns from r0 to r1. */
static direction moved(const reference_bone *b, double w2, double h, vector r0, vector r1, direction d)
{
    const vector t = turning(r0, r1, h);
    d.rate = vector_difference(d.rate, vector_cross(t, d.e));
    d.e = turned(r0, r1, d.e);
    d.rate = turned(r0, r1, d.rate);

    const vector sum = vector_sum(d.e, r1);
    const double size = vector_length(sum);
    vector m, rate;
    double g, g_rate;
    if (size < 0x1p-10) {
        const double speed = vector_length(d.rate);
        m = speed > 0 ? vector_scaled(d.rate, 1 / speed) : any_across(r1);
        rate = vector_scaled(r1, speed / 2);
        g = 0;
    } else {
        m = vector_scaled(sum, 1 / size);
        rate = vector_scaled(across(m, d.rate), 1 / size);
        g = vector_dot(m, r1);
    }
    g_rate = vector_dot(rate, r1);
    vector y = vector_scaled(vector_difference(m, vector_scaled(r1, g)), 4 / (1 + g));
    vector y_rate =
        vector_scaled(vector_difference(vector_scaled(vector_difference(rate, vector_scaled(r1, g_rate)), 4),
                                        vector_scaled(y, g_rate)),
                      1 / (1 + g));

    double x[5];
    reference_bone_matrix(w2, fmax(0, b->damping + b->load_damping * (w2 - b->stiffness)), h, x);
    const vector air = vector_scaled(vector_cross(t, r1), -b->drag);
    const vector y0 = y;
    y = vector_sum(vector_sum(vector_scaled(y0, x[0]), vector_scaled(y_rate, x[1])), vector_scaled(air, x[4]));
    y_rate = vector_sum(vector_sum(vector_scaled(y0, x[2]), vector_scaled(y_rate, x[3])), vector_scaled(air, x[1]));

    const double q = vector_dot(y, y) / 16, q_rate = vector_dot(y, y_rate) / 8;
    m = vector_scaled(vector_sum(vector_scaled(r1, 1 - q), vector_scaled(y, 0.5)), 1 / (1 + q));
    rate = vector_scaled(vector_difference(vector_scaled(y_rate, 0.5), vector_scaled(vector_sum(r1, m), q_rate)),
                         1 / (1 + q));
    g = (1 - q) / (1 + q);
    g_rate = vector_dot(rate, r1);
    d.e = vector_difference(vector_scaled(m, 2 * g), r1);
    d.rate = vector_sum(vector_scaled(vector_sum(vector_scaled(m, g_rate), vector_scaled(rate, g)), 2),
                        vector_cross(t, d.e));
    return d;
}

vector reference_bone_direction(const reference_chain *chain, size_t i)
{
    return quaternion_rotate(chain->orientation[i], unit(chain->bone[i].tail));
}

void reference_chain_step(reference_chain *chain, double h)
{
    quaternion parent_before = chain->parent_before, parent = chain->parent;
    vector head_before = chain->position_before, head = chain->position;
    for (size_t i = 0; i < chain->bones; i++) {
        const reference_bone *b = &chain->bone[i];
        const double length = chain->scale * vector_length(b->tail);
        const vector mean = vector_scaled(vector_difference(head, head_before), 1 / h);
        const quaternion old = quaternion_normalised(chain->orientation[i]);
        if (length == 0) {
            chain->velocity[i] = mean;
            chain->orientation[i] = quaternion_normalised(quaternion_product(parent, b->rest));
        } else {
            const pose before = pose_of(b, parent_before), now = pose_of(b, parent);
            const vector load = vector_sum(vector_scaled(chain->gravity, b->gravity),
                                           vector_scaled(vector_difference(chain->wind, mean), b->drag));
            const vector f0 = pull(b, length, before, load), f1 = pull(b, length, now, load);
            const double size0 = vector_length(f0), size1 = vector_length(f1);
            const vector r0 = size0 > 0 ? vector_scaled(f0, 1 / size0) : before.rest;
            const vector r1 = size1 > 0 ? vector_scaled(f1, 1 / size1) : now.rest;
            direction d = {.e = quaternion_rotate(old, unit(b->tail))};
            head_before = vector_sum(head_before, vector_scaled(d.e, length));
            d.rate = across(d.e, vector_scaled(vector_difference(chain->velocity[i], mean), 1 / length));
            d = moved(b, (size0 + size1) / 2, h, r0, r1, d);
            d = constrained(chain, b, length, now, head, d);
            chain->target[i] = r1;
            chain->velocity[i] = vector_sum(mean, vector_scaled(d.rate, length));
            chain->orientation[i] = turned_to(now, d.e);
            head = vector_sum(head, vector_scaled(reference_bone_direction(chain, i), length));
        }
        chain->tail[i] = head;
        parent_before = old;
        parent = chain->orientation[i];
    }
}

void reference_chain_reset(reference_chain *chain, double h)
{
    quaternion parent = chain->parent;
    vector head = chain->position;
    const vector mean =
        h > 0 ? vector_scaled(vector_difference(chain->position, chain->position_before), 1 / h) : nothing;
    for (size_t i = 0; i < chain->bones; i++) {
        const reference_bone *b = &chain->bone[i];
        const double length = chain->scale * vector_length(b->tail);
        chain->velocity[i] = mean;
        if (length == 0) {
            chain->orientation[i] = quaternion_normalised(quaternion_product(parent, b->rest));
        } else {
            const pose now = pose_of(b, parent);
            const vector load = vector_sum(vector_scaled(chain->gravity, b->gravity),
                                           vector_scaled(vector_difference(chain->wind, mean), b->drag));
            const vector f = pull(b, length, now, load);
            const double size = vector_length(f);
            chain->target[i] = size > 0 ? vector_scaled(f, 1 / size) : now.rest;
            direction d = {chain->target[i], nothing};
            chain->orientation[i] = turned_to(now, constrained(chain, b, length, now, head, d).e);
            head = vector_sum(head, vector_scaled(reference_bone_direction(chain, i), length));
        }
        chain->tail[i] = head;
        parent = chain->orientation[i];
    }
}
