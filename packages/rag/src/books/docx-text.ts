import { BookLines, rubyText } from './book-lines.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import { BookProblem, resolvePart, type ZipParts } from './zip-parts.ts';

/** Elements whose content is no text of the document: what was deleted or moved away, codes of fields, other forms. */
const SILENT: ReadonlySet<string> = new Set(
  'del moveFrom delText instrText delInstrText Fallback rPrChange pPrChange sectPrChange'.split(
    ' ',
  ),
);
/** The names of styles of headings. */
const HEADING_STYLE = /^(?:heading|見出し)\s*([1-9１-９])$/i;
const TITLE_STYLE = /^(?:title|表題)$/i;

/** Returns the text of a document of Word, its notes at the end. */
export async function docxText(parts: ZipParts, maxCharacters: number): Promise<string> {
  const main = await mainPart(parts);
  const levels = await headingLevels(parts, resolvePart(main, 'styles.xml'));
  const lines = new BookLines(maxCharacters);
  await readXml(parts, main, new DocumentReader(lines, levels));
  for (const notes of ['footnotes.xml', 'endnotes.xml']) {
    const name = resolvePart(main, notes);
    if (!parts.has(name)) continue;
    lines.scene();
    await readXml(parts, name, new DocumentReader(lines, levels));
  }
  return lines.text();
}

async function mainPart(parts: ZipParts): Promise<string> {
  const relations = '_rels/.rels';
  let main: string | undefined;
  if (parts.has(relations)) {
    await readXml(parts, relations, {
      open({ name, attributes }) {
        const isMain = attributes.get('Type')?.endsWith('/officeDocument') === true;
        if (name === 'Relationship' && isMain) main ??= attributes.get('Target');
      },
    });
  }
  const name = resolvePart('', main ?? 'word/document.xml');
  if (parts.has(name)) return name;
  throw new BookProblem('it is no document of Word: it has no main part');
}

/** Returns the levels of the styles that are headings, by their ids. */
async function headingLevels(parts: ZipParts, name: string): Promise<ReadonlyMap<string, number>> {
  const own = new Map<string, number>();
  const parents = new Map<string, string>();
  if (!parts.has(name)) return own;
  let style = '';
  await readXml(parts, name, {
    open({ name: tag, attributes }) {
      const value = attributes.get('val') ?? '';
      if (tag === 'style') style = attributes.get('styleId') ?? '';
      else if (tag === 'basedOn') parents.set(style, value);
      else if (tag === 'outlineLvl') own.set(style, levelOf(value));
      else if (tag === 'name' && !own.has(style)) {
        const number = HEADING_STYLE.exec(value)?.[1]?.normalize('NFKC');
        if (number !== undefined) own.set(style, Number(number));
        else if (TITLE_STYLE.test(value)) own.set(style, 1);
      }
    },
  });
  const levels = new Map(own);
  for (const id of parents.keys()) {
    const seen = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !own.has(at) && !seen.has(at)) {
      seen.add(at);
      at = parents.get(at);
    }
    const level = at === undefined ? undefined : own.get(at);
    if (level !== undefined) levels.set(id, level);
  }
  return levels;
}

/** Levels count from 0 in files; 9 is body text. */
function levelOf(value: string): number {
  const level = Number(value);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : 0;
}

interface Paragraph {
  text: string;
  level: number;
}

/** Makes lines of the main part of a document, or of its notes. */
class DocumentReader implements XmlHandler {
  readonly #lines: BookLines;
  readonly #levels: ReadonlyMap<string, number>;
  /** Those of text boxes are within the paragraph that they are fixed to. */
  readonly #open: Paragraph[] = [];
  #silent = 0;
  #isText = false;
  #isHidden = false;
  #ruby: { base: string; reading: string; isReading: boolean } | undefined;

  constructor(lines: BookLines, levels: ReadonlyMap<string, number>) {
    this.#lines = lines;
    this.#levels = levels;
  }

  open({ name, attributes }: XmlTag): void {
    const isSeparator = name.endsWith('note') && /eparator/.test(attributes.get('type') ?? '');
    if (this.#silent > 0 || SILENT.has(name) || isSeparator) {
      this.#silent += 1;
      return;
    }
    const value = attributes.get('val') ?? '';
    switch (name) {
      case 'p':
        this.#open.push({ text: '', level: 0 });
        break;
      case 'pStyle':
        this.#setLevel(this.#levels.get(value) ?? 0);
        break;
      case 'outlineLvl':
        this.#setLevel(levelOf(value));
        break;
      case 'r':
        this.#isHidden = false;
        break;
      case 'vanish':
        this.#isHidden = !/^(?:0|false|off)$/.test(value);
        break;
      case 't':
        this.#isText = true;
        break;
      case 'tab':
        // Those of paragraphs are places, and have one.
        if (!attributes.has('pos')) this.#add('\t');
        break;
      case 'br':
      case 'cr':
        this.#add('\n');
        break;
      case 'noBreakHyphen':
        this.#add('\u2011');
        break;
      case 'ruby':
        this.#ruby = { base: '', reading: '', isReading: false };
        break;
      case 'rt':
        if (this.#ruby) this.#ruby.isReading = true;
        break;
      case 'rubyBase':
        if (this.#ruby) this.#ruby.isReading = false;
        break;
    }
  }

  text(text: string): void {
    if (this.#silent === 0 && this.#isText) this.#add(text.replaceAll(/[\r\n]+/g, ' '));
  }

  close(name: string): void {
    if (this.#silent > 0) {
      this.#silent -= 1;
      return;
    }
    if (name === 't') this.#isText = false;
    if (name === 'ruby' && this.#ruby) {
      const { base, reading } = this.#ruby;
      this.#ruby = undefined;
      this.#add(rubyText(base, reading));
    }
    if (name !== 'p') return;
    const paragraph = this.#open.pop();
    if (!paragraph) return;
    if (paragraph.level > 0) this.#lines.heading(paragraph.level, paragraph.text);
    else this.#lines.paragraph(paragraph.text);
  }

  #setLevel(level: number): void {
    const paragraph = this.#open.at(-1);
    if (paragraph) paragraph.level = level;
  }

  #add(text: string): void {
    if (this.#isHidden) return;
    const ruby = this.#ruby;
    const paragraph = this.#open.at(-1);
    if (ruby?.isReading === true) ruby.reading += text;
    else if (ruby) ruby.base += text;
    else if (paragraph) paragraph.text += text;
  }
}
