import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { EVENT_KINDS } from '../../../src/openai/responses/event-kinds.ts';
import { FAILURE_STATUS } from '../../../src/openai/responses/event-reader.ts';
import { ITEM_KINDS } from '../../../src/openai/responses/items.ts';

/** The types of the Responses API as the SDK of this run has them; the tests run on two generations. */
const types = ((): string => {
  const require = createRequire(`${inject('sdkFolder')}/package.json`);
  const folder = dirname(require.resolve('openai'));
  return readFileSync(join(folder, 'resources/responses/responses.d.ts'), 'utf8');
})();

/** Returns the members of a union of types. */
function membersOf(union: string): string[] {
  const members = new RegExp(`^export type ${union} = ([^;]+);`, 'm').exec(types)?.[1] ?? '';
  return members.split('|').map((member) => member.trim());
}

/** Returns the literal `type` of an interface; `Namespace.Name` is one within a namespace. */
function literalOf(name: string): string {
  const [outer = '', inner] = name.split('.');
  const from = inner === undefined ? 0 : types.indexOf(`export declare namespace ${outer} {`);
  const head = new RegExp(
    `^( *)(?:export )?interface ${inner ?? outer}(?: extends (\\w+))? \\{`,
    'm',
  );
  const found = head.exec(types.slice(from));
  if (!found) return `no interface ${name}`;
  const [, indent = '', base] = found;
  const body = types.slice(from + found.index).split(`\n${indent}}`)[0] ?? '';
  const literal = new RegExp(`^${indent}    type: '([^']+)';`, 'm').exec(body)?.[1];
  return literal ?? (base === undefined ? `no type of ${name}` : literalOf(base));
}

describe('the Responses API of the installed SDK', () => {
  it('has no event whose meaning is not known', () => {
    const kinds = membersOf('ResponseStreamEvent').map(literalOf);
    expect(kinds.length).toBeGreaterThan(50);
    expect(kinds.filter((kind) => !Object.hasOwn(EVENT_KINDS, kind))).toEqual([]);
  });

  it('has no item that becomes nothing', () => {
    const kinds = membersOf('ResponseOutputItem').map(literalOf);
    expect(kinds.length).toBeGreaterThan(25);
    expect(kinds.filter((kind) => !Object.hasOwn(ITEM_KINDS, kind))).toEqual([]);
  });

  it('has no failure whose code is not known', () => {
    const codes = /interface ResponseError \{[^]*?code: ([^;]+);/.exec(types)?.[1] ?? '';
    const all = Array.from(codes.matchAll(/'([^']+)'/g), ([, code = '']) => code);
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter((code) => !Object.hasOwn(FAILURE_STATUS, code))).toEqual([]);
  });
});
