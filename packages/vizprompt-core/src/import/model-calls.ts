import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { Role } from '@vizprompt/providers/internal';
import { spelled } from './fields.ts';
import { roleIn } from './spellings.ts';

/** A call of a model, as a trace has it. */
export interface ModelCall {
  /** The conversation or the trace that it belongs to; `undefined`: it is one of its own. */
  readonly conversation: string | undefined;
  readonly span: string | undefined;
  /** It is the work of an agent, which holds calls. */
  readonly isAgent: boolean;
  /** When it began, as ISO 8601. */
  readonly time: string | undefined;
  readonly model: JsonValue;
  readonly system: JsonValue;
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
}

/** A call whose messages can be compared. */
interface Call extends Omit<ModelCall, 'input' | 'output'> {
  readonly input: readonly Said[];
  readonly output: readonly Said[];
}

/** A message of a call. */
interface Said {
  readonly message: JsonObject;
  /** The same for the same message, as an answer and as an input. */
  readonly text: string;
  readonly role: Role | undefined;
}

/** Reads messages so that they can be compared. Calls repeat them: each is read once. */
class Reader {
  readonly #read = new Map<string, Omit<Said, 'message'>>();

  read(message: JsonObject): Said {
    // The reason for the end of an answer is no longer there when the answer is an input.
    const { finish_reason: _, ...said } = message;
    const plain = JSON.stringify(said);
    const known = this.#read.get(plain);
    if (known) return { message, ...known };
    const read = { text: JSON.stringify(said, inOrder), role: roleIn(spelled(said)) };
    this.#read.set(plain, read);
    return { message, ...read };
  }
}

/** Sorts the keys of objects. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the conversations of calls, and the messages of those that only repeat the calls within them.
 *
 * @param parents - The parents of spans by their ids.
 */
export function conversationsOf(
  calls: readonly ModelCall[],
  parents: ReadonlyMap<string, string>,
): { readonly conversations: readonly JsonObject[]; readonly others: readonly JsonObject[] } {
  const reader = new Reader();
  const groups = new Map<unknown, Call[]>();
  for (const each of calls) {
    const [input, output] = [each.input, each.output].map((list) =>
      list.map((message) => reader.read(message)),
    );
    const call = { ...each, input: input ?? [], output: output ?? [] };
    const key = call.conversation ?? call;
    const group = groups.get(key);
    if (group) group.push(call);
    else groups.set(key, [call]);
  }
  const others: JsonObject[] = [];
  const conversations = [...groups.values()].map((group) => {
    const repeats = repeatsIn(group, parents);
    for (const { system, input, output } of repeats) {
      const messages = [...input, ...output].map(({ message }) => message);
      others.push({ system, messages });
    }
    const read = group.filter((call) => !repeats.has(call));
    return conversationOf(read.toSorted(byTime));
  });
  return { conversations, others };
}

function byTime(a: Call, b: Call): number {
  const [first, second] = [a, b].map(({ time = '' }) => Date.parse(time) || 0);
  return (
    (first ?? 0) - (second ?? 0) ||
    Number((a.time ?? '') > (b.time ?? '')) - Number((a.time ?? '') < (b.time ?? ''))
  );
}

/** The most spans above a call that are looked at. */
const MOST_ABOVE = 100;

/**
 * Returns the calls that say nothing new: work of an agent whose answers are those of the calls in it, and a call that is
 * recorded twice, as a span and in a log.
 */
function repeatsIn(
  group: readonly Call[],
  parents: ReadonlyMap<string, string>,
): ReadonlySet<Call> {
  const repeats = new Set<Call>();
  const bySpan = new Map<string, Call>();
  for (const call of group) {
    const same = bySpan.get(call.span ?? '');
    if (same && textsOf(same).join('\n') === textsOf(call).join('\n')) repeats.add(call);
    else if (call.span !== undefined && !same) bySpan.set(call.span, call);
  }
  // Records of logs do not name the span above them.
  const plain =
    parents.size > 0
      ? new Set<string>()
      : new Set(group.filter(({ isAgent }) => !isAgent).flatMap(textsOf));
  // The answers of each call that no call within it has.
  const open = new Map(group.map((call) => [call, new Set(saidIn(call))]));
  for (const call of group) {
    const said = new Set(textsOf(call));
    for (const each of spansAbove(call.span, parents)) {
      const holder = bySpan.get(each);
      if (holder) removeAll(open.get(holder), said);
    }
    if (call.isAgent) removeAll(open.get(call), plain);
  }
  for (const [call, { size }] of open) if (size === 0) repeats.add(call);
  return repeats;
}

/** Returns the spans above one, the nearest first; none where they go round in a circle. */
function spansAbove(span: string | undefined, parents: ReadonlyMap<string, string>): string[] {
  const above: string[] = [];
  let last = parents.get(span ?? '');
  while (last !== undefined && above.length < MOST_ABOVE) {
    if (last === span) return [];
    above.push(last);
    last = parents.get(last);
  }
  return above;
}

function removeAll(from: Set<string> | undefined, texts: ReadonlySet<string>): void {
  if (!from) return;
  const [few, many] = from.size < texts.size ? [[...from], texts] : [[...texts], from];
  for (const text of few) if (many.has(text)) from.delete(text);
}

/** Returns the answers of a call; where none is recorded, all of it. */
function saidIn(call: Call): string[] {
  return call.output.length > 0 ? call.output.map(({ text }) => text) : textsOf(call);
}

function textsOf({ input, output }: Call): string[] {
  return [...input, ...output].map(({ text }) => text);
}

function conversationOf(calls: readonly Call[]): JsonObject {
  const reader = new Reader();
  const row = new Row(calls.some(({ output }) => output.length > 0));
  const [first] = calls;
  const system = calls.find((call) => call.system !== null)?.system;
  let told = system ?? null;
  for (const { system: own, input, output, model, time } of calls) {
    const facts = time === undefined ? {} : { time };
    if (own !== null && JSON.stringify(own) !== JSON.stringify(told)) {
      told = own;
      const key = Array.isArray(own) ? 'parts' : 'content';
      row.add(reader.read({ role: 'system', [key]: own }), facts);
    }
    for (const said of row.newOf(input)) row.add(said, facts);
    for (const said of output) row.add(said, { model, ...facts });
  }
  const id = first?.conversation;
  return {
    ...(id === undefined ? {} : { id }),
    ...(system === undefined ? {} : { system }),
    messages: row.messages,
  };
}

/** The messages of a conversation, in their order. */
class Row {
  readonly messages: JsonObject[] = [];
  readonly #counts = new Map<string, number>();
  /** The messages since the last answer. */
  readonly #open = new Set<string>();
  readonly #hasAnswers: boolean;

  constructor(hasAnswers: boolean) {
    this.#hasAnswers = hasAnswers;
  }

  add({ message, text, role }: Said, facts: JsonObject): void {
    this.messages.push({ ...message, ...facts });
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    if (role === 'assistant') this.#open.clear();
    else this.#open.add(text);
  }

  /**
   * Returns the messages of an input that are not known. A question is known with its answer, or while it has none: with
   * an API that stores conversations, an input is only what is new, and may be the same again.
   */
  newOf(input: readonly Said[]): readonly Said[] {
    const counts = new Map<string, number>();
    const isKnown = ({ text }: Said): boolean => {
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return count <= (this.#counts.get(text) ?? 0);
    };
    const isOpen = ({ text }: Said): boolean => this.#open.has(text);
    const found: Said[] = [];
    let asked: Said[] = [];
    let hasHistory = this.#hasAnswers;
    for (const said of input) {
      if (said.role === 'system') {
        if (!this.#counts.has(said.text)) found.push(said);
      } else if (said.role === 'assistant') {
        hasHistory = true;
        const isRepeated = isKnown(said);
        found.push(...asked.filter((each) => (isRepeated ? !isKnown(each) : !isOpen(each))));
        if (!isRepeated) found.push(said);
        asked = [];
      } else asked.push(said);
    }
    return [...found, ...asked.filter((each) => !hasHistory || !isOpen(each))];
  }
}
