import { textMessage, type Part } from '@vizprompt/providers';
import { openaiResponses } from '@vizprompt/providers/openai';
import { expect, it } from 'vitest';
import { diceOf, type Dice } from '../../support/dice.ts';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import {
  begins,
  callOf,
  created,
  done,
  ends,
  events,
  message,
} from '../../support/models/forms/responses/response.ts';
import { runs } from '../../support/fuzz.ts';

const question = textMessage('user', '京都の天気は？');

/** An item, and the events with its content: each may be missing, as later ones have it, too. */
interface Told {
  readonly item: object;
  readonly pieces: readonly object[];
}

function randomItems(dice: Dice): Told[] {
  return Array.from({ length: 1 + dice.below(4) }, (_, index): Told => {
    const text = dice.of(['はい、猫です。', '🐈‍⬛', 'a\n\nb', 'x']);
    const cut = dice.below(text.length + 1);
    const at = { output_index: index, item_id: `item_${index}` };
    const both = [text.slice(0, cut), text.slice(cut)];
    const of = (type: string, more: object) =>
      both.map((delta) => ({ type: `response.${type}.delta`, ...at, ...more, delta }));
    switch (dice.below(4)) {
      case 0:
        return {
          item: {
            id: `item_${index}`,
            type: 'reasoning',
            summary: [{ type: 'summary_text', text }],
            encrypted_content: 'g',
          },
          pieces: of('reasoning_summary_text', { summary_index: 0 }),
        };
      case 1: {
        const input = JSON.stringify({ text });
        return {
          item: callOf(input, { id: `item_${index}`, call_id: `call_${index}` }),
          pieces: [input.slice(0, cut), input.slice(cut)].map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...at,
            delta,
          })),
        };
      }
      case 2:
        return {
          item: { id: `item_${index}`, type: 'web_search_call', action: { query: text } },
          pieces: [{ type: 'response.web_search_call.searching', ...at }],
        };
      default:
        return {
          item: { ...message(text), id: `item_${index}` },
          pieces: of('output_text', { content_index: 0 }),
        };
    }
  });
}

it('gives the same answer, whichever of the events that repeat each other come', async () => {
  const llm = await fakeServer();
  const model = openaiResponses({ model: 'gpt-5', apiKey: KEY, baseURL: `${llm.url}/v1` });
  const partsOf = async (body: object | string, type: string): Promise<readonly Part[]> => {
    llm.fail({ type: 'status', status: 200, body, headers: { 'content-type': type } });
    const { parts } = await model.generate({ messages: [question] });
    return parts;
  };
  for (let round = 0; round < runs(60); round++) {
    const dice = diceOf(`responses ${round}`);
    const items = randomItems(dice);
    const output = items.map(({ item }) => item);
    const last = ends({ output });
    const whole = await partsOf(Reflect.get(last, 'response') as object, 'application/json');
    const told = items.flatMap(({ item, pieces }, index) => {
      const empty = { ...item, content: [], summary: [], arguments: '' };
      const hasBegun = dice.below(4) > 0;
      return [
        ...(hasBegun ? [begins(empty, index)] : []),
        ...(dice.below(4) > 0 ? pieces : []),
        // Without an end of its own, the end of the response has the rest; of thoughts it has the signature only then.
        ...('summary' in item || dice.below(4) > 0 ? [done(item, index)] : []),
      ];
    });
    const { body } = events(created, ...told, last);
    expect(sortedByKind(await partsOf(body, 'text/event-stream')), `round ${round}`).toEqual(
      sortedByKind(whole),
    );
  }
});

/** Late parts come last: the order holds among parts that came in the same way. */
function sortedByKind(parts: readonly Part[]): string[] {
  return parts.map((part) => JSON.stringify(part)).toSorted();
}
