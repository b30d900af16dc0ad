import type { VizNode } from '@vizprompt/core';
import type { JsonValue } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNodeXml } from '../../src/node/parse-node-xml.ts';
import { scanNodeXml, writeNodeXml } from '../../src/node/node-xml.ts';
import { randomRuns } from '../support/open-project.ts';
import { anyJson, plain as empty } from '../support/random-nodes.ts';

const timestamp = '2026-01-31T12:00:00.000+09:00';
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '\n', '猫 🐈‍⬛', 'a]]>b', '<b>&amp;', '\r', 'C:\\u0041', '<<<<<<< HEAD'),
);
const stats = fc.record({
  count: fc.nat(),
  duration: fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }),
  rate: fc.constant(1.5),
});
const json = fc.oneof(
  fc.constantFrom<JsonValue>(null, '認証', { a: ['<b> & "c"', 'C:\\d'] }),
  anyJson,
);
const part = fc
  .tuple(
    fc.record(
      {
        role: fc.constant('tool'),
        name: text,
        source: text,
        time: fc.constant(timestamp),
        meta: fc.dictionary(text, json),
      },
      { requiredKeys: [] },
    ),
    fc.oneof(
      fc.record({ type: fc.constant('text'), start: fc.nat(), end: fc.nat() }),
      fc.record({ type: fc.constant('reasoning'), text }),
      fc.record({ type: fc.constant('tool-call'), id: text, tool: text, input: json }),
      fc.record({ type: fc.constant('tool-result'), id: text, tool: text, output: json }),
      fc.record({ type: fc.constant('file'), uri: text, size: fc.nat() }),
      fc.record({ type: fc.constant('data'), kind: text, value: json }),
    ),
  )
  .map(([origin, content]) => ({ ...origin, ...content }));
const parts = fc.array(part, { maxLength: 2 });
const plainNode = fc.record(
  {
    id: fc.uuid(),
    timestamp: fc.constant(timestamp),
    prompt: text,
    response: text,
    stats: fc.record({ user: stats, assistant: stats }, { requiredKeys: [] }),
    summary: fc.record(
      { text, isOutdated: fc.boolean(), lastBuilt: fc.constant(timestamp) },
      { requiredKeys: ['text', 'isOutdated'] },
    ),
    tags: fc.array(text, { maxLength: 3 }),
    promptParts: parts,
    responseParts: parts,
    model: text,
    status: fc.constantFrom('pending', 'done'),
    source: text,
  },
  {
    requiredKeys: [
      'id',
      'timestamp',
      'prompt',
      'response',
      'stats',
      'summary',
      'tags',
      'promptParts',
      'responseParts',
    ],
  },
) as fc.Arbitrary<VizNode>;

/** Returns the parser's view of a text. */
function parsed(xml: string): VizNode | undefined {
  try {
    return parseNodeXml('a.xml', xml);
  } catch {
    return undefined;
  }
}

describe('the fast reader of node files', () => {
  it('takes the files that are written, and sees in them what the parser sees', () => {
    fc.assert(
      fc.property(plainNode, (node) => {
        const xml = writeNodeXml(node);
        const scanned = scanNodeXml(xml);
        expect(scanned ?? parsed(xml)).toEqual(parsed(xml));
        expect([undefined, node.prompt]).toContain(scanned?.prompt);
      }),
      { numRuns: randomRuns(50) },
    );
    const plain = {
      id: '01a1fe58-b096-7000-b5cc-d327738565c1',
      timestamp,
      prompt: '質問',
      response: '',
      stats: {},
      tags: ['猫'],
    };
    const summary = { text: '', isOutdated: true };
    const xml = writeNodeXml({ ...plain, summary, promptParts: [], responseParts: [] });
    expect(scanNodeXml(xml)).toEqual(parsed(xml));
  });

  it.each<[string, Partial<VizNode>]>([
    [
      'a text',
      { promptParts: [{ type: 'text', source: 'm/1', time: timestamp, start: 0, end: 2 }] },
    ],
    ['data', { promptParts: [{ type: 'data', kind: 'rest', value: { uuid: 'm/1', list: [1] } }] }],
    ['a thought', { responseParts: [{ type: 'reasoning', text: '考え <b> & "c"\n' }] }],
    ['a call', { responseParts: [{ type: 'tool-call', id: 'c', tool: 'run', input: { a: 'b' } }] }],
    [
      'a result',
      { responseParts: [{ type: 'tool-result', id: 'c', tool: 'run', output: 'C:\\d' }] },
    ],
    ['a file', { promptParts: [{ type: 'file', uri: 'https://a.example/?b&c', size: 3 }] }],
    [
      'meta',
      { promptParts: [{ type: 'data', kind: 'a', value: '', meta: { b: 'c "d" <e> \\' } }] },
    ],
    ['names', { speaker: 'A & B', source: 'x:<y>', model: 'm & n', tags: ['a & b', '<c>'] }],
    ['a summary', { summary: { text: 'if (a < b && c > d)', isOutdated: false } }],
  ])('takes a file with %s, and needs no parser', (_, fields) => {
    const node = { ...empty, ...fields };
    expect(scanNodeXml(writeNodeXml(node))).toStrictEqual(node);
  });

  it.each([
    ['an entity that is not written', '&amp;', '&nbsp;'],
    ['a character by its number', '&amp;', '&#38;'],
    ['an attribute that comes twice', 'name="', 'name="a" name="'],
    ['attributes in another order', 'type="data" name="n"', 'name="n" type="data"'],
    ['data that is no JSON', '"kind"', 'kind'],
    ['data that is no object', /<!\[CDATA\[\n\{[^]*?\}\n\]\]>/, '<![CDATA[\n[1]\n]]>'],
    ['a part that is not closed', ']]></part>', ']]></parts>'],
    ['a comment between parts', '<part ', '<!-- a --><part '],
  ])('leaves %s to the parser', (_, from, to) => {
    const node = {
      ...empty,
      source: 'a & b',
      promptParts: [{ type: 'data' as const, name: 'n', kind: 'k', value: 1 }],
    };
    const xml = writeNodeXml(node);
    const changed =
      xml.slice(0, xml.indexOf('<parts')) + xml.slice(xml.indexOf('<parts')).replace(from, to);
    expect(changed).not.toBe(xml);
    expect(scanNodeXml(changed)).toBeUndefined();
  });

  it.each(['\0', '\u001b', '\r', '\ufffe', '\ud83d', '\n<<<<<<< HEAD\n'])(
    'leaves a file with %j in a text to the parser',
    (unsafe) => {
      const xml = writeNodeXml({
        id: '01a1fe58-b096-7000-b5cc-d327738565c1',
        timestamp,
        prompt: '質問',
        response: '',
        stats: {},
        tags: [],
        summary: { text: '', isOutdated: true },
        promptParts: [],
        responseParts: [],
      });
      expect(scanNodeXml(xml)).toBeDefined();
      expect(scanNodeXml(xml.replace('質問', `質${unsafe}問`))).toBeUndefined();
    },
  );

  it('leaves every other file to the parser, or sees the same', () => {
    fc.assert(
      fc.property(
        plainNode,
        fc.nat(),
        fc.constantFrom('', '<', '>', '&', ']', '\n', 'x', '"', '\r'),
        (node, at, piece) => {
          const xml = writeNodeXml(node);
          const place = at % xml.length;
          const damaged = `${xml.slice(0, place)}${piece}${xml.slice(place + 1)}`;
          const scanned = scanNodeXml(damaged);
          expect(scanned ?? parsed(damaged)).toEqual(parsed(damaged));
        },
      ),
      { numRuns: randomRuns(250) },
    );
  });
});
