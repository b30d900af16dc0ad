import { isLike } from './slips.ts';

/** The elements of a node file. */
export const KNOWN: ReadonlySet<string> = new Set(
  'node prompt response parts part metadata model stats summary tags tag status speaker source'.split(
    ' ',
  ),
);

/** The elements of a node that hold no other of them. */
export const SECTIONS: ReadonlySet<string> = new Set(['prompt', 'response', 'metadata']);

/** Returns the name of a known element that is meant, or the name itself. */
export function knownName(name: string): string {
  if (KNOWN.has(name)) return name;
  return [...KNOWN].find((known) => isLike(known, name)) ?? name;
}

/** Names of elements that have lost their first bracket, at the start of a line or after a section. */
const BARE_TAG =
  /(^[ \t]*|\]\]>)(\/?)(prompt|response|parts|metadata|summary|tags)>(?=\s*<|[ \t]*$)/gm;

/** The text after a tag that has lost its bracket within a text that may say it. */
const BEFORE_TAG = /\s*(?:<|$)/y;

/** The text after the end of a prompt or an answer. */
const BEFORE_SECTION = /\s*(?:<?(?:response|parts|metadata)\b|<?\/node\b|$)/y;

/** Takes U+0000 out of tags, and from between them and sections; in a text it stays. */
export function withoutZeros(piece: string): string {
  if (!piece.includes('\0')) return piece;
  return piece
    .replaceAll(/<[^<>]*>?/g, (tag) => {
      const plain = tag.replaceAll('\0', '');
      return /^<\s*(?:[/?]?\s*[a-z][^<]*>|!\s*\[\s*cdata)/i.test(plain) ? plain : tag;
    })
    .replaceAll(/(?<=>|^)[\s\0][\s\0]*(?=<|$)/g, (gap) => gap.replaceAll('\0', ''));
}

/** The elements that hold text, in which a tag may be said. */
const TEXTS: ReadonlySet<string> = new Set(
  'prompt response part summary tag status speaker source'.split(' '),
);

/** Returns what gives bare tags their brackets, in one piece after the other. */
export function bracketsOf(tags: ReadonlySet<string>): (piece: string) => string {
  const token = new RegExp(`${BARE_TAG.source}|[<＜]\\s*([/／\\\\]?)\\s*([a-z]+)([^<>]*)`, 'gim');
  let open: string | undefined;
  const walk = (name: string, isEnd: boolean, isEmpty: boolean): void => {
    if (isEnd && name === open) open = undefined;
    else if (!isEnd && !isEmpty && open === undefined && TEXTS.has(name)) open = name;
  };
  return (piece) =>
    piece.replaceAll(
      token,
      (found: string, ...[before, slash, bare, end, name, rest, at]: Groups) => {
        const after = at + found.length;
        if (bare === undefined) {
          // A section right after CDATA: the one before it was not closed.
          if (end === '' && SECTIONS.has(name ?? '') && piece.slice(0, at).trim() === '')
            open = undefined;
          walk(knownName((name ?? '').toLowerCase()), end !== '', rest?.endsWith('/') === true);
          return found;
        }
        const isMeant =
          open === undefined ||
          (slash === '/' && bare === open && follows(BEFORE_SECTION, piece, after)) ||
          (!tags.has(`${slash}${bare}`) && follows(BEFORE_TAG, piece, after));
        if (!isMeant) return found;
        if (slash === '' && SECTIONS.has(bare)) open = undefined;
        walk(bare, slash === '/', false);
        return `${before}<${slash}${bare}>`;
      },
    );
}

/** The groups of a tag with its brackets or without them, and its place. */
type Groups = [
  before: string | undefined,
  slash: string | undefined,
  bare: string | undefined,
  end: string | undefined,
  name: string | undefined,
  rest: string | undefined,
  at: number,
];

/** Checks whether a sticky pattern matches at a place. */
export function follows(pattern: RegExp, text: string, at: number): boolean {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.test(text);
}
