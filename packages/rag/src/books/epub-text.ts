import { BookLines, rubyText, withoutRuby } from './book-lines.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import { type Contents, readContents, type TocEntry } from './epub-contents.ts';
import type { ZipParts } from './zip-parts.ts';

/** Elements whose beginning and end are those of a paragraph. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
/** Elements without text of the book. */
const SILENT: ReadonlySet<string> = new Set(
  'head script style svg template audio video object iframe rp case annotation annotation-xml'.split(
    ' ',
  ),
);
const HEADING = /^h([1-6])$/;
/** Where pages of the printed book begin. */
const PAGE_BREAK = /(?:^|[\s-])pagebreak(?:\s|$)/;
/** The number or sign of a note in the text, and the way back from the note; how EPUB 3, its roles, and pandoc name them. */
const NOTE_LINK = /(?:^|[\s-])(?:noteref|backlink|footnote-ref|footnote-back)(?:\s|$)/;
/** The target of such links, in books of Word, LibreOffice, Google Docs and calibre, which say nothing else of them. */
const NOTE_PLACE =
  /#_?(?:sd)?(?:ftn|fn|footnote|endnote|edn|calledF|dataF)(?:t?[_-]?ref)?t?[_-]?(?<number>\d{1,4})(?:sym|anc)?$/i;
/** The text of such a link; others mark words, or whole parts. */
const NOTE_SIGN = /^(?:[\p{N}\p{S}\p{P}\s\0注註a-z]\p{M}?){0,6}$/iu;
const AROUND_SIGN = String.raw`(?:(?![%‰\p{Pd}])[\p{P}\s\0^<>\u2190-\u21ff]\p{M}?){0,3}`;
/** Up to 39; the number 1 is none here, as I is a word. */
const ROMAN = '(?:i{2,3}|iv|vi{1,3}|ix|x{1,3}(?:i[xv]|v?i{0,3}))';
/**
 * The same where only the target says that it is one: a number, a letter, or a sign of notes, but no words, amounts, and
 * other signs. A capital letter is one in brackets.
 */
const PLAIN_SIGN = new RegExp(
  String.raw`^${AROUND_SIGN}(?:[注註]?[\s\0]?(?:(?<digits>\p{N}{1,4})|(?<letter>[a-z])\k<letter>?|${ROMAN}|(?=[IVX]{2})${ROMAN.toUpperCase()}|(?<=[(（[［〔【]|[注註][\s\0]?)[A-Z](?=$|[)）\]］〕】]))|[注註]|(?:[*＊†‡§¶※#＃^↩⤴\u2190-\u21ff]\p{M}?){1,3})${AROUND_SIGN}$`,
  'u',
);
/** Longer numbers are years and amounts. */
const LONGEST_NOTE = 3;
const NOT_DISPLAYED = /(?:^|[;\s])display\s*:\s*none/i;
/** The picture of a character that has no code. */
const CHARACTER_PICTURE = /gaiji/i;

/** Marks blanks with a line break in the source of a page. */
const SOFT = '\0';
/** Between characters of scripts without spaces, such a break is none. Source: CSS Text 3, section 4.1.3. */
const WIDE = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uff60《》｜]`;
const BETWEEN_WIDE = new RegExp(`(?<=${WIDE})\0+(?=${WIDE})`, 'gu');

/** Returns the text of an EPUB 2 or 3, in the order in which it is read. */
export async function epubText(parts: ZipParts, maxCharacters: number): Promise<string> {
  const contents = await readContents(parts);
  const lines = new BookLines(maxCharacters);
  for (const name of contents.spine) {
    const chapter = new ChapterReader(lines, contents, name);
    await readXml(parts, name, chapter);
    chapter.end();
  }
  return lines.text();
}

/** A link to or from a note: its text so far, and how many elements it is within. */
interface NoteLink {
  text: string;
  readonly depth: number;
  readonly isSign: (text: string) => boolean;
}

/** Makes lines of one XHTML file of a book. */
class ChapterReader implements XmlHandler {
  readonly #lines: BookLines;
  readonly #entries: TocEntry[];
  /** Entries of the table of contents that point to what comes next. */
  readonly #pending: TocEntry[] = [];
  /** The lines before this file. */
  readonly #start: number;
  #line = '';
  /** The heading that is open: its level, and how many elements it is within. */
  #heading: { readonly level: number; readonly depth: number; alt: string } | undefined;
  /** How much deeper headings are in the table of contents than in this file. */
  #shift = 0;
  #hasHeading = false;
  #depth = 0;
  #silent = 0;
  #pre = 0;
  /** The link to or from a note that is open. */
  #note: NoteLink | undefined;
  #ruby: { base: string; reading: string; depth: number; isReading: boolean } | undefined;

  constructor(lines: BookLines, { toc }: Contents, name: string) {
    this.#lines = lines;
    this.#start = lines.length;
    this.#entries = [...(toc.get(name) ?? [])];
    this.#reach('');
  }

  open({ name: tag, attributes }: XmlTag): void {
    if (this.#silent > 0) {
      this.#silent += 1;
      return;
    }
    const name = tag.toLowerCase();
    if (BLOCKS.has(name)) this.#flush();
    const id = attributes.get('id') ?? (name === 'a' ? attributes.get('name') : undefined);
    if (id !== undefined) this.#reach(id);
    if (SILENT.has(name) || isHidden(attributes)) {
      this.#silent = 1;
      return;
    }
    this.#depth += 1;
    const isSign = this.#note || this.#ruby ? undefined : noteSign(name, attributes);
    if (isSign) this.#note = { text: '', depth: this.#depth, isSign };
    const level = headingLevel(name, attributes);
    if (level !== undefined) {
      this.#flush();
      this.#heading = { level, depth: this.#depth, alt: '' };
    }
    if (name === 'br') this.#add('\n');
    else if (name === 'hr') this.#lines.scene();
    else if (name === 'pre') this.#pre += 1;
    else if (name === 'img') this.#picture(attributes);
    else this.#openRuby(name);
  }

  text(text: string): void {
    if (this.#silent > 0) return;
    if (this.#pre > 0) this.#add(text);
    else
      this.#add(
        text.replaceAll(/[ \t\r\n\f][ \t\r\n\f]*/g, (blanks) =>
          /[\r\n]/.test(blanks) ? SOFT : ' ',
        ),
      );
  }

  close(tag: string): void {
    if (this.#silent > 0) {
      this.#silent -= 1;
      return;
    }
    const name = tag.toLowerCase();
    if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1);
    this.#closeRuby(name);
    if (this.#note?.depth === this.#depth) this.#closeNote(this.#note);
    const isHeadingEnd = this.#heading?.depth === this.#depth;
    if (BLOCKS.has(name) || isHeadingEnd) this.#flush();
    if (isHeadingEnd) this.#heading = undefined;
    this.#depth -= 1;
  }

  /** Called when the file is at its end. */
  end(): void {
    this.#flush();
    for (const { depth, title } of this.#pending.splice(0)) this.#lines.heading(depth, title);
    const [lost] = this.#entries;
    // As in readers of books, a place that the file does not have is its beginning.
    if (lost && !this.#hasHeading && this.#lines.length > this.#start) {
      this.#lines.heading(lost.depth, lost.title, this.#start);
    }
  }

  #openRuby(name: string): void {
    const ruby = this.#ruby;
    if (name === 'ruby') {
      if (ruby) ruby.depth += 1;
      else this.#ruby = { base: '', reading: '', depth: 1, isReading: false };
    } else if (ruby && (name === 'rt' || name === 'rtc')) ruby.isReading = true;
    else if (ruby && name === 'rb') ruby.isReading = false;
  }

  #closeRuby(name: string): void {
    const ruby = this.#ruby;
    if (!ruby) return;
    if (name === 'rt' || name === 'rtc') ruby.isReading = false;
    if (name !== 'ruby') return;
    ruby.depth -= 1;
    if (ruby.depth > 0) return;
    this.#ruby = undefined;
    this.#add(rubyText(ruby.base, ruby.reading));
  }

  #closeNote({ text, isSign }: NoteLink): void {
    if (!isSign(text)) this.#line += text;
    this.#note = undefined;
  }

  #picture(attributes: ReadonlyMap<string, string>): void {
    const alt = attributes.get('alt') ?? '';
    const { length } = alt;
    if (length > 0 && length <= 4 && CHARACTER_PICTURE.test(attributes.get('class') ?? '')) {
      this.#add(alt);
    } else if (this.#heading) this.#heading.alt += alt;
  }

  #add(text: string): void {
    const ruby = this.#ruby;
    if (!ruby && this.#note) this.#note.text += text;
    else if (!ruby) this.#line += text;
    else if (ruby.isReading) ruby.reading += text;
    else ruby.base += text;
  }

  /** The table of contents may point here. */
  #reach(id: string): void {
    for (let at = 0; at < this.#entries.length;) {
      const entry = this.#entries[at];
      if (entry?.fragment !== id) at += 1;
      else this.#pending.push(...this.#entries.splice(at, 1));
    }
  }

  /** Ends a paragraph. */
  #flush(): void {
    const text = (this.#line + (this.#note?.text ?? ''))
      .replaceAll(BETWEEN_WIDE, '')
      .replaceAll(SOFT, ' ')
      .replaceAll(/(?<! )  *(?=\n|$)|(?<=^|\n)  */g, '');
    this.#line = '';
    this.#note = undefined;
    this.#put(text.trim() === '' ? (this.#heading?.alt ?? '') : text);
  }

  #put(text: string): void {
    if (text.trim() === '') return;
    const entries = this.#pending.splice(0);
    const last = entries.pop();
    this.#hasHeading ||= last !== undefined || this.#heading !== undefined;
    for (const { depth, title } of entries) this.#lines.heading(depth, title);
    if (this.#heading) {
      const { level } = this.#heading;
      this.#heading.alt = '';
      // Files of chapters begin with h1, though these may be within parts.
      if (last) this.#shift = Math.max(0, last.depth - level);
      this.#lines.heading(level + this.#shift, text);
    } else if (last && plain(text) === plain(last.title)) this.#lines.heading(last.depth, text);
    else {
      if (last) this.#lines.heading(last.depth, last.title);
      this.#lines.paragraph(text);
    }
  }
}

function headingLevel(name: string, attributes: XmlTag['attributes']): number | undefined {
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  if (attributes.get('role') !== 'heading') return undefined;
  const named = Number(attributes.get('aria-level') ?? 2);
  return Number.isInteger(named) && named > 0 ? Math.min(named, 6) : 2;
}

function isHidden(attributes: XmlTag['attributes']): boolean {
  return (
    attributes.has('hidden') ||
    NOT_DISPLAYED.test(attributes.get('style') ?? '') ||
    ['type', 'role'].some((name) => PAGE_BREAK.test(attributes.get(name) ?? ''))
  );
}

/** Returns what checks whether the text of an element is the sign of a note, if the element is a link to or from one. */
function noteSign(
  name: string,
  attributes: XmlTag['attributes'],
): ((text: string) => boolean) | undefined {
  if (name !== 'a' && name !== 'sup') return undefined;
  if (['type', 'role', 'class'].some((each) => NOTE_LINK.test(attributes.get(each) ?? '')))
    return (text) => NOTE_SIGN.test(text);
  const place = name === 'a' ? NOTE_PLACE.exec(attributes.get('href') ?? '') : undefined;
  const number = place?.groups?.['number'];
  return number === undefined ? undefined : (text) => isPlainSign(text, number);
}

function isPlainSign(text: string, number: string): boolean {
  const sign = PLAIN_SIGN.exec(text);
  const digits = sign?.groups?.['digits']?.normalize('NFKC') ?? '';
  return sign !== null && (digits.length <= LONGEST_NOTE || digits === number);
}

/** Returns a title without what differs between the book and its table of contents. */
function plain(text: string): string {
  return withoutRuby(text).normalize('NFKC').replaceAll(/\s\s*/g, '');
}
