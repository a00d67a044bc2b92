import assert from 'node:assert/strict';
import { test } from 'node:test';

import ts from 'typescript';

const DOM = ['lib.es2022.d.ts', 'lib.dom.d.ts'];

for (const { file, lib, resolution, module } of [
    { file: 'types.ts', lib: DOM, resolution: 'Bundler', module: 'ESNext' },
    { file: 'types.ts', lib: DOM, resolution: 'NodeNext', module: 'NodeNext' },
    { file: 'types.ts', lib: ['lib.es2022.d.ts'], resolution: 'NodeNext', module: 'NodeNext' },
    { file: 'types.ts', lib: ['lib.es2022.d.ts', 'lib.webworker.d.ts'], resolution: 'NodeNext', module: 'NodeNext' },
    { file: 'types_dom.ts', lib: DOM, resolution: 'Bundler', module: 'ESNext' },
]) {
    test(`types: tsc --strict of ${file} with ${lib.join(' and ')}, as ${resolution} resolves modules`, () => {
        const program = ts.createProgram([file], {
            strict: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            noEmit: true,
            types: [],
            skipDefaultLibCheck: true,
            target: ts.ScriptTarget.ES2022,
            lib,
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
