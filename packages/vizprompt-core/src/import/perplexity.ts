import type { JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { MessagePart } from './conversation.ts';
import { readPiece } from './content.ts';
import { objectOf, parseNested } from './fields.ts';

/** Returns the parts of blocks; several may hold the same answer, each for another view of it. */
function blocksOf(blocks: readonly JsonValue[]): MessagePart[] {
  const said = new Set<string>();
  return blocks.flatMap(readPiece).filter((part) => {
    if (part.type !== 'text') return true;
    const isNew = !said.has(part.text);
    said.add(part.text);
    return isNew;
  });
}

/**
 * Reads an answer of Perplexity that is JSON: a list of steps, of which the last has the text in JSON within JSON, or
 * an object with the text and its sources.
 *
 * @returns `undefined` for any other answer.
 */
export function readSteps(value: JsonValue | undefined): MessagePart[] | undefined {
  const steps = typeof value === 'string' ? parseNested(value) : value;
  const whole = isJsonObject(steps) ? steps['answer'] : undefined;
  if (typeof whole === 'string') return [{ type: 'text', text: whole }];
  if (!Array.isArray(steps)) return undefined;
  if (steps.some((each: JsonValue) => 'markdown_block' in objectOf(each))) return blocksOf(steps);
  const last = steps.map(objectOf).find((step) => step['step_type'] === 'FINAL');
  const said = objectOf(last?.['content'])['answer'];
  if (typeof said !== 'string') return undefined;
  const { answer } = objectOf(parseNested(said));
  return [{ type: 'text', text: typeof answer === 'string' ? answer : said }];
}
