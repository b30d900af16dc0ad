import { type Message, textMessage, type TextPart } from '@vizprompt/providers';
import type { Language } from '@vizprompt/providers/internal';
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
export function writeTurn({ node, prompt, response }: Turn, phrases: Phrases): string {
  return [
    `[${node.label}]`,
    ...(prompt === '' ? [] : [phrases.user + prompt]),
    ...(response === '' ? [] : [phrases.assistant + response]),
  ].join('\n');
}

/** Returns a reference as a paragraph: its tags, then all of it. */
export function writeReference(turn: Turn, phrases: Phrases): string {
  const { tags } = turn;
  const topics = tags.length > 0 ? `: ${tags.map((tag) => `#${tag}`).join(' ')}` : '';
  const [label, ...rest] = writeTurn(turn, phrases).split('\n');
  return [`${label ?? ''}${topics}`, ...rest].join('\n');
}

/** Returns a passage as a paragraph. */
export function writeQuote({ label, text }: Quote): string {
  return `[${label}]: ${text}`;
}

/** Returns a node of another branch or flow as a line: its summary, then its tags. */
export function writeRelated({ node, text, tags }: RelatedNode): string {
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
