#include "support/chains.h"

#include "support/orientations.h"

#include <math.h>
#include <string.h>

size_t bone_at(const chain_batch *b, size_t l, size_t c) { return b->level_begin[l] + c; }

size_t bones_of(const chain_batch *b, size_t c)
{
    size_t bones = 0;
    while (bones < CHAIN_LEVELS && c < b->level_begin[bones + 1] - b->level_begin[bones]) {
        bones++;
    }
    return bones;
}

quaternion chain_quaternion(float array[4][CHAIN_BONES], size_t i)
{
    return (quaternion){{(double)array[0][i], (double)array[1][i], (double)array[2][i], (double)array[3][i]}};
}

vector chain_vector_at(float array[3][CHAIN_BONES], size_t i)
{
    return (vector){{(double)array[0][i], (double)array[1][i], (double)array[2][i]}};
}

static void use_arrays(const float **to, float *from, size_t stride, size_t count, bool used)
{
    for (size_t k = 0; k < count; k++) {
        to[k] = used ? from + k * stride : NULL;
    }
}

static void use_limits(chain_batch *b, unsigned features)
{
    for (size_t k = 0; k < CHAIN_PALETTE; k++) {
        b->bones[k].limit = features & CHAIN_LIMITED ? b->limit[k] : 0;
    }
}

gyre_bone_chains chains_of(chain_batch *b, unsigned features)
{
    use_limits(b, features);
    gyre_bone_chains c = {.count = CHAINS, .levels = CHAIN_LEVELS, .level_begin = b->level_begin, .bones = b->bones};
    c.bone_count = CHAIN_PALETTE;
    c.bone = features & CHAIN_MIXED ? b->bone : NULL;
    for (size_t k = 0; k < 4; k++) {
        c.orientation[k] = b->orientation[k];
        c.local[k] = features & CHAIN_OUTPUTS ? b->local[k] : NULL;
    }
    for (size_t k = 0; k < 3; k++) {
        c.velocity[k] = b->velocity[k];
        c.tail[k] = features & CHAIN_OUTPUTS ? b->tail[k] : NULL;
    }
    use_arrays(c.rest, b->rest[0], CHAIN_BONES, 4, features & CHAIN_RESTS);
    use_arrays(c.position, b->position[0], CHAINS, 3, true);
    use_arrays(c.parent, b->parent[0], CHAINS, 4, true);
    use_arrays(c.position_before, b->position_before[0], CHAINS, 3, features & CHAIN_MOVES);
    use_arrays(c.parent_before, b->parent_before[0], CHAINS, 4, features & CHAIN_TURNS);
    use_arrays(c.gravity, b->gravity[0], CHAINS, 3, features & CHAIN_GRAVITY);
    use_arrays(c.wind, b->wind[0], CHAINS, 3, features & CHAIN_WIND);
    c.scale = features & CHAIN_SCALED ? b->scale : NULL;
    if (features & CHAIN_COLLIDES) {
        for (size_t k = 0; k < CHAIN_COLLIDERS; k++) {
            use_arrays(b->colliders[k].position, b->collider[k].position[0], CHAINS, 3, true);
            use_arrays(b->colliders[k].end, b->collider[k].end[0], CHAINS, 3, true);
            b->colliders[k].radius = b->collider[k].radius;
        }
        c.colliders = b->colliders;
        c.collider_count = CHAIN_COLLIDERS;
    }
    if (features & CHAIN_SLEEPS) {
        c.rest_angle = c.rest_speed = 0.01f;
        c.awake = b->awake;
    }
    if (features & CHAIN_SKIPS) {
        c.awake = b->awake;
        c.skip_asleep = true;
    }
    return c;
}

static vector vector_in(float array[3][CHAINS], size_t c)
{
    return (vector){{(double)array[0][c], (double)array[1][c], (double)array[2][c]}};
}

static quaternion quaternion_in(float array[4][CHAINS], size_t c)
{
    return quaternion_normalised(
        (quaternion){{(double)array[0][c], (double)array[1][c], (double)array[2][c], (double)array[3][c]}});
}

void take_roots(reference_chain *r, chain_batch *b, unsigned features, size_t c)
{
    r->position = vector_in(b->position, c);
    r->parent = quaternion_in(b->parent, c);
    r->position_before = features & CHAIN_MOVES ? vector_in(b->position_before, c) : r->position;
    r->parent_before = features & CHAIN_TURNS ? quaternion_in(b->parent_before, c) : r->parent;
}

reference_chain reference_of(chain_batch *b, unsigned features, size_t c)
{
    use_limits(b, features);
    reference_chain r = {.bones = bones_of(b, c), .scale = features & CHAIN_SCALED ? (double)b->scale[c] : 1};
    for (size_t l = 0; l < r.bones; l++) {
        const size_t i = bone_at(b, l, c);
        r.bone[l] = reference_bone_of(&b->bones[features & CHAIN_MIXED ? b->bone[i] : l]);
        quaternion q, rest;
        for (size_t k = 0; k < 4; k++) {
            q.at[k] = (double)b->orientation[k][i];
            rest.at[k] = (double)b->rest[k][i];
        }
        for (size_t k = 0; k < 3; k++) {
            r.velocity[l].at[k] = (double)b->velocity[k][i];
        }
        r.orientation[l] = quaternion_normalised(q);
        if (features & CHAIN_RESTS) {
            r.bone[l].rest = quaternion_normalised(rest);
        }
    }
    take_roots(&r, b, features, c);
    if (features & CHAIN_GRAVITY) {
        r.gravity = vector_in(b->gravity, c);
    }
    if (features & CHAIN_WIND) {
        r.wind = vector_in(b->wind, c);
    }
    for (size_t k = 0; features & CHAIN_COLLIDES && k < CHAIN_COLLIDERS; k++) {
        r.collider[k] = (reference_collider){b->colliders[k].kind, vector_in(b->collider[k].position, c),
                                             vector_in(b->collider[k].end, c), (double)b->collider[k].radius[c]};
        r.colliders = k + 1;
    }
    return r;
}

/* ---- Random chains ---- */

static void put_quaternion(float *array, size_t stride, size_t i, quaternion q)
{
    for (size_t k = 0; k < 4; k++) {
        array[k * stride + i] = (float)q.at[k];
    }
}

static void put_vector(float *array, size_t stride, size_t i, vector a)
{
    for (size_t k = 0; k < 3; k++) {
        array[k * stride + i] = (float)a.at[k];
    }
}

static gyre_bone random_bone(random_source *random, size_t entry)
{
    gyre_bone b = {.radius = 0.02f * random_unit(random), .stiffness = random_magnitude(random, 8, 11)};
    const quaternion rest = random_turn(random, random_between(random, 0, 0.5));
    vector tail = random_direction(random);
    tail = vector_scaled(tail, random_between(random, 0.05, 0.2));
    for (size_t k = 0; k < 4; k++) {
        b.rest[k] = (float)rest.at[k];
    }
    for (size_t k = 0; k < 3; k++) {
        b.tail[k] = (float)tail.at[k];
    }
    b.damping = (1 + random_unit(random)) * sqrtf(b.stiffness);
    b.drag = random_unit(random) * b.damping;
    b.load_damping = random_one_in(random, 2) ? 0 : 0.01f * random_unit(random);
    b.gravity = random_unit(random);
    const vector hinge = random_direction(random);
    for (size_t k = 0; k < 3 && entry % 4 == 3; k++) {
        b.hinge[k] = 3 * (float)hinge.at[k];
    }
    return b;
}

/* At a distance of some head, so that it is met now and then; the inside ones hold the whole chain. */
static void random_collider(chain_batch *b, random_source *random, size_t k, size_t c)
{
    const vector root = vector_in(b->position, c);
    const bool inside = b->colliders[k].kind >= GYRE_COLLIDER_INSIDE_SPHERE;
    const vector way = random_direction(random);
    const vector centre = vector_sum(root, vector_scaled(way, inside ? 0.05 : 0.22));
    const vector other = random_direction(random);
    put_vector(b->collider[k].position[0], CHAINS, c, centre);
    if (b->colliders[k].kind == GYRE_COLLIDER_PLANE) {
        put_vector(b->collider[k].end[0], CHAINS, c, vector_scaled(way, -1));
    } else {
        put_vector(b->collider[k].end[0], CHAINS, c, vector_sum(centre, vector_scaled(other, 0.1)));
    }
    b->collider[k].radius[c] = (inside ? 0.5f : 0.06f) + 0.1f * random_unit(random);
    if (random_one_in(random, 5)) {
        b->collider[k].radius[c] = -1;
    }
}

void random_chains(chain_batch *b, random_source *random)
{
    static const size_t chains_of_level[CHAIN_LEVELS] = {CHAINS, CHAINS, 101, 60, 33, 2};
    memset(b, 0, sizeof *b);
    for (size_t l = 0; l < CHAIN_LEVELS; l++) {
        b->level_begin[l + 1] = b->level_begin[l] + chains_of_level[l];
    }
    for (size_t k = 0; k < CHAIN_PALETTE; k++) {
        b->bones[k] = random_bone(random, k);
        b->limit[k] = k % 3 == 1 ? 0.3f + random_unit(random) : 0;
    }
    for (size_t k = 0; k < CHAIN_COLLIDERS; k++) {
        b->colliders[k].kind = (gyre_collider_kind)k;
    }
    for (size_t c = 0; c < CHAINS; c++) {
        const vector position = random_direction(random), gravity = random_direction(random);
        const vector wind = random_direction(random), way = random_direction(random), axis = random_direction(random);
        const quaternion parent = random_attitude(random);
        b->home[c].position = position;
        b->home[c].parent = parent;
        b->home[c].way = vector_scaled(way, random_between(random, 0, 0.05));
        b->home[c].axis = vector_scaled(axis, random_between(random, 0, 0.3));
        b->home[c].rate = random_between(random, 3, 9);
        put_vector(b->position[0], CHAINS, c, position);
        put_vector(b->position_before[0], CHAINS, c, position);
        put_quaternion(b->parent[0], CHAINS, c, parent);
        put_quaternion(b->parent_before[0], CHAINS, c, parent);
        put_vector(b->gravity[0], CHAINS, c, vector_scaled(gravity, 5));
        put_vector(b->wind[0], CHAINS, c, vector_scaled(wind, 0.5));
        b->scale[c] = 0.5f + random_unit(random);
        b->awake[c] = 1;
        for (size_t k = 0; k < CHAIN_COLLIDERS; k++) {
            random_collider(b, random, k, c);
        }
        quaternion q = parent;
        for (size_t l = 0; l < bones_of(b, c); l++) {
            const size_t i = bone_at(b, l, c);
            const quaternion rest = random_turn(random, random_between(random, 0, 0.4));
            b->bone[i] = (uint16_t)random_below(random, CHAIN_PALETTE);
            put_quaternion(b->rest[0], CHAIN_BONES, i, rest);
            q = quaternion_product(q, rest);
            put_quaternion(b->orientation[0], CHAIN_BONES, i, q);
        }
    }
}

void move_roots(chain_batch *b, double t)
{
    memcpy(b->position_before, b->position, sizeof b->position);
    memcpy(b->parent_before, b->parent, sizeof b->parent);
    for (size_t c = 0; c < CHAINS; c++) {
        const double swing = sin(b->home[c].rate * t);
        const quaternion turn = reference_quaternion(vector_scaled(b->home[c].axis, swing));
        put_vector(b->position[0], CHAINS, c, vector_sum(b->home[c].position, vector_scaled(b->home[c].way, swing)));
        put_quaternion(b->parent[0], CHAINS, c, quaternion_product(turn, b->home[c].parent));
    }
}

/* ---- One chain ---- */

single_chain single_of(size_t bones)
{
    single_chain s = {.bones = bones, .parent = {0, 0, 0, 1}, .parent_before = {0, 0, 0, 1}, .awake = 1};
    for (size_t i = 0; i < bones; i++) {
        s.level_begin[i + 1] = i + 1;
        s.bone[i] = (gyre_bone){
            .rest = {0, 0, 0, 1}, .tail = {0, -0.1f, 0}, .stiffness = 400, .damping = 24, .drag = 8, .gravity = 1};
        s.orientation[3][i] = 1;
    }
    return s;
}

gyre_bone_chains chains_of_single(single_chain *s)
{
    gyre_bone_chains c = {.count = 1, .levels = s->bones, .level_begin = s->level_begin, .bones = s->bone};
    c.bone_count = s->bones;
    for (size_t k = 0; k < 4; k++) {
        c.orientation[k] = s->orientation[k];
        c.local[k] = s->local[k];
        c.parent[k] = &s->parent[k];
        c.parent_before[k] = &s->parent_before[k];
    }
    for (size_t k = 0; k < 3; k++) {
        c.velocity[k] = s->velocity[k];
        c.tail[k] = s->tail[k];
        c.position[k] = &s->position[k];
        c.position_before[k] = &s->position_before[k];
        c.gravity[k] = &s->gravity[k];
        c.wind[k] = &s->wind[k];
    }
    c.awake = &s->awake;
    return c;
}

vector single_direction(const single_chain *s, size_t i)
{
    quaternion q;
    vector tail;
    for (size_t k = 0; k < 4; k++) {
        q.at[k] = (double)s->orientation[k][i];
    }
    for (size_t k = 0; k < 3; k++) {
        tail.at[k] = (double)s->bone[i].tail[k];
    }
    return quaternion_rotate(quaternion_normalised(q), vector_scaled(tail, 1 / vector_length(tail)));
}

vector single_velocity(const single_chain *s, size_t i)
{
    return (vector){{(double)s->velocity[0][i], (double)s->velocity[1][i], (double)s->velocity[2][i]}};
}

void point_single(single_chain *s, size_t i, double x, double y, double z)
{
    const double length = sqrt(x * x + y * y + z * z);
    const vector down = {{0, -1, 0}}, e = {{x / length, y / length, z / length}}, n = vector_cross(down, e);
    const quaternion q = quaternion_normalised((quaternion){{n.at[0], n.at[1], n.at[2], 1 + vector_dot(down, e)}});
    for (size_t k = 0; k < 4; k++) {
        s->orientation[k][i] = (float)q.at[k];
    }
}

void reset_single(const gyre_kernels *table, single_chain *s)
{
    const gyre_bone_chains c = chains_of_single(s);
    check_status(table->bone_chains_reset(&c, 0, 1, 0), GYRE_OK);
}
