// With pnpm only what a manifest names can be imported, so the compiler can only name types that a package exports
// itself: declarations of a program that uses one package alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import ts from 'typescript';
import { COMPILER, programOfAll } from './support/infer-all.ts';
import { install } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';

const timeout = 1_200_000;

let packed: Packed;
beforeAll(async () => {
  packed = await servePacked();
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

it.each(['providers', 'core', 'memory', 'rag', 'workflow', 'talktable'])(
  'all that @vizprompt/%s returns can be declared by who installed it alone',
  { timeout },
  async (name) => {
    const { place, registry } = packed;
    const folder = join(place, `types-${name}`);
    mkdirSync(folder);
    const dependencies = { [`@vizprompt/${name}`]: 'latest' };
    const manifest = { name: 'app', private: true, type: 'module', dependencies };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    await install(folder, { manager: 'pnpm', node: process.execPath, registry, place });
    const file = join(folder, 'index.mts');
    const text = programOfAll(`@vizprompt/${name}`, folder);
    writeFileSync(file, text);
    const types = [createRequire(import.meta.url).resolve('@types/node/package.json')];
    const typeRoots = types.map((manifestFile) => join(manifestFile, '../..'));
    const program = ts.createProgram([file], { ...COMPILER, typeRoots, types: ['node'] });
    const { diagnostics } = program.emit(undefined, () => {});
    const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
      ({ code, messageText, start = 0 }) => {
        const line = text.slice(0, start).split('\n').length;
        return `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}: ${text.split('\n')[line - 1]}`;
      },
    );
    expect(problems).toEqual([]);
    // It finds something to declare.
    expect(text.split('\n').length).toBeGreaterThan(20);
  },
);
