import type { JsonValue } from '@vizprompt/providers';
import fc from 'fast-check';
import { anyString } from '../../../providers/test/support/fuzz.ts';
import type { VizNode } from '../../src/node/node.ts';

export const id: string = '018f2c1e-7b1a-7c3d-8e4f-0123456789ab';
export const timestamp: string = '2025-05-09T06:48:06.533720+09:00';
/** A node without texts. */
export const plain: VizNode = {
  id,
  timestamp,
  prompt: '',
  response: '',
  stats: {},
  summary: { text: '', isOutdated: true },
  tags: [],
  promptParts: [],
  responseParts: [],
};

/** Texts that XML, CDATA or line ends could change. */
export const difficult: readonly string[] = [
  '',
  '\n',
  '\n\n\n先頭の空行',
  'ends with a line break\n',
  ']]>',
  ']]]]>><![CDATA[ ]]>',
  '\u001b[31mred\u001b[0m',
  'NUL \0 and \u0007',
  'CRLF\r\nCR\rLF\n',
  'lone \ud800 and \udc00 surrogates',
  '😀👩‍👩‍👧‍👦𠮷',
  'שלום مرحبا \u202e',
  '007',
  '1e5',
  'C:\\new\\u0041 \\\\ \\',
  '\u001b C:\\u0041\\',
  '&amp; &#13; &lt; &unknown; <b>"\'</b>',
  '<?xml version="1.0"?><!DOCTYPE x>',
  '  spaces\t ',
  '<&>"'.repeat(3000),
  '\ufeffBOM \ufffe \uffff \u0085 \u2028',
];

/** Anything that JSON gives back as it was given. */
export const anyJson: fc.Arbitrary<JsonValue> = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

/** Any string at all, lone surrogates and control characters included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...difficult),
  anyString(),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
);
const origin = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    name: anyText,
    source: anyText,
    time: fc.constant(timestamp),
    meta: fc.dictionary(anyText, anyJson),
  },
  { requiredKeys: [] },
);
const part = fc
  .tuple(
    origin,
    fc.oneof(
      fc.record({ type: fc.constant('text'), start: fc.nat(), end: fc.nat() }),
      fc.record({ type: fc.constant('reasoning'), text: anyText }),
      fc.record({
        type: fc.constant('tool-call'),
        id: anyText,
        tool: anyText,
        input: anyJson,
      }),
      fc.record({
        type: fc.constant('tool-result'),
        id: anyText,
        tool: anyText,
        output: anyJson,
        isError: fc.boolean(),
      }),
      fc.record({ type: fc.constant('file'), uri: anyText, fileName: anyText, size: fc.nat() }),
      fc.record({ type: fc.constant('data'), kind: anyText, value: anyJson }),
    ),
  )
  .map(([from, content]) => ({ ...from, ...content }));
const stats = fc.record({
  count: fc.nat(),
  duration: fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }),
  rate: fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }),
});
/** Any node that can be written. */
export const anyNode: fc.Arbitrary<VizNode> = fc.record(
  {
    id: fc.uuid(),
    timestamp: fc.constant(timestamp),
    prompt: anyText,
    response: anyText,
    stats: fc.record({ user: stats, assistant: stats }, { requiredKeys: [] }),
    summary: fc.record(
      { text: anyText, isOutdated: fc.boolean(), lastBuilt: fc.constant(timestamp) },
      { requiredKeys: ['text', 'isOutdated'] },
    ),
    tags: fc.array(anyText, { maxLength: 5 }),
    promptParts: fc.array(part, { maxLength: 4 }),
    responseParts: fc.array(part, { maxLength: 4 }),
    model: anyText,
    status: fc.constantFrom('pending', 'done', 'failed', 'aborted'),
    speaker: anyText,
    source: anyText,
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
);
