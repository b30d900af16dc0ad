import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyUIMessage, fromThread, toThread } from '../../../src/bridge/ui-message.ts';
import { readMark, toMessage, toSide } from '../../../src/thread/message-side.ts';
import { randomRuns } from '../../support/open-project.ts';
import { anyJson, anyText } from '../../support/random-nodes.ts';

const more = fc.dictionary(
  fc.constantFrom('state', 'providerMetadata', 'errorText', 'approval', 'title', 'meta', 'x'),
  anyJson,
);
const typed = (
  type: string,
  fields: fc.Arbitrary<object>,
): fc.Arbitrary<AnyUIMessage['parts'][number]> =>
  fc.tuple(fields, more).map(([own, rest]) => ({ ...rest, ...own, type }));
const tool = fc.record(
  { toolCallId: anyText, toolName: anyText, input: anyJson, output: anyJson },
  { requiredKeys: [] },
);
/** All parts of AI SDK 6 and 7, with all that may be in them, and parts that no version has. */
const part = fc.oneof(
  typed('text', fc.record({ text: anyText })),
  typed('reasoning', fc.record({ text: anyText })),
  typed(
    'file',
    fc.record({ url: anyText, mediaType: anyText, filename: anyText }, { requiredKeys: [] }),
  ),
  typed('dynamic-tool', tool),
  typed('tool-weather', tool),
  typed('tool-', tool),
  typed('source-url', fc.record({ sourceId: anyText, url: anyText })),
  typed('source-document', fc.record({ sourceId: anyText, mediaType: anyText })),
  typed('step-start', fc.constant({})),
  typed('data-chart', fc.record({ id: anyText, data: anyJson })),
  typed('steering-message', fc.record({ message: anyJson })),
  typed('ui-part', fc.record({ value: anyJson })),
  typed('thread-message', fc.record({ value: anyJson })),
);
const message: fc.Arbitrary<AnyUIMessage> = fc
  .record(
    {
      id: fc.string({ minLength: 1 }),
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      metadata: anyJson,
      createdAt: anyJson,
      parts: fc.array(part, { maxLength: 5 }),
    },
    { requiredKeys: ['id', 'role', 'parts'] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)));

describe('a message of the AI SDK', () => {
  it('comes back as it was, whatever is in it', () => {
    const property = fc.property(message, (given) => {
      expect(fromThread(toThread(given))).toEqual(given);
      const side = toSide(toThread(given));
      expect(readMark(side.parts)).toMatchObject({ id: given.id, role: given.role });
      expect(fromThread(toMessage(side))).toEqual(given);
    });
    fc.assert(property, { numRuns: randomRuns(120) });
  });

  it('drops keys that are undefined, as JSON does', () => {
    const given = {
      id: 'a',
      role: 'assistant' as const,
      parts: [
        {
          type: 'tool-x',
          toolCallId: '1',
          state: 'output-available',
          output: null,
          title: undefined,
        },
      ],
    };
    expect(fromThread(toThread(given)).parts).toEqual([
      { type: 'tool-x', toolCallId: '1', state: 'output-available', output: null },
    ]);
  });
});
