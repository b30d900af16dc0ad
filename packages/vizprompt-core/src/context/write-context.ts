import { textMessage, type Message, type TextPart } from '@vizprompt/providers';
import type { Draft, Quote, Turn } from './draft.ts';
import { FAN } from './history.ts';
import type { Phrases } from './phrases.ts';

/** What a context is written with, beside its draft. */
export interface Writing {
  readonly prompt: string;
  /** Empty if there are none. */
  readonly instructions: string;
  readonly phrases: Phrases;
  readonly detailHint: boolean;
}

/** The messages of a draft, the prompt last. */
export function writeMessages(draft: Draft, writing: Writing): Message[] {
  const parts = systemParts(draft, writing);
  return [
    ...(writing.instructions === '' ? [] : [textMessage('system', writing.instructions)]),
    ...(parts.length > 0 ? [{ role: 'system' as const, parts }] : []),
    ...draft.turns.flatMap(({ prompt, response }) => [
      ...(prompt === '' ? [] : [textMessage('user', prompt)]),
      ...(response === '' ? [] : [textMessage('assistant', response)]),
    ]),
    textMessage('user', writing.prompt),
  ];
}

/** Parts end where they will stay the same for long: caches may keep each. */
function systemParts(draft: Draft, { phrases, detailHint }: Writing): TextPart[] {
  const { lines } = draft;
  const references = referenceLines(draft, phrases);
  if (lines.length + references.length === 0) return [];
  const ranges = lines.filter(({ level }) => level > 0).map(({ text }) => text);
  const single = lines.filter(({ level }) => level === 0).map(({ text }) => text);
  const chunks = Array.from({ length: Math.ceil(single.length / FAN) }, (_, at) =>
    single.slice(at * FAN, (at + 1) * FAN),
  );
  const isHinted = detailHint && lines.length > 0;
  const head = [
    ...(isHinted ? [phrases.hint] : []),
    ...(lines.length > 0 ? [phrases.history] : []),
  ];
  const tail = references.length > 0 ? [phrases.references, ...references] : [];
  return [head, ranges, ...chunks, tail]
    .filter((block) => block.length > 0)
    .map((block) => ({ type: 'text', text: `${block.join('\n')}\n` }));
}

/** A context as one text: what is asked, what was said, what is referred to. */
export function writeText(draft: Draft, writing: Writing): string {
  const { prompt, instructions, phrases, detailHint } = writing;
  const history = [
    ...draft.lines.map(({ text }) => text),
    ...draft.turns.map((turn) => writeTurn(turn, phrases)),
  ];
  const references = referenceLines(draft, phrases);
  const sections = [
    [phrases.current, prompt],
    ...(history.length > 0 ? [[phrases.history, ...history]] : []),
    ...(references.length > 0 ? [[phrases.references, ...references]] : []),
  ].map((lines, at) => `${at + 1}. ${lines.join('\n')}`);
  const isHinted = detailHint && draft.lines.length > 0;
  const before = instructions === '' ? [] : [instructions];
  return [...before, phrases.intro, ...sections, ...(isHinted ? [phrases.hint] : [])].join('\n\n');
}

/** A turn as a paragraph. */
export function writeTurn({ node, prompt, response }: Turn, phrases: Phrases): string {
  return [
    `[${node.label}]`,
    ...(prompt === '' ? [] : [phrases.user + prompt]),
    ...(response === '' ? [] : [phrases.assistant + response]),
  ].join('\n');
}

/** A reference as a paragraph: its tags, then all of it. */
export function writeReference(turn: Turn, phrases: Phrases): string {
  const { tags } = turn;
  const topics = tags.length > 0 ? `: ${tags.map((tag) => `#${tag}`).join(' ')}` : '';
  const [label, ...rest] = writeTurn(turn, phrases).split('\n');
  return [`${label ?? ''}${topics}`, ...rest].join('\n');
}

/** A passage as a paragraph. */
export function writeQuote({ label, text }: Quote): string {
  return `[${label}]: ${text}`;
}

function referenceLines({ references, quotes }: Draft, phrases: Phrases): string[] {
  return [
    ...references.map((turn) => writeReference(turn, phrases)),
    ...quotes.map((quote) => writeQuote(quote)),
  ];
}
