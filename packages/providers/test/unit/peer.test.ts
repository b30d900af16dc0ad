import { describe, expect, it } from 'vitest';
import { PeerError, toPeerError } from '../../src/peer.ts';

const ESM = 'ERR_MODULE_NOT_FOUND';
const CJS = 'MODULE_NOT_FOUND';

/** The errors of runtimes, test runners and bundlers where 'openai' is not installed. */
const MISSING = [
  ['Node, imported', ESM, "Cannot find package 'openai' imported from /app/main.mjs"],
  ['Node, a file of it', ESM, "Cannot find package 'openai/core' imported from /app/main.mjs"],
  ['Node, required', CJS, "Cannot find module 'openai'\nRequire stack:\n- /app/main.cjs"],
  ['Bun', ESM, "Cannot find package 'openai' imported from /app/main.mjs"],
  ['Deno', ESM, 'Import "openai" not a dependency\n    at file:///app/main.mjs:1:31\n'],
  ['Jest', CJS, "Cannot find module 'openai' from 'node_modules/a/index.js'"],
  ['Vite', ESM, "Cannot find package 'openai' imported from '/app/main.mjs'"],
  [
    "Plug'n'Play, imported",
    CJS,
    'a tried to access openai (a peer dependency) but it isn\'t provided by your application; this makes the require call ambiguous and unsound.\n\nRequired package: openai (via "openai/package.json")\nRequired by: a@npm:1.0.0 (via /app/.yarn/cache/a.zip/)\n',
  ],
  [
    "Plug'n'Play, required",
    CJS,
    "Your application tried to access openai, but it isn't declared in your dependencies; this makes the require call ambiguous and unsound.\n\nRequired package: openai\nRequired by: /app/\n\nRequire stack:\n- /app/main.mjs",
  ],
] as const;

/** Anything else that fails while 'openai' is loaded. */
const OTHER = [
  [
    'a package with a longer name',
    ESM,
    "Cannot find package 'openai-edge' imported from /app/a.mjs",
  ],
  ['a scoped package', ESM, "Cannot find package '@ai-sdk/openai' imported from /app/a.mjs"],
  [
    'a package it needs',
    ESM,
    "Cannot find package 'ws' imported from /app/node_modules/openai/index.mjs",
  ],
  [
    'a file of it',
    ESM,
    "Cannot find module '/app/node_modules/openai/a.mjs' imported from /app/a.mjs",
  ],
  [
    "a package it needs, by Plug'n'Play",
    CJS,
    "openai tried to access ws, but it isn't declared in its dependencies.\n\nRequired package: ws\nRequired by: openai@npm:6.49.0 (via /app/openai.zip/)",
  ],
  ['another code', 'EACCES', "cannot open 'openai'"],
] as const;

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('toPeerError', () => {
  it.each(MISSING)('names the package that is missing: %s', (_, code, message) => {
    const error = toPeerError(coded(code, message), 'openai');
    expect(PeerError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ context: { package: 'openai' } });
  });

  it.each(OTHER)('returns any other error as it is: %s', (_, code, message) => {
    const error = coded(code, message);
    expect(toPeerError(error, 'openai')).toBe(error);
  });

  it('knows scoped packages', () => {
    const message = 'Import "@google/genai/node" not a dependency';
    const error = toPeerError(coded(ESM, message), '@google/genai');
    expect(PeerError.isInstance(error)).toBe(true);
  });
});
