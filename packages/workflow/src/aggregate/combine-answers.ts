import { fuse, type JsonObject, type JsonValue, type Passage } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { Aggregate, AggregateName } from '../definition/agent-call.ts';
import { WorkflowError } from '../errors.ts';
import { findAt } from '../language/variable-path.ts';
import { type Answer, identityOf } from './answer.ts';

/** Aggregates that ask no model. */
type Combination = Exclude<Aggregate, { readonly strategy: 'judge' | 'bestOf' }>;

/**
 * Makes one value of the answers of a parallel step.
 *
 * @param answers - Those that succeeded, in the order of the file; none give `null`.
 * @throws WorkflowError with the code `step-failed` if an answer has not the form that the strategy needs.
 */
export function combineAnswers(
  aggregate: Combination | AggregateName,
  answers: readonly Answer[],
): JsonValue {
  const [first] = answers;
  if (!first) return null;
  const given: Combination = typeof aggregate === 'string' ? { strategy: aggregate } : aggregate;
  switch (given.strategy) {
    case 'vote':
      return vote(
        answers.map((answer) => ({ ...answer, weight: 1 })),
        given.by,
      );
    case 'weightedVote':
      return vote(answers, given.by);
    case 'rankFusion':
      return rankFusion(answers, given);
    case 'concat':
      return concat(answers, given.separator);
    case 'mergeSchema':
      return mergeSchema(answers);
    default:
      return first.value;
  }
}

/** Sums such as 0.1 + 0.2 and 0.3 are alike. */
const TIE = 1e-9;

/**
 * Returns the answer with the most weight, as its first agent worded it; of equally heavy ones that
 * which came first.
 *
 * @param by - The dotted path of what is compared; answers without it abstain.
 * @throws WorkflowError with the code `step-failed` if all abstain.
 */
function vote(answers: readonly Answer[], by?: string): JsonValue {
  const groups = new Map<string, { readonly value: JsonValue; weight: number }>();
  for (const { value, weight } of answers) {
    const compared = by === undefined ? value : findAt(by, value);
    if (compared === undefined) continue;
    const identity = identityOf(compared);
    const group = groups.get(identity) ?? { value, weight: 0 };
    group.weight += weight;
    groups.set(identity, group);
  }
  const [first, ...others] = groups.values();
  if (!first) throw allAbstain(answers, by);
  let best = first;
  for (const group of others) {
    if (group.weight > best.weight * (1 + TIE)) best = group;
  }
  return best.value;
}

function allAbstain(answers: readonly Answer[], by = ''): WorkflowError {
  const names = answers.map(({ name }) => `'${name}'`).join(', ');
  return new WorkflowError(
    'step-failed',
    `nothing to vote on: no answer has '${by}' (${names}); give these agents an output.schema that requires it`,
    { context: { by, names: answers.map(({ name }) => name) } },
  );
}

/** Returns the answers as one text; what is not text is written as JSON. */
function concat(answers: readonly Answer[], separator = '\n\n'): string {
  return answers
    .map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(separator);
}

/**
 * One object of several: what a later one says is in place of what an earlier one said, but `null` says
 * nothing; lists are joined, and objects within objects are merged in the same way.
 *
 * @throws WorkflowError with the code `step-failed` if an answer is not an object.
 */
function mergeSchema(answers: readonly Answer[]): JsonValue {
  return answers.map(objectOf).reduce(merged);
}

function merged(earlier: JsonObject, later: JsonObject): JsonObject {
  const fields = new Map(Object.entries(earlier));
  for (const [key, value] of Object.entries(later)) {
    fields.set(key, joined(fields.get(key), value));
  }
  return Object.fromEntries(fields);
}

function joined(earlier: JsonValue | undefined, later: JsonValue): JsonValue {
  if (earlier === undefined) return later;
  if (later === null) return earlier;
  if (isList(earlier) && isList(later)) return [...earlier, ...later];
  return isJsonObject(earlier) && isJsonObject(later) ? merged(earlier, later) : later;
}

function objectOf({ name, value }: Answer): JsonObject {
  if (isJsonObject(value)) return value;
  throw new WorkflowError(
    'step-failed',
    `mergeSchema merges objects, and '${name}' gave none; give this agent an output.schema of the type object`,
    { context: { name } },
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

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
function rankFusion(answers: readonly Answer[], options: RankFusionOptions): JsonValue {
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
