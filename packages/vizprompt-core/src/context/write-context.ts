import {
  type Message,
  textMessage,
  textOf,
  type TextPart,
  type TokenCounter,
} from '@vizprompt/providers';
import { cutMiddle, type Language } from '@vizprompt/providers/internal';
import { findList } from '../build/find-list.ts';
import { itemsOf } from '../build/summarize-offline.ts';
import type { ContextReason } from './context-options.ts';
import { FAN, type Segment } from './history.ts';
import type { ContextNode } from './scene.ts';

/** A node that is given in full, or cut. */
export interface Turn {
  readonly node: ContextNode;
  readonly prompt: string;
  readonly response: string;
  readonly tags: readonly string[];
  readonly isCut: boolean;
  readonly reason: ContextReason;
}

/** A passage that a retriever found, and that is not an ancestor. */
export interface Quote {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

/** A node of another branch or flow, as its summary. */
export interface RelatedNode {
  readonly node: ContextNode;
  readonly text: string;
  readonly tags: readonly string[];
  readonly form: 'summary' | 'gist';
}

/** The pieces of a context that depend on the prompt. */
export interface Tail {
  /** Ancestors that the prompt is about, in the order of the context. */
  readonly recalled: readonly Turn[];
  readonly related: readonly RelatedNode[];
  readonly quotes: readonly Quote[];
}

/** The pieces of a context. */
export interface Draft {
  readonly lines: readonly Segment[];
  /** Ancestors, in the order of the context. */
  readonly turns: readonly Turn[];
  /** Nodes that were asked for and are not ancestors. */
  readonly references: readonly Turn[];
  readonly tail: Tail;
}

/** Nothing that depends on the prompt. */
export const NO_TAIL: Tail = { recalled: [], related: [], quotes: [] };

/** The input for writing a context, besides its draft. */
export interface Writing {
  readonly prompt: string;
  /** Empty if there are none. */
  readonly instructions: string;
  readonly phrases: Phrases;
  readonly detailHint: boolean;
}

/** Returns the messages of a draft, the prompt last. */
export function writeMessages(draft: Draft, writing: Writing): Message[] {
  const parts = systemParts(draft, writing);
  const tail = tailLines(draft, writing);
  return [
    ...(writing.instructions === '' ? [] : [textMessage('system', writing.instructions)]),
    ...(parts.length > 0 ? [{ role: 'system' as const, parts }] : []),
    ...draft.turns.flatMap(({ prompt, response }) => [
      ...(prompt === '' ? [] : [textMessage('user', prompt)]),
      ...(response === '' ? [] : [textMessage('assistant', response)]),
    ]),
    ...(tail.length > 0 ? [textMessage('user', `${tail.join('\n')}\n`)] : []),
    textMessage('user', writing.prompt),
  ];
}

/** Parts end where they will stay the same for long: caches may keep each. */
function systemParts({ lines, references }: Draft, { phrases, detailHint }: Writing): TextPart[] {
  if (lines.length + references.length === 0) return [];
  const ranges = lines.filter(({ level }) => level > 1).map(({ text }) => text);
  const single = lines.filter(({ level }) => level <= 1).map(({ text }) => text);
  const chunks = Array.from({ length: Math.ceil(single.length / FAN) }, (_, at) =>
    single.slice(at * FAN, (at + 1) * FAN),
  );
  const isHinted = detailHint && lines.length > 0;
  const head = [
    ...(isHinted ? [phrases.hint] : []),
    ...(lines.length > 0 ? [phrases.history] : []),
  ];
  const asked = references.map((turn) => writeReference(turn, phrases));
  const end = asked.length > 0 ? [phrases.references, ...asked] : [];
  return [head, ranges, ...chunks, end]
    .filter((block) => block.length > 0)
    .map((block) => ({ type: 'text', text: `${block.join('\n')}\n` }));
}

/** Returns the lines that depend on the prompt, with the hint if no earlier lines have it. */
function tailLines({ tail, lines }: Draft, { phrases, detailHint }: Writing): string[] {
  const told = toldInTail(tail, phrases);
  const isHinted = detailHint && lines.length === 0 && tail.related.length > 0;
  return told.length === 0
    ? []
    : [phrases.references, ...told, ...(isHinted ? [phrases.hint] : [])];
}

function toldInTail({ recalled, related, quotes }: Tail, phrases: Phrases): string[] {
  return [
    ...recalled.map((turn) => writeReference(turn, phrases)),
    ...related.map((node) => writeRelated(node)),
    ...quotes.map((quote) => writeQuote(quote)),
  ];
}

/** Returns a context as one text: what is asked, what was said, what is referred to. */
export function writeText(draft: Draft, writing: Writing): string {
  const { prompt, instructions, phrases, detailHint } = writing;
  const history = [
    ...draft.lines.map(({ text }) => text),
    ...draft.turns.map((turn) => writeTurn(turn, phrases)),
  ];
  const references = [
    ...draft.references.map((turn) => writeReference(turn, phrases)),
    ...toldInTail(draft.tail, phrases),
  ];
  const sections = [
    [phrases.current, prompt],
    ...(history.length > 0 ? [[phrases.history, ...history]] : []),
    ...(references.length > 0 ? [[phrases.references, ...references]] : []),
  ].map((lines, at) => `${at + 1}. ${lines.join('\n')}`);
  const isHinted = detailHint && draft.lines.length + draft.tail.related.length > 0;
  const before = instructions === '' ? [] : [instructions];
  return [...before, phrases.intro, ...sections, ...(isHinted ? [phrases.hint] : [])].join('\n\n');
}

/** Returns a turn as a paragraph. */
function writeTurn({ node, prompt, response }: Turn, phrases: Phrases): string {
  return [
    `[${node.label}]`,
    ...(prompt === '' ? [] : [phrases.user + prompt]),
    ...(response === '' ? [] : [phrases.assistant + response]),
  ].join('\n');
}

/** Returns a reference as a paragraph: its tags, then all of it. */
function writeReference(turn: Turn, phrases: Phrases): string {
  const { tags } = turn;
  const topics = tags.length > 0 ? `: ${tags.map((tag) => `#${tag}`).join(' ')}` : '';
  const [label, ...rest] = writeTurn(turn, phrases).split('\n');
  return [`${label ?? ''}${topics}`, ...rest].join('\n');
}

/** Returns a passage as a paragraph. */
function writeQuote({ label, text }: Quote): string {
  return `[${label}]: ${text}`;
}

/** Returns a node of another branch or flow as a line: its summary, then its tags. */
function writeRelated({ node, text, tags }: RelatedNode): string {
  return [`[${node.label}]: ${text}`, ...tags.map((tag) => `#${tag}`)].join(' ');
}

/** The words of a context. */
export interface Phrases {
  readonly intro: string;
  readonly current: string;
  readonly history: string;
  readonly references: string;
  readonly hint: string;
  readonly user: string;
  readonly assistant: string;
  /** Replaces omitted characters. */
  cut(characters: number): string;
}

/** The words around a context, in Japanese and English. */
export const PHRASES: Readonly<Record<Language, Phrases>> = {
  ja: {
    intro: '以下の情報を参照して回答してください：',
    current: '現在のフロー:',
    history: '会話の流れ:',
    references: '参照情報:',
    hint: '詳細情報が必要な場合は「[番号]の詳細を知りたい」と指示できます。',
    user: 'ユーザー: ',
    assistant: 'アシスタント: ',
    cut: (characters) => `\n[… ${characters}文字を省略 …]\n`,
  },
  en: {
    intro: 'Answer with regard to the following information:',
    current: 'Current prompt:',
    history: 'Conversation so far:',
    references: 'References:',
    hint: 'If you need the details of a turn, say: show me [number].',
    user: 'User: ',
    assistant: 'Assistant: ',
    cut: (characters) => `\n[… ${characters} characters left out …]\n`,
  },
};

/** Prices the pieces of a context. */
export class Price {
  readonly #meter: Meter;
  readonly #phrases: Phrases;

  constructor(meter: Meter, phrases: Phrases) {
    this.#meter = meter;
    this.#phrases = phrases;
  }

  line({ text }: { readonly text: string }): number {
    return this.#meter.count(`${text}\n`);
  }

  /** Returns a turn as messages or as text, whichever costs more. */
  turn(turn: Turn): number {
    const asText = this.#meter.count(`${writeTurn(turn, this.#phrases)}\n`);
    return Math.max(asText, this.messages(turn));
  }

  /** Returns a turn as messages. */
  messages({ prompt, response }: Pick<Turn, 'prompt' | 'response'>): number {
    return [prompt, response]
      .filter((text) => text !== '')
      .reduce((sum, text) => sum + this.#meter.count(text) + MESSAGE_OVERHEAD, 0);
  }

  reference(turn: Turn): number {
    return this.#meter.count(`${writeReference(turn, this.#phrases)}\n`);
  }

  quote(quote: Quote): number {
    return this.#meter.count(`${writeQuote(quote)}\n`);
  }

  related(related: RelatedNode): number {
    return this.#meter.count(`${writeRelated(related)}\n`);
  }

  /** Returns the message that the prompt's own references are in, without them. */
  tail(): number {
    const { references, hint } = this.#phrases;
    return this.#meter.count(`${references}\n${hint}\n`) + MESSAGE_OVERHEAD;
  }

  /** All headings together. */
  headings(): number {
    const { intro, current, history, references, hint } = this.#phrases;
    const text = [
      intro,
      '',
      `1. ${current}`,
      '',
      `2. ${history}`,
      '',
      `3. ${references}`,
      '',
      hint,
    ];
    return this.#meter.count(`${text.join('\n')}\n`) + MESSAGE_OVERHEAD;
  }

  /**
   * Returns a turn that costs no more than it may: of each text the beginning, the end and, if a search finds one, the
   * piece that the prompt is about.
   *
   * @param find - Returns that piece of a text, of at most this many characters; the beginning if nothing is found.
   * @param isOfItems - `true`: a list keeps the beginnings of all its items instead.
   */
  cut(turn: Turn, cost: number, allowed: number, find: FindPiece, isOfItems: boolean): Turn {
    const needs = [turn.prompt, turn.response].map((text) => this.#meter.count(text));
    const rest = cost - needs.reduce((sum, need) => sum + need, 0);
    const [forPrompt = 0, forResponse = 0] = shareOut(needs, allowed - rest);
    const cut = (text: string, tokens: number): string =>
      (isOfItems ? this.#cutItems(text, tokens) : undefined) ?? this.#cutAround(text, tokens, find);
    return {
      ...turn,
      prompt: cut(turn.prompt, forPrompt),
      response: cut(turn.response, forResponse),
      isCut: true,
    };
  }

  /** Returns the beginnings of all items of the list that a text is, as long as they fit. */
  #cutItems(text: string, tokens: number): string | undefined {
    if (this.#meter.count(text) <= tokens) return text;
    const list = findList(text);
    const listed = list?.items.reduce((sum, item) => sum + item.text.length, 0) ?? 0;
    if (!list || listed < text.length / 2) return undefined;
    const tries = ITEM_WIDTHS.map((most) => itemsOf(list, most));
    return tries.find((items) => this.#meter.count(items) <= tokens);
  }

  #cutAround(text: string, tokens: number, find: FindPiece): string {
    const needed = this.#meter.count(text);
    if (needed <= tokens) return text;
    const length = Math.floor((text.length * tokens * PIECE_SHARE) / needed);
    if (length < 1) return this.#cutMiddle(text, tokens);
    const piece = find(text, length);
    const left = tokens - this.#meter.count(piece.text);
    if (piece.start === 0 || left <= 0) return this.#cutMiddle(text, tokens);
    const end = piece.start + piece.text.length;
    const before = this.#cutMiddle(text.slice(0, piece.start), left / 2);
    const after = this.#cutMiddle(text.slice(end), left - this.#meter.count(before));
    const whole = before + piece.text + after;
    return this.#meter.count(whole) <= tokens ? whole : this.#cutMiddle(text, tokens);
  }

  #cutMiddle(text: string, tokens: number): string {
    return cutMiddle(
      text,
      (shorter) => this.#meter.count(shorter) <= tokens,
      (characters) => this.#phrases.cut(characters),
    );
  }
}

/** Finds the piece of a text that a prompt is about. */
export type FindPiece = (
  text: string,
  length: number,
) => { readonly text: string; readonly start: number };

/** Characters of each item of a list that is cut, wide ones counted twice. */
const ITEM_WIDTHS = [400, 200, 100, 60, 40, 24, 16, 12, 8];
/** The piece that the prompt is about takes this share of a text that is cut. */
const PIECE_SHARE = 0.5;

/** The most tokens that the role and the borders of a message cost with any provider. */
export const MESSAGE_OVERHEAD = 4;
/** The tokens of the beginning of the answer. */
const REPLY_OVERHEAD = 3;

/** Counts the tokens of a context; what was counted once is remembered. */
export class Meter {
  readonly #counter: TokenCounter;
  readonly #known = new Map<string, number>();
  #isExact = true;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** `true`: every count is exact. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Tokens of a text. */
  count(text: string): number {
    if (text === '') return 0;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const { tokens, exact } = this.#counter.count(text);
    this.#isExact &&= exact;
    this.#known.set(text, tokens);
    return tokens;
  }

  /** Tokens of messages, as a provider counts them. */
  countMessages(messages: readonly Message[]): number {
    return messages.reduce(
      (sum, message) => sum + MESSAGE_OVERHEAD + this.count(textOf(message)),
      REPLY_OVERHEAD,
    );
  }
}

/**
 * Divides the available amount: a need below an equal share is met in full, and the others share
 * the rest.
 *
 * @returns One share for each need, in their order; together at most `available`.
 */
export function shareOut(needs: readonly number[], available: number): number[] {
  const shares = needs.map(() => 0);
  const byNeed = [...needs.entries()].toSorted(([a, x], [b, y]) => x - y || a - b);
  let left = Math.max(0, available);
  for (const [turn, [place, need]] of byNeed.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - turn)));
    shares[place] = share;
    left -= share;
  }
  return shares;
}
