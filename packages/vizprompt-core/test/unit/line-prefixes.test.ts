import { expect, it } from 'vitest';
import { withoutPrefixes } from '../../src/format/line-prefixes.ts';

const FILE = 'a: 1\nb:\n  - c\n\n  - d\n';

it.each<readonly [string, (line: string, at: number) => string]>([
  ['the marks of a mail', (line) => `> ${line}`],
  ['the marks of a diff', (line) => `+${line}`],
  ['numbers and tabs', (line, at) => `${String(at + 7).padStart(4)}\t${line}`],
  ['numbers and arrows', (line, at) => `${String(at + 1).padStart(5)}→${line}`],
])('lines are read after %s', (_, write) => {
  const lines = FILE.trimEnd().split('\n');
  expect(withoutPrefixes(lines.map(write).join('\n')).trimEnd()).toBe(FILE.trimEnd());
});

it.each([
  FILE,
  '> a\n> b\nc\n> d\n',
  '1: a\n2: b\n4: c\n5: d\n',
  '1: a\n2\tb\n3: c\n4: d\n',
  '> a\n> b\n',
])('lines of which not all have one are as they are: %j', (text) => {
  expect(withoutPrefixes(text)).toBe(text);
});
