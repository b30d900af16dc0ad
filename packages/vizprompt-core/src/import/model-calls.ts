import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, type Role } from '@vizprompt/providers/internal';
import { spelled, squash } from './fields.ts';
import { NAMES, roleIn } from './spellings.ts';

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
  /** The text without the reasoning: an answer that is an input often has none. */
  readonly bare: string;
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
    const role = roleIn(spelled(said));
    const isAnswer = role === 'assistant';
    const text = JSON.stringify(isAnswer ? trimmed(said) : said, inOrder);
    const bare = isAnswer ? JSON.stringify(withoutReasoning(trimmed(said)), inOrder) : text;
    const read = { text, bare, role };
    this.#read.set(plain, read);
    return { message, ...read };
  }
}

/** The fields of a message that hold its parts. */
const PARTS: ReadonlySet<string> = new Set(['parts', 'content']);
const REASONING: ReadonlySet<string> = new Set(['reasoning', 'thinking', 'redacted_thinking']);
const REASONING_FIELDS: ReadonlySet<string> = new Set(NAMES.reasoning);

/** Returns an answer without the blanks around its texts. */
function trimmed(said: JsonObject): JsonObject {
  const trim = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.trim() : value);
  const partOf = (part: JsonValue): JsonValue => {
    if (!isJsonObject(part) || part['type'] !== 'text') return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, trim(value)]));
  };
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => {
      if (!PARTS.has(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(partOf) : trim(value)];
    }),
  );
}

function withoutReasoning(said: JsonObject): JsonObject {
  const isReasoning = (part: JsonValue): boolean =>
    isJsonObject(part) && typeof part['type'] === 'string' && REASONING.has(part['type']);
  return Object.fromEntries(
    Object.entries(said)
      .filter(([name]) => !REASONING_FIELDS.has(squash(name)))
      .map(([name, value]) => {
        if (!PARTS.has(name) || !Array.isArray(value)) return [name, value];
        return [name, value.filter((part) => !isReasoning(part))];
      }),
  );
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
  const tree = withoutCircles(parents);
  const conversations = [...groups.values()].map((group) => {
    const { repeats, asked } = repeatsIn(group, tree);
    const read: Call[] = [];
    // The question to an agent comes before the calls in it, also where their times are the same.
    for (const call of asked) {
      others.push({ messages: call.output.map(({ message }) => message) });
      read.push({ ...call, output: [] });
    }
    for (const { system, input, output } of repeats) {
      const messages = [...input, ...output].map(({ message }) => message);
      others.push({ system, messages });
    }
    const whole = group.filter((call) => !repeats.has(call) && !asked.has(call));
    return conversationOf([...read, ...whole].toSorted(byTime));
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

/** The calls of a conversation that repeat others. */
interface Repeats {
  /** Those that say nothing new. */
  readonly repeats: ReadonlySet<Call>;
  /** Those of which only the input is new. */
  readonly asked: ReadonlySet<Call>;
}

/**
 * Returns the calls that repeat others: work of an agent whose answers are those of the calls in it, and a call that is
 * recorded twice, as a span and in a log.
 *
 * @param parents - The parents of spans by their ids, without circles: what is left out of a call is in one below it.
 */
function repeatsIn(group: readonly Call[], parents: ReadonlyMap<string, string>): Repeats {
  const repeats = new Set<Call>();
  const bySpan = new Map<string, Call>();
  for (const call of group) {
    const same = bySpan.get(call.span ?? '');
    if (same && isSame(same, call)) repeats.add(call);
    else if (call.span !== undefined && !same) bySpan.set(call.span, call);
  }
  // Records of logs do not name the span above them.
  const plain =
    parents.size > 0
      ? new Set<string>()
      : new Set(group.filter((call) => !call.isAgent && !repeats.has(call)).flatMap(heardIn));
  // The answers and the questions of each call that no call within it has.
  const open = new Map(
    group.map((call) => [call, { said: new Set(saidIn(call)), asked: new Set(askedIn(call)) }]),
  );
  const close = (holder: Call | undefined, heard: ReadonlySet<string>): void => {
    const texts = holder && open.get(holder);
    if (!texts) return;
    removeAll(texts.said, heard);
    removeAll(texts.asked, heard);
  };
  for (const call of group) {
    const heard = new Set(heardIn(call));
    for (const each of spansAbove(call.span, parents)) close(bySpan.get(each), heard);
    if (call.isAgent) close(call, plain);
  }
  const asked = new Set<Call>();
  for (const [call, texts] of open) {
    if (texts.said.size > 0 || repeats.has(call)) continue;
    if (texts.asked.size > 0) asked.add(call);
    else repeats.add(call);
  }
  return { repeats, asked };
}

/** Checks whether two calls have the same messages. */
function isSame(a: Call, b: Call): boolean {
  return [[a.input, b.input] as const, [a.output, b.output] as const].every(
    ([one, other]) =>
      one.length === other.length && one.every(({ text }, at) => text === other[at]?.text),
  );
}

/** Returns the parents without those of spans that are above themselves. */
function withoutCircles(parents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const tree = new Map(parents);
  const seen = new Set<string>();
  for (const first of parents.keys()) {
    const path = new Set<string>();
    let last: string | undefined = first;
    while (last !== undefined && !seen.has(last)) {
      seen.add(last);
      path.add(last);
      last = parents.get(last);
    }
    let within = last !== undefined && path.has(last) ? last : undefined;
    while (within !== undefined && tree.delete(within)) within = parents.get(within);
  }
  return tree;
}

/** Returns the spans above one, the nearest first. */
function spansAbove(span: string | undefined, parents: ReadonlyMap<string, string>): string[] {
  const above: string[] = [];
  let last = parents.get(span ?? '');
  while (last !== undefined && above.length < MOST_ABOVE) {
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

/** Returns the answers of a call; where none is recorded, its input. */
function saidIn({ input, output }: Call): string[] {
  return (output.length > 0 ? output : input).map(({ text }) => text);
}

function askedIn({ input }: Call): string[] {
  return input.map(({ text }) => text);
}

/** Returns the messages of a call, also without their reasoning. */
function heardIn({ input, output }: Call): string[] {
  return [...input, ...output].flatMap(({ text, bare }) => [text, bare]);
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

  add(said: Said, facts: JsonObject): void {
    this.messages.push({ ...said.message, ...facts });
    count(this.#counts, said);
    if (said.role === 'assistant') this.#open.clear();
    else this.#open.add(said.text);
  }

  /**
   * Returns the messages of an input that are not known. A question is known with its answer, or while it has none: with
   * an API that stores conversations, an input is only what is new, and may be the same again.
   */
  newOf(input: readonly Said[]): readonly Said[] {
    const counts = new Map<string, number>();
    const isKnown = (said: Said): boolean => {
      count(counts, said);
      return (counts.get(said.text) ?? 0) <= (this.#counts.get(said.text) ?? 0);
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
        // Questions before an answer are history, also where the answer has another form than it was recorded in.
        for (const each of [...asked, said]) if (!isKnown(each)) found.push(each);
        asked = [];
      } else asked.push(said);
    }
    return [...found, ...asked.filter((each) => !hasHistory || !isOpen(each))];
  }
}

/** Counts a message by its text, and by the text without its reasoning. */
function count(counts: Map<string, number>, { text, bare }: Said): void {
  for (const each of new Set([text, bare])) counts.set(each, (counts.get(each) ?? 0) + 1);
}
