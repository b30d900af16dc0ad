import type MarkdownIt from 'markdown-it';

/** Letters and signs of scripts that write no blanks between words, or, as Korean, none before particles. */
const CJK =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3001-\u303f\uff01-\uff60]/u;
const BLANK = /\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** A sign next to marks of emphasis. */
interface Side {
  readonly isBlank: boolean;
  readonly isCjk: boolean;
  /** It is punctuation, and not of these scripts: theirs counts as a letter. */
  readonly isPunctuation: boolean;
}

function sideOf(sign: string): Side {
  const isCjk = CJK.test(sign);
  const isBlank = sign === '' || BLANK.test(sign);
  return { isBlank, isCjk, isPunctuation: !isCjk && PUNCTUATION.test(sign) };
}

/** Checks whether marks of emphasis may belong to what is on one side of them. */
function isFlanking(inner: Side, outer: Side): boolean {
  if (inner.isBlank) return false;
  return !inner.isPunctuation || outer.isBlank || outer.isPunctuation || outer.isCjk;
}

/**
 * Ends emphasis after `）` and begins it before `「` within a sentence: CommonMark asks for blanks there, which
 * Japanese, Chinese and Korean do not write.
 */
export function emphasizeCjk(parser: MarkdownIt): void {
  const { State } = parser.inline;
  parser.inline.State = class extends State {
    override scanDelims(
      start: number,
      canSplitWord: boolean,
    ): ReturnType<InstanceType<typeof State>['scanDelims']> {
      const found = super.scanDelims(start, canSplitWord);
      const end = start + found.length;
      const before = sideOf(signBefore(this.src, start));
      const after = sideOf(end < this.posMax ? signAt(this.src, end) : '');
      if (!canSplitWord || !(before.isCjk || after.isCjk)) return found;
      return {
        ...found,
        can_open: isFlanking(after, before),
        can_close: isFlanking(before, after),
      };
    }
  };
}

function signAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 32);
}

function signBefore(text: string, at: number): string {
  return Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
}

/** Ends an address: punctuation of these scripts. */
const MARKS_AFTER = /[\u3000-\u3003\u3008-\u301b\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/;
const LETTERS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}`;
/**
 * Ends a domain, unless it continues in these scripts, with digits, hyphens and, up to the end of the host, Latin letters;
 * after `www.` a single label is none. Other letters, as of `straße.de`, are a part of it.
 */
const AFTER_DOMAIN = new RegExp(
  String.raw`(?<=^https?:\/\/(?!www\.[a-z]{1,63}[${LETTERS}])[\w.\-]{1,250}\.[a-z]{2,24})[${LETTERS}]` +
    String.raw`(?![${LETTERS}ー・\d０-９\-]{0,63}\.[a-z]{2})` +
    String.raw`(?![${LETTERS}ー・\w\-]{0,63}\.[a-z]{2,24}(?:[\/:?#]|$))`,
  'iu',
);
/** Ends a path: any word after the name of a file, and particles that no name of a page begins or ends with. */
const AFTER_PATH =
  /(?<=\.(?:html?|php|pdf|png|jpe?g|gif|zip))[\u3041-\u3096\uac00-\ud7a3]|(?<=\/)を(?=[^\u3041-\u3096]|[ごお])|(?<=[\w/-])(?:에서|에는|에도|으로|까지|부터|입니다|를|을)$/i;

/** Returns where an address ends within a text without blanks. Words in a query or after `#` may be a part of it. */
function endOfAddress(raw: string): number {
  const path = /^[^?#]*/.exec(raw)?.[0] ?? '';
  const ends = [raw.search(MARKS_AFTER), path.search(AFTER_DOMAIN), path.search(AFTER_PATH)];
  return Math.min(...ends.map((end) => (end < 0 ? raw.length : end)));
}

/** Ends the address of a link where the sentence around it continues without a blank. */
export function endLinksAtCjk(parser: MarkdownIt): void {
  const { linkify } = parser;
  const match = linkify.match.bind(linkify);
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  const shorten = <T extends { raw: string; text: string; url: string; lastIndex: number }>(
    found: T,
  ): T => {
    const end = endOfAddress(found.raw);
    if (end === found.raw.length) return found;
    const lost = found.raw.length - end;
    found.raw = found.raw.slice(0, end);
    found.text = found.text.slice(0, -lost);
    found.url = found.url.slice(0, -lost);
    found.lastIndex -= lost;
    return found;
  };
  linkify.match = (text) => match(text)?.map(shorten) ?? null;
  linkify.matchAtStart = (text) => {
    const found = matchAtStart(text);
    return found ? shorten(found) : null;
  };
}
