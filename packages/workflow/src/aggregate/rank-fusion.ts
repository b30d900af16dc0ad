import { fuse, type JsonValue, type Passage } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import { findAt } from '../language/variable-path.ts';
import { type Answer, identityOf } from './answer.ts';

/** The settings of rank fusion. */
interface RankFusionOptions {
  /** Damps the lead of the first ranks. Default: 60. */
  readonly k?: number | undefined;
  /** The dotted path that identifies an item; one without it is identified as a whole. */
  readonly by?: string | undefined;
  /** Items at most. Default: all. */
  readonly top?: number | undefined;
}

/**
 * One list of several, best first, by reciprocal rank fusion with the weights of the answers. An item that a
 * list holds twice counts where it is first; of several forms of an item the first answer's is kept.
 *
 * @throws WorkflowError with the code `step-failed` if an answer is not a list.
 */
export function rankFusion(answers: readonly Answer[], options: RankFusionOptions): JsonValue {
  const { k = 60, by, top } = options;
  const items = new Map<string, JsonValue>();
  const lists = answers.map((answer) => {
    const ranked = new Set<string>();
    for (const item of listOf(answer)) {
      const identity = identityOf((by === undefined ? undefined : findAt(by, item)) ?? item);
      ranked.add(identity);
      if (!items.has(identity)) items.set(identity, item);
    }
    return [...ranked].map(asPassage);
  });
  const fused = fuse(lists, { k, weights: answers.map(({ weight }) => weight) });
  return fused.slice(0, top).map(({ id }) => items.get(id) ?? null);
}

function asPassage(id: string): Passage {
  return { id, text: '', score: 0, source: { kind: 'answer', uri: '' } };
}

function listOf({ name, value }: Answer): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new WorkflowError(
    'step-failed',
    `rankFusion joins lists, and '${name}' gave none; give this agent an output.schema of the type array`,
    { context: { name } },
  );
}
