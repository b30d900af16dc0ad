import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/limits.ts';

it('the table of limits says what the constants are', () => {
  const text = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- limits: core -->([^]*?)<!-- \/limits -->/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)`\s*\| ([\d,]+)/gm)].map(
    ([, name = '', value = '']) => [name, Number(value.replaceAll(',', ''))],
  );
  expect(Object.fromEntries(rows)).toEqual(DEFAULT_LIMITS);
});
