import { isTimestamp, isUuid } from '../format/ids-and-times.ts';
import { withoutPrefixes } from '../format/line-prefixes.ts';
import { isLike, plainId } from './similar-ids.ts';

/**
 * Fixes typing errors in the text of a node file: tags that are misspelled, not closed or in the wrong case,
 * CDATA without its end, a bare `&` or `<`, an id in another form, an invalid time.
 *
 * @param now - The time of a node without a known time.
 * @param lostId - The id of a node that says none, or one that is no id.
 * @returns The text of a possible node; the caller must read it to find out.
 */
export function mendNodeText(text: string, now: string, lostId?: string): string {
  const plain = unescaped(withoutPrefixes(text.replaceAll(/\r\n?/g, '\n')));
  return withSoundRoot(withSoundTags(plainMarkup(plain)), now, lostId);
}

/** Returns a file that was escaped as a whole, as pages show it, as it was before. */
function unescaped(text: string): string {
  if (text.includes('<') || !/&lt;node\b/.test(text)) return text;
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Tags with wide brackets, spaces or a backslash, outside sections; nothing around the root. */
const LOOSE_TAG = /[<＜]\s*([/／\\]?)\s*([a-z][a-z]*)\s*[>＞]/gi;

/** Characters without a width within the brackets of a tag. */
const UNSEEN = /(<\/?)[\u200b\u2060\ufeff]{1,9}(?=[a-z/])|[\u200b\u2060\ufeff]{1,9}(?=>)/gi;

function plainMarkup(text: string): string {
  const pieces = withSoundSections(text.replaceAll(UNSEEN, '$1'))
    .replace(/<node\b[^>]*>/i, (tag) =>
      soundAttributes(tag.replaceAll(/(?<=["'])\s*[,;](?=\s)|\/(?=>$)/g, '')),
    )
    .replaceAll(
      /\]\]>(\s*)([<＜]\s*[/／\\]\s*[a-z][a-z]*\s*[>＞])/gi,
      (_, gap: string, tag: string) => {
        return `]]>${gap}${tag.replace(LOOSE_TAG, '</$2>')}`;
      },
    )
    .split(/(<!\[CDATA\[[^]*?\]\]>)/);
  const isSection = (piece: string): boolean => piece.startsWith('<![CDATA[');
  const tags = tagsIn(pieces.filter((piece) => !isSection(piece)).join(' '));
  const withBrackets = bracketsOf(tags);
  const plain = pieces
    .map((piece) =>
      isSection(piece)
        ? piece
        : withBrackets(withoutZeros(piece)).replaceAll(
            LOOSE_TAG,
            (tag, slash: string, name: string) =>
              KNOWN.has(name) ? `<${slash === '' ? '' : '/'}${name}>` : tag,
          ),
    )
    .join('');
  const start = plain.search(/<node\b/i);
  const end = plain.indexOf('</node>', start);
  const whole = start < 0 ? plain : plain.slice(start);
  return end < 0 || start < 0 || isInSection(plain, end)
    ? whole
    : plain.slice(start, end + '</node>'.length);
}

/** Returns the tags of a text: what is written like one that is there was said. */
function tagsIn(text: string): ReadonlySet<string> {
  return new Set(
    Array.from(text.matchAll(/<(\/?[a-z][a-z]*)/gi), ([, tag = '']) => tag.toLowerCase()),
  );
}

/** The beginning of a section with a bracket less or spaces, and what ends one. */
const SECTION =
  /<!\s*\[\s*cdata(?:[ \t]*\[)?|\]\]>|<\/\w\w*\s*>\s*<(?:response|parts|metadata)\b/gi;

/** Writes where sections begin as it must be, and the tags of the root without a name space; sections stay as they are. */
function withSoundSections(text: string): string {
  let isOpen = false;
  const sound = text.replaceAll(SECTION, (token: string, at: number) => {
    const isBeginning = token.startsWith('<!');
    // In the middle of a text, only a whole one is a beginning.
    const begins = isBeginning && !isOpen && (/^<!\[cdata\[$/i.test(token) || isAfterTag(text, at));
    if (begins || !isBeginning) isOpen = begins;
    return begins ? '<![CDATA[' : token;
  });
  const [root = '', space] = /<(?:(\w\w*):)?node\b/i.exec(sound) ?? [];
  if (space === undefined) return sound;
  const closing = `</${space}:node`;
  const end = sound.lastIndexOf(closing);
  const plain =
    end < 0 || isInSection(sound, end)
      ? sound
      : `${sound.slice(0, end)}</node${sound.slice(end + closing.length)}`;
  return plain.replace(root, '<node');
}

/** Checks whether there are only a few spaces between a tag and a place. */
function isAfterTag(text: string, at: number): boolean {
  return text
    .slice(Math.max(0, at - 40), at)
    .trimEnd()
    .endsWith('>');
}

/** Writes the attributes of a tag with plain quotes around their values. */
function soundAttributes(tag: string): string {
  return tag
    .replaceAll(/[“”„″]/g, '"')
    .replaceAll(
      /\b([a-z][a-z]*)\s*[=:]\s*(?:("[^"]*"|'[^']*')|["']?([^"'\s>][^"'\s>]*))/gi,
      (_, name: string, quoted: string | undefined, bare: string) =>
        ` ${name}=${quoted ?? `"${bare}"`}`,
    );
}

/** Checks whether a place is within CDATA. */
function isInSection(text: string, at: number): boolean {
  return text.lastIndexOf('<![CDATA[', at) > text.lastIndexOf(']]>', at);
}

/** Markup that is skipped as a whole; what opens it without an end is closed at the end of its element. */
const TOKEN =
  /<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[|<(\/?)([A-Za-z][\w.-]*)((?:\s\s*[\w:.-][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>?|[&<]/g;

/** Walks over the tags with those that are open, and writes them as they must be. */
function withSoundTags(text: string): string {
  const open: string[] = [];
  const pieces: string[] = [];
  let at = 0;
  // The section of which nothing but its tag was read.
  let begun: string | undefined;
  // In a line of an answer, the tag of a prompt that is there already was said.
  const isAgain = ({ name, slash }: Tag): boolean =>
    name === 'prompt' &&
    slash === '' &&
    open.at(-1) === 'response' &&
    /\S[ \t]*$/.test(pieces.at(-1)?.slice(-40) ?? '') &&
    pieces.includes('<prompt>');
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [token, slash, name, attributes = '', empty] = match;
    const between = text.slice(at, match.index);
    pieces.push(between);
    at = match.index + token.length;
    const before = between.trim() === '' ? begun : undefined;
    begun = token.startsWith('<!--') ? before : undefined;
    const early = token.startsWith('<![CDATA[') ? runsOver(token, open.at(-1)) : undefined;
    if (early) {
      pieces.push(token.slice(0, early.end), ']]>');
      at = match.index + early.next;
    } else if (name !== undefined) {
      const tag = { slash: slash ?? '', name, attributes, empty: empty ?? '' };
      const isTwice = tag.slash === '' && name === open.at(-1) && SECTIONS.has(name);
      // A section that begins twice begins once, unless the second one was said.
      const isBegun = name === 'metadata' || (before === name && !follows(WORD, text, at));
      const isEnd = isTwice && !isBegun && follows(AFTER_SECTION, text, at);
      const tags =
        isTwice && isBegun
          ? []
          : (isTwice && !isEnd) || isSaid(tag, open.at(-1)) || isAgain(tag)
            ? [escapedTag(token)]
            : soundTag(isEnd ? { ...tag, slash: '/' } : tag, open);
      if (tag.slash === '' && !isEnd && (!isTwice || isBegun)) begun = open.at(-1);
      // The space before a section is not of the one that was not closed.
      if (tag.slash === '' && tags.length > 1) pieces.push((pieces.pop() ?? '').trimEnd());
      pieces.push(...tags);
    } else if (token === '<![CDATA[') {
      const end = endOfSection(text, at, open.at(-1));
      pieces.push(token, text.slice(at, end.end), ']]>');
      at = end.next;
    } else if (token === '&') pieces.push(isReference(text, match.index) ? '&' : '&amp;');
    else if (token === '<') pieces.push('&lt;');
    else pieces.push(token);
    pattern.lastIndex = at;
  }
  const rest = text.slice(at);
  const closing = open.toReversed().map((each) => `</${each}>`);
  const body = closing.length > 0 ? [rest, ...closing, '\n'] : [rest];
  return [...pieces, ...body].join('');
}

/** The text after a tag that is said: a word on the same line. */
const WORD = /[ \t][ \t]*[^\s<]/y;

/** The text after the closing tag of a prompt or an answer, also if it has lost its slash. */
const AFTER_SECTION = /\s*(?:<(?:response|parts|metadata)\b|<\/node\b|$)/y;

/** Returns the place where a section that runs into the next element should have ended. */
function runsOver(section: string, element = ''): End | undefined {
  const found = new RegExp(`</${element}\\s*>\\s*<(?:response|parts|metadata)\\b`).exec(section);
  return found ? endAt(section, found.index, '<![CDATA['.length) : undefined;
}

/** Where a section ends, and where what follows begins: after the rest of the marks of its end. */
interface End {
  readonly end: number;
  readonly next: number;
}

/** Ends a section before the rest of its marks, unless they may have been said: one alone, or after an open bracket in their line. */
function endAt(section: string, next: number, from = 0): End {
  const [marks = ''] =
    /\]{1,2}[ \t]?>$|\]\]$/.exec(section.slice(Math.max(0, next - 4), next)) ?? [];
  const end = next - marks.length;
  const said = section.slice(Math.max(from, section.lastIndexOf('\n', end - 1) + 1), end);
  const isOpen = said.split('[').length > said.split(']').length;
  return { end: isOpen ? next : end, next };
}

/** Checks whether a tag in a prompt or an answer is a part of what was said, as `<more>`. */
function isSaid({ name, slash }: Tag, element = ''): boolean {
  if (element !== 'prompt' && element !== 'response') return false;
  const isOwn = [...KNOWN].some((known) => isLike(known, name));
  return !isOwn && (slash === '' || !isLike(element, name));
}

function escapedTag(token: string): string {
  return token.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface Tag {
  readonly slash: string;
  readonly name: string;
  readonly attributes: string;
  readonly empty: string;
}

function soundTag({ slash, name, attributes, empty }: Tag, open: string[]): string[] {
  if (slash === '') {
    const known = knownName(name);
    // A section begins in the node itself: the one before it was not closed.
    const isSection = SECTIONS.has(known) && SECTIONS.has(open.at(-1) ?? '') && open[0] === 'node';
    const closed = isSection
      ? open
          .splice(1)
          .toReversed()
          .map((each) => `</${each}>\n`)
      : [];
    // A tag holds no tag: the one before it was not closed.
    if (known === 'tag' && open.at(-1) === 'tag') closed.push(`</${open.pop() ?? ''}>`);
    if (empty === '') open.push(known);
    return [...closed, `<${known}${attributes}${empty === '' ? '' : ' /'}>`];
  }
  const closes = open.findLastIndex((each) => each === name || isLike(each, name));
  // A closing tag of nothing is text.
  if (closes < 0) return [`&lt;/${name}&gt;`];
  return open
    .splice(closes)
    .toReversed()
    .map((each) => `</${each}>`);
}

/** A section without an end ends before the closing tag of its element, or before the next one that follows. */
function endOfSection(text: string, from: number, element = ''): End {
  const section = text.slice(from);
  const closing = new RegExp(`</${element}\\s*>`).exec(section);
  if (!closing) return { end: text.length, next: text.length };
  const { end, next } = endAt(section, closing.index);
  // The line of the closing tag is not of the text.
  const isLine = section[end - 1] === '\n';
  return { end: from + (isLine ? end - 1 : end), next: from + next };
}

function isReference(text: string, at: number): boolean {
  return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|[a-z]{2,8}\d{0,2});/i.test(
    text.slice(at, at + 14),
  );
}

/** Returns the id in its usual form, and a time that is one. */
function withSoundRoot(text: string, now: string, lostId?: string): string {
  return text.replace(/<node\b([^>]*)>/, (_, attributes: string) => {
    const valueOf = (name: string): string | undefined =>
      new RegExp(`\\b${name}\\s*=\\s*(["'])(.*?)\\1`, 'i').exec(attributes)?.[2];
    const written = plainId(valueOf('id') ?? valueOf('uuid') ?? '');
    const id = isUuid(written) ? written : (lostId ?? written);
    const given = valueOf('timestamp') ?? '';
    const time = isTimestamp(given)
      ? given
      : (meantTime(given) ?? timeOfId(id) ?? lastBuilt(text) ?? now);
    const rest = attributes.replaceAll(
      /\s*\b(?:id|uuid|timestamp)\s*=\s*(?:"[^"]*"|'[^']*')/gi,
      '',
    );
    return `<node id="${id}" timestamp="${time}"${withoutDoubles(rest)}>`;
  });
}

/** Returns attributes of which each is there once. */
function withoutDoubles(attributes: string): string {
  const pairs = attributes.matchAll(/(?<![\w:.-])([\w:.-][\w:.-]*)\s*=\s*(?:"[^"]*"|'[^']*')/g);
  const first = new Map<string, string>();
  for (const [pair, name = ''] of pairs) if (!first.has(name)) first.set(name, ` ${pair}`);
  return [...first.values()].join('');
}

/** Returns a time in another form, such as `2025/05/09 06:48`, a date alone, or seconds since 1970. */
function meantTime(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim();
  const seconds = /^\d{10}(?:\.\d\d*)?$/.test(plain) ? Number(plain) * 1000 : undefined;
  const milliseconds = /^\d{13}$/.test(plain) ? Number(plain) : seconds;
  const [, year, month, day, rest = ''] =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[T ]*(.*)$/i.exec(plain) ?? [];
  if (milliseconds !== undefined) return new Date(milliseconds).toISOString();
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const [, hour = '00', minute = '00', second = '00', zone = ''] =
    /^(\d{1,2})[:時](\d{1,2})(?:[:分](\d{1,2}(?:\.\d\d*)?))?\D*?(Z|[+-]\d\d:?\d\d)?$/i.exec(rest) ??
    [];
  const pad = (value: string): string => value.replace(/^(\d)(?=\D|$)/, '0$1');
  const made = `${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}${zone || 'Z'}`;
  const isReal =
    new Date(`${made.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(0, 10) === made.slice(0, 10);
  return isReal && isTimestamp(made) ? made : undefined;
}

/** Returns the time in an id of version 7. */
function timeOfId(id: string): string | undefined {
  if (!/^[\da-f]{8}-[\da-f]{4}-7/.test(id)) return undefined;
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
}

function lastBuilt(text: string): string | undefined {
  const time = /\blast_built="([^"][^"]*)"/.exec(text)?.[1];
  return time !== undefined && isTimestamp(time) ? time : undefined;
}

/** The elements of a node file. */
const KNOWN: ReadonlySet<string> = new Set(
  'node prompt response parts part metadata model stats summary tags tag status speaker source'.split(
    ' ',
  ),
);

/** The elements of a node that hold no other of them. */
const SECTIONS: ReadonlySet<string> = new Set(['prompt', 'response', 'metadata']);

/** Returns the name of a known element that is meant, or the name itself. */
function knownName(name: string): string {
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
function withoutZeros(piece: string): string {
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
function bracketsOf(tags: ReadonlySet<string>): (piece: string) => string {
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
function follows(pattern: RegExp, text: string, at: number): boolean {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.test(text);
}
