// The parts of WebGL2 that the scenes share: programs, and buffers that are filled straight from WebAssembly's memory.

function compile(gl, kind, source) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${source}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
        throw new Error(gl.getShaderInfoLog(shader));
    }
    return shader;
}

export function makeProgram(gl, vertex, fragment) {
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
        throw new Error(gl.getProgramInfoLog(program));
    }
    const uniforms = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
        const { name } = gl.getActiveUniform(program, k);
        uniforms[name.replace('[0]', '')] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms };
}

/**
 * Makes a vertex array from attributes {name: {data, size, each, stride, offset, buffer}}: `each` is 1 for one value
 * per instance. Those with the same data share a buffer. Returns the argument of upload().
 */
export function makeArrays(gl, { program }, attributes) {
    const vertexArray = gl.createVertexArray(), buffers = new Map();
    gl.bindVertexArray(vertexArray);
    for (const [name, { data, size = 1, each = 0, stride = 0, offset = 0 }] of Object.entries(attributes)) {
        if (!buffers.has(data)) {
            buffers.set(data, gl.createBuffer());
            gl.bindBuffer(gl.ARRAY_BUFFER, buffers.get(data));
            gl.bufferData(gl.ARRAY_BUFFER, data, each ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
        }
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers.get(data));
        const location = gl.getAttribLocation(program, name);
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset);
        gl.vertexAttribDivisor(location, each);
    }
    return { vertexArray, buffers };
}

/** Uploads the arrays again: views of WebAssembly's memory go to the buffers as they are. */
export function upload(gl, { buffers }, arrays) {
    for (const data of arrays) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers.get(data));
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
    }
}

/** Empties the stage, or as much of it as the scissor leaves. */
export function clear(gl, stage) {
    gl.clearColor(...stage.ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
}

/** Begins a picture on an empty stage: points that are blended, or solids of which the nearest is visible. */
export function beginDrawing(gl, stage, { program }, { vertexArray }, solid) {
    gl.viewport(0, 0, stage.width, stage.height);
    clear(gl, stage);
    gl[solid ? 'enable' : 'disable'](gl.DEPTH_TEST);
    gl[solid ? 'disable' : 'enable'](gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program);
    gl.bindVertexArray(vertexArray);
}

/** A box of half sizes, as triangles: positions and normals, 6 floats a vertex. */
export function boxMesh(a, b, c) {
    const mesh = [];
    for (let axis = 0; axis < 3; axis++) {
        for (const side of [-1, 1]) {
            for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) {
                const point = [0, 0, 0], normal = [0, 0, 0];
                point[axis] = normal[axis] = side;
                point[(axis + 1) % 3] = u * side;
                point[(axis + 2) % 3] = v;
                mesh.push(point[0] * a, point[1] * b, point[2] * c, ...normal);
            }
        }
    }
    return new Float32Array(mesh);
}

/** A sphere, as triangles: positions, which are also the normals, 3 floats a vertex. */
export function sphereMesh(rings, sectors) {
    const point = (r, s) => {
        const theta = Math.PI * r / rings, phi = 2 * Math.PI * s / sectors;
        return [Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi)];
    };
    const mesh = [];
    for (let r = 0; r < rings; r++) {
        for (let s = 0; s < sectors; s++) {
            for (const [dr, ds] of [[0, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0]]) {
                mesh.push(...point(r + dr, s + ds));
            }
        }
    }
    return new Float32Array(mesh);
}
