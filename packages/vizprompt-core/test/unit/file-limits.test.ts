import { randomUUID } from 'node:crypto';
import { appendFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { repeatedKey } from '@vizprompt/providers/config/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/format/parse-yaml.ts';
import { guardXml } from '../../src/node/parse-xml.ts';
import { readNodeXml } from '../../src/node/parse-node-xml.ts';
import { temporaryFolder, testProject } from '../support/open-project.ts';

const ID = randomUUID();

function node(prompt: string, attributes = ''): string {
  return `<?xml version="1.0"?><node id="${ID}" timestamp="2026-01-01T00:00:00Z"${attributes}><prompt>${prompt}</prompt><response>r</response></node>`;
}

/** Files that are not to be parsed, by their size (which takes no room on the disk) or by what parsing would cost. */
const HOSTILE: readonly (readonly [
  name: string,
  key: string,
  content: () => string | number,
  problem: RegExp,
])[] = [
  [
    'a large node',
    'nodes/00/01.xml',
    () => 64 * 1024 ** 2 + 1,
    /^too large: expected at most 67108864 bytes/,
  ],
  [
    'entities',
    'nodes/00/01.xml',
    () => node(`${'x'.repeat(195)}&amp;`.repeat(20_001)),
    /^too large: more than 4000000 characters/,
  ],
  [
    'elements',
    'nodes/00/01.xml',
    () => node('<a/>'.repeat(100_001)),
    /^too large: more than 100000 tags/,
  ],
  [
    'attributes',
    'nodes/00/01.xml',
    () => node('x', Array.from({ length: 300 }, (_, at) => ` a${at}='1'`).join('')),
    /more than 100 attributes/,
  ],
  [
    'a large flow',
    'flows/00/01.yaml',
    () => 16 * 1024 ** 2 + 1,
    /^too large: expected at most 16777216/,
  ],
  [
    'lists in lists',
    'flows/00/01.yaml',
    () => `name: ${'['.repeat(5000)}`,
    /^nested deeper than 100/,
  ],
  [
    'maps in maps',
    'flows/00/01.yaml',
    () => `name: ${'{a: '.repeat(5000)}`,
    /^nested deeper than 100/,
  ],
  [
    'entries on one line',
    'flows/00/01.yaml',
    () => `name:\n  ${'- '.repeat(5000)}x`,
    /^nested deeper than 100/,
  ],
  [
    'indented maps',
    'flows/00/01.yaml',
    () => Array.from({ length: 402 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    /^indented by 401 spaces/,
  ],
  [
    'aliases',
    'flows/00/01.yaml',
    () => `name: &a x\nz: [${'*a, '.repeat(2000)}]`,
    /^more than 1000 aliases/,
  ],
];

describe('a file that is too much', () => {
  it.each(HOSTILE)(
    'of %s is a problem of its own, and the rest opens',
    async (_, key, content, problem) => {
      const { vizprompt, folder, write } = await testProject();
      const known = await vizprompt.createNode({ prompt: 'known', response: 'r' });
      await vizprompt.close();
      const given = content();
      await write(key, typeof given === 'string' ? given : '');
      if (typeof given === 'number') truncateSync(join(folder, key), given);
      await using again = await VizPrompt.open(folder);
      const problems = await again.problems();
      expect(problems.filter(({ file }) => file === key).map(({ message }) => message)).toEqual([
        expect.stringMatching(problem),
      ]);
      expect((await again.getNode(known.id)).prompt).toBe('known');
      expect(await again.searchNodes({ text: 'known' })).toHaveLength(1);
      const report = await again.check();
      expect(report.findings.some(({ file }) => file === key)).toBe(true);
    },
  );

  it('of settings is reported with its place, and those of the caller hold', async () => {
    const folder = await temporaryFolder();
    await (await VizPrompt.open(folder)).close();
    appendFileSync(join(folder, 'config.yaml'), '# more\n');
    await expect(VizPrompt.open(folder, { limits: { configBytes: 10 } })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(
        /config\.yaml: too large: expected at most 10 bytes.*limits\.configBytes/,
      ),
    });
    // @ts-expect-error -- there is none of this name
    await expect(VizPrompt.open(folder, { limits: { nodes: 10 } })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

it('guarding a node changes nothing of what is read', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '&amp;',
      '&#x41;',
      '<![CDATA[a<b]]>',
      '<!-- c -->',
      'x'.repeat(500),
      ' y '.repeat(100),
      '\n',
      '"',
      "'",
    ),
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[<&]|\]\]>/g, '')),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const xml = node(pieces.join(''));
      const guarded = guardXml(xml);
      if (!('xml' in guarded)) throw new Error(guarded.problem);
      let plain;
      try {
        plain = readNodeXml('a.xml', node(pieces.map((one) => one.slice(0, 150)).join('')));
      } catch {
        return;
      }
      expect(plain.id).toBe(ID);
      const text = readNodeXml('a.xml', xml).prompt;
      const expected = pieces
        .map(
          (one) =>
            ({ '&amp;': '&', '&#x41;': 'A', '<![CDATA[a<b]]>': 'a<b', '<!-- c -->': '' })[one] ??
            one,
        )
        .join('')
        .replaceAll(/\r\n?/g, '\n');
      expect(text === expected || `\n${text}\n` === expected).toBe(true);
    }),
  );
});

it('keys are compared in linear time, and one that is there twice is found', () => {
  let reads = 0;
  const keyOf = (at: number) => ({
    get value() {
      reads++;
      return at;
    },
  });
  const readsOf = (length: number): number => {
    reads = 0;
    const items = Array.from({ length }, (_, at) => ({ key: keyOf(at) }));
    expect(repeatedKey({ contents: { items } })).toBeUndefined();
    return reads;
  };
  expect(readsOf(400)).toBe(4 * readsOf(100));

  const keys = Array.from({ length: 100 }, (_, at) => `k${at}: 1`);
  expect(parseYaml(keys.join('\n')).problem).toBeUndefined();
  expect(parseYaml([...keys, 'k77: 2'].join('\n')).problem).toEqual({
    message: 'Map keys must be unique',
    offset: keys.join('\n').length + 1,
  });
  expect(parseYaml('a: {x: 1, y: {x: 1}}\nb: [{x: 1}, {x: 2}]\n').problem).toBeUndefined();
  expect(parseYaml('a:\n  - x: 1\n    x: 2\n').problem?.message).toBe('Map keys must be unique');
});
