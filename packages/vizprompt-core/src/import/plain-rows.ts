import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, textAt } from '@vizprompt/providers/internal';
import { squash } from './fields.ts';
import { knownRole } from './spellings.ts';

/** Lists of texts in which a user and an assistant take turns, without saying so. */
const TURNS = ['dialog', 'dialogue', 'conversation', 'conversations', 'turns', 'utterances'];

/** Lists of pairs: what was asked, and the answer. */
const PAIRS = ['history', 'internal', 'chathistory', 'chatbot', ...TURNS];

/**
 * Returns a conversation whose messages have roles, where its source only orders them: a row of texts, pairs of a
 * question and an answer, a transcript in one string, or a history with the last question next to it.
 */
export function withRoles(entry: JsonObject): JsonObject | undefined {
  for (const [key, value] of Object.entries(entry)) {
    const messages = Array.isArray(value) ? rowOf(key, value, entry) : undefined;
    if (messages) return { ...without(entry, key, 'visible'), messages: [...messages] };
  }
  const history = listAt(entry, 'chat_history');
  const asked = textAt(entry, 'message');
  if (history.length > 0 && asked !== undefined) {
    const answer = textAt(entry, 'text');
    const last = answer === undefined ? [] : [{ role: 'CHATBOT', message: answer }];
    return {
      ...without(entry, 'chat_history', 'message', 'text'),
      messages: [...history, { role: 'USER', message: asked }, ...last],
    };
  }
  const written = Object.values(entry).filter((value) => typeof value === 'string');
  const isAlone = Object.values(entry).every(
    (value) => typeof value !== 'object' || value === null,
  );
  const text = textAt(entry, 'text', 'content', 'conversation', 'prompt', 'chat', 'input') ?? '';
  const messages = isAlone && written.includes(text) ? splitTranscript(text) : undefined;
  if (!messages) return undefined;
  const rest = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== text));
  return { ...rest, messages: [...messages] };
}

function rowOf(
  key: string,
  list: readonly JsonValue[],
  entry: JsonObject,
): readonly JsonObject[] | undefined {
  const name = squash(key);
  if (PAIRS.includes(name) && list.length > 0 && list.every(isPair)) {
    return list.flatMap((pair) => {
      const [asked, answer] = pair;
      return [
        ...(asked === null || asked === '' ? [] : [{ role: 'user', content: asked }]),
        ...(answer === null || answer === '' ? [] : [{ role: 'assistant', content: answer }]),
      ];
    });
  }
  // UltraChat calls the row `data`, as anything may be called.
  const isRow = TURNS.includes(name) || (name === 'data' && hasOnly(entry, ['id', 'data']));
  if (!isRow || list.length < 2 || !list.every((each) => typeof each === 'string'))
    return undefined;
  return list.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
}

type Text = string | null;

function isPair(value: JsonValue): value is [Text, Text] {
  const isText = (each: JsonValue): boolean => typeof each === 'string' || each === null;
  return (
    Array.isArray(value) && value.length === 2 && value.every((each: JsonValue) => isText(each))
  );
}

function hasOnly(entry: JsonObject, names: readonly string[]): boolean {
  return Object.keys(entry).every((key) => names.includes(squash(key)));
}

function without(entry: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
}

/** Checks whether a list of objects is in the order of its times, the newest first. */
export function isNewestFirst(times: readonly (string | undefined)[]): boolean {
  const numbers = times.map((time) => Date.parse(time ?? ''));
  const isFalling = numbers.every((time, at) => at === 0 || time <= (numbers[at - 1] ?? 0));
  return isFalling && (numbers[0] ?? 0) > (numbers.at(-1) ?? 0);
}

/** Checks whether a value is an object with all of some fields. */
export function hasFields(
  value: JsonValue | undefined,
  ...keys: readonly string[]
): value is JsonObject {
  return isJsonObject(value) && keys.every((key) => key in value);
}

/** Marks, each with those that it comes after; an empty one is the beginning of the text. */
type Order = ReadonlyMap<string, readonly string[]>;

/** How a transcript in one string marks where a message begins, and the marks that end one. */
interface Marks {
  /** Matches the beginning of a message; its first group is the speaker. */
  readonly start: RegExp;
  readonly end?: RegExp;
  /** Matches the beginning of a text in this template: others only talk of it. */
  readonly form?: RegExp;
  /** The order of marks that are words, so that they are in what was said, too. */
  readonly order?: Order;
}

/** The marks of Llama and of Vicuna. */
const LLAMA: Order = new Map([
  ['[INST]', ['', '[/INST]']],
  ['<<SYS>>', ['[INST]']],
  ['<</SYS>>', ['<<SYS>>']],
  ['[/INST]', ['[INST]', '<</SYS>>']],
]);
const VICUNA: Order = new Map([
  ['USER', ['', 'ASSISTANT']],
  ['ASSISTANT', ['USER']],
]);

/** The marks of chat templates and of plain transcripts, each at the start of a line or of a token. */
const MARKS: readonly Marks[] = [
  { start: /<\|im_start\|>[ \n]?(\w{1,20})[^\n]{0,200}\n/g, end: /<\|im_end\|>|<\|endoftext\|>/g },
  {
    start: /<\|start_header_id\|> ?(\w{1,20}) ?<\|end_header_id\|>\n*/g,
    end: /<\|eot_id\|>|<\|begin_of_text\|>|<\|end_of_text\|>/g,
  },
  { start: /<start_of_turn> ?(\w{1,20})\n/g, end: /<end_of_turn>|<bos>|<eos>/g },
  { start: /<\|(user|assistant|system)\|>\n?/g, end: /<\/s>|<\|end\|>|<\|endoftext\|>/g },
  { start: /(?:^|\n[ \t]*)(Human|Assistant|H|A|System): ?/g },
  { start: /(?:^|\n)### ?(Human|Assistant|User|System|Instruction|Input|Response):?[ \n]*/g },
  { start: /(?:^|\n)(USER|ASSISTANT|SYSTEM): ?/g, end: /<\/s>|<\|endoftext\|>/g },
  { start: /(?:^|\n)\[\|(Human|AI|User|Assistant)\|\] ?/g },
  { start: /(?:^|\n)\[(User|Assistant|System)\]:? ?/g },
  // Llama 2 and Mistral mark both ends of what a user says, with the instructions in it.
  {
    form: /^\s*(?:<s>\s*)?\[INST\]/,
    start: /(?:<\/s>\s*)?(?:<s>\s*)?(\[INST\]|\[\/INST\]|<<SYS>>|<<\/SYS>>)\s*/g,
    end: /<\/s>\s*$/g,
    order: LLAMA,
  },
  {
    form: /^\s*<\|start\|>/,
    start:
      /<\|start\|>(\w{1,20})[^<\n]{0,80}(?:<\|channel\|>(\w{1,20})[^<\n]{0,80})?(?:<\|constrain\|>\w{0,20})?<\|message\|>/g,
    end: /<\|(?:end|return|call)\|>/g,
  },
  {
    form: /^\s*<\|start_of_role\|>/,
    start: /<\|start_of_role\|>(\w{1,20})<\|end_of_role\|>/g,
    end: /<\|end_of_text\|>/g,
  },
  {
    form: /^\s*<｜(?:begin▁of▁sentence|User)｜>/,
    start: /<｜(User|Assistant)｜>/g,
    end: /<｜(?:begin|end)▁of▁sentence｜>/g,
  },
  {
    form: /^\s*(?:<BOS_TOKEN>\s*)?<\|(?:START_OF_TURN|USER|SYSTEM)_TOKEN\|>/,
    start: /<\|(USER|CHATBOT|SYSTEM)_TOKEN\|>/g,
    end: /<\|(?:START_OF_TURN|END_OF_TURN)_TOKEN\|>|<BOS_TOKEN>/g,
  },
  // Vicuna has a turn in a line.
  {
    form: /^\s*(?:<s>\s*|(?:A chat|You are an?)\b[^\n]*[.!?]\s+)?USER:[^]*<\/s>\s*$/,
    start: /(?:<\/s>\s*|<s>\s*|^|\s)(USER|ASSISTANT): ?/g,
    end: /<\/s>\s*$/g,
    order: VICUNA,
  },
];

/** Returns the marks that are in their order. Where a template ends its turns, others do not begin one. */
function inOrder(
  text: string,
  starts: readonly RegExpExecArray[],
  order: Order,
): readonly RegExpExecArray[] {
  const isEnded = text.trimEnd().endsWith('</s>');
  let last = '';
  return starts.filter(([whole, word = '']) => {
    const before = order.get(word) ?? [];
    const isLate = last !== '' && before.includes('') && isEnded && !whole.startsWith('</s>');
    if (isLate || !before.includes(last)) return false;
    last = word;
    return true;
  });
}

/** Words of templates for who speaks. */
const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['h', 'user'],
  ['a', 'assistant'],
  ['instruction', 'user'],
  ['input', 'user'],
  ['functions', 'tool'],
  ['[inst]', 'user'],
  ['[/inst]', 'assistant'],
  ['<<sys>>', 'system'],
  ['<</sys>>', 'user'],
]);

/**
 * Splits a transcript that is one string into its messages, such as a row of a data set in the template of a model.
 *
 * @param isAnswer - The question is elsewhere, so that a template at the beginning may be the answer.
 * @returns `undefined` if it does not hold a question and an answer that are marked.
 */
export function splitTranscript(text: string, isAnswer = false): readonly JsonObject[] | undefined {
  for (const { start, end, form, order } of MARKS) {
    if (form && (isAnswer || !form.test(text))) continue;
    const found = [...text.matchAll(start)];
    const starts = order ? inOrder(text, found, order) : found;
    if (starts.length < 2) continue;
    const before = text
      .slice(0, starts[0]?.index)
      .replaceAll(end ?? /$^/g, '')
      .trim();
    const messages = starts.flatMap((match, at): JsonObject[] => {
      const [whole, speaker = '', channel] = match;
      const said = text.slice(match.index + whole.length, starts[at + 1]?.index);
      const word = speaker.toLowerCase();
      const content = (end ? said.replaceAll(end, '') : said).trim();
      // Marks within a message, and that of the next one at the end of a prompt, are followed by nothing.
      const isMark = content === '' && (at === starts.length - 1 || speaker.startsWith('['));
      const other = / to=assistant\b/.test(whole) ? 'tool' : 'system';
      const role = knownRole(word) ?? SPEAKERS.get(word) ?? other;
      if (isMark) return [];
      // Thoughts and calls of the open models of OpenAI.
      const isThought = channel === 'analysis' && role === 'assistant';
      const isCall = said.trimEnd().endsWith('<|call|>');
      const called = isCall ? /\bto=([\w.-]+)/.exec(whole)?.[1] : undefined;
      if (called !== undefined) {
        return [{ role, tool_calls: [{ function: { name: called, arguments: content } }] }];
      }
      return [isThought ? { role, reasoning: content } : { role, content }];
    });
    const isAsked = messages.some(({ role }) => role === 'user');
    if (!isAsked || !messages.some(({ role }) => role === 'assistant')) continue;
    return before === '' ? messages : [{ role: 'system', content: before }, ...messages];
  }
  return undefined;
}
