import assert from 'node:assert/strict';
import { test } from 'node:test';

import ts from 'typescript';

for (const [resolution, module] of [
    ['Bundler', 'ESNext'],
    ['NodeNext', 'NodeNext'],
]) {
    test(`types: tsc --strict, as ${resolution} resolves modules`, () => {
        const program = ts.createProgram(['types.ts'], {
            strict: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            noEmit: true,
            types: [],
            skipDefaultLibCheck: true,
            target: ts.ScriptTarget.ES2022,
            lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
            module: ts.ModuleKind[module],
            moduleResolution: ts.ModuleResolutionKind[resolution],
        });
        const diagnostics = ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
            getCanonicalFileName: (name) => name,
            getCurrentDirectory: () => process.cwd(),
            getNewLine: () => '\n',
        });
        assert.equal(diagnostics, '');
        assert.ok(program.getSourceFiles().some(({ fileName }) => fileName.endsWith('/gyre/types.d.ts')));
    });
}
