import type { VizNode } from '@vizprompt/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNodeXml } from '../../src/node/parse-node-xml.ts';
import { scanNodeXml, writeNodeXml } from '../../src/node/node-xml.ts';
import { randomRuns } from '../support/open-project.ts';

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
const parts = fc.array(
  fc.record(
    {
      type: fc.constant('text'),
      role: fc.constant('tool'),
      name: text,
      source: text,
      start: fc.nat(),
      end: fc.nat(),
    },
    { requiredKeys: ['type', 'start', 'end'] },
  ),
  { maxLength: 2 },
);
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
