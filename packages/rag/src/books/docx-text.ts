import { posix } from 'node:path';
import { BookLines, rubyText } from './book-lines.ts';
import { DocumentNumbering } from './docx-numbering.ts';
import { type DocumentStyle, isOn, outlineLevel, readStyles } from './docx-styles.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import { BookProblem, type ZipParts } from './zip-parts.ts';

/** Elements whose content is no text of the document: what was deleted or moved away, codes of fields, other forms. */
const SILENT: ReadonlySet<string> = new Set(
  'del moveFrom delText delInstrText Fallback rPrChange pPrChange sectPrChange'.split(' '),
);
const NOTE = /^(?:foot|end)note$/;
const NOTE_REFERENCE = /^((?:foot|end)note)Reference$/;
/** Characters of fonts with pictures. */
const PICTURES = /^f0/i;

/** How a document of Word looks. */
interface Looks {
  readonly styles: ReadonlyMap<string, DocumentStyle>;
  readonly numbering: DocumentNumbering;
}

/** Returns the text of a document of Word, its notes at the end. */
export async function docxText(parts: ZipParts, maxCharacters: number): Promise<string> {
  const main = await mainPart(parts);
  const related = await relatedParts(parts, main);
  const partOf = (kind: string): string => related.get(kind) ?? parts.resolve(main, `${kind}.xml`);
  const looks: Looks = {
    styles: await readStyles(parts, partOf('styles')),
    numbering: await DocumentNumbering.read(parts, partOf('numbering')),
  };
  const lines = new BookLines(maxCharacters);
  const references: NoteReferences = { live: new Set(), removed: new Set() };
  for (const name of [main, partOf('footnotes'), partOf('endnotes')]) {
    if (!parts.has(name)) continue;
    lines.scene();
    const reader = new DocumentReader(lines, looks, references);
    await readXml(parts, name, reader);
    reader.end();
  }
  return lines.text();
}

/** The notes that a document refers to, and those that what was deleted refers to: `footnote1`. */
interface NoteReferences {
  readonly live: Set<string>;
  readonly removed: Set<string>;
}

interface Paragraph {
  text: string;
  /** The level of a heading; 0 for the body. */
  level?: number;
  style?: string;
  numbering?: string;
  numberLevel?: number;
  /** True if the next paragraph continues it: its end was deleted, or it is a large first letter. */
  isJoined?: boolean;
}

/** Makes lines of the main part of a document, or of its notes. */
class DocumentReader implements XmlHandler {
  readonly #lines: BookLines;
  readonly #looks: Looks;
  readonly #references: NoteReferences;
  /** Those of text boxes are within the paragraph that they are fixed to. */
  readonly #open: Paragraph[] = [];
  /** Fields that are open: their codes, until their results begin. */
  readonly #fields: { code: string; hasResult: boolean }[] = [];
  /** Paragraphs that the next one continues. */
  #joined = '';
  #inProperties = false;
  #silent = 0;
  #isCode = false;
  #isText = false;
  #isHidden = false;
  /** True from the properties of a table of contents up to its content. */
  #isContents = false;
  #ruby: { base: string; reading: string; isReading: boolean } | undefined;

  constructor(lines: BookLines, looks: Looks, references: NoteReferences) {
    this.#lines = lines;
    this.#looks = looks;
    this.#references = references;
  }

  open({ name, attributes }: XmlTag): void {
    const paragraph = this.#open.at(-1);
    const isRemoved = name === 'del' || name === 'moveFrom';
    if (isRemoved && this.#inProperties && this.#silent === 0 && paragraph) {
      paragraph.isJoined = true;
    }
    // Lines above notes, and notes that were deleted with what refers to them.
    const isMark =
      NOTE.test(name) &&
      ((attributes.get('type') ?? 'normal') !== 'normal' || this.#isRemoved(name, attributes));
    const [, note] = NOTE_REFERENCE.exec(name) ?? [];
    if (note !== undefined) {
      const { live, removed } = this.#references;
      (this.#silent > 0 ? removed : live).add(note + (attributes.get('id') ?? ''));
    }
    const isContents = name === 'sdtContent' && this.#isContents;
    if (name === 'sdt' || isContents) this.#isContents = false;
    if (this.#silent > 0 || SILENT.has(name) || isMark || isContents) {
      this.#silent += 1;
      return;
    }
    const value = attributes.get('val') ?? '';
    switch (name) {
      case 'p':
        this.#open.push({ text: '' });
        break;
      case 'pPr':
        this.#inProperties = true;
        break;
      case 'pStyle':
        if (paragraph) paragraph.style = value;
        break;
      case 'outlineLvl':
        if (paragraph) paragraph.level = outlineLevel(value);
        break;
      case 'numId':
        if (paragraph) paragraph.numbering = value;
        break;
      case 'ilvl':
        if (paragraph) paragraph.numberLevel = Number(value);
        break;
      case 'framePr':
        if (paragraph && /^(?:drop|margin)$/.test(attributes.get('dropCap') ?? '')) {
          paragraph.isJoined = true;
        }
        break;
      case 'docPartGallery':
        this.#isContents = value === 'Table of Contents';
        break;
      case 'r':
        this.#isHidden = false;
        break;
      case 'rStyle':
        this.#isHidden = this.#looks.styles.get(value)?.isHidden === true;
        break;
      case 'vanish':
        this.#isHidden = isOn(value);
        break;
      case 'fldChar':
        this.#field(attributes.get('fldCharType'));
        break;
      case 'instrText':
        this.#isCode = true;
        break;
      case 'sym':
        this.#symbol(attributes.get('char') ?? '');
        break;
      case 't':
        this.#isText = true;
        break;
      case 'tab':
        // Those of paragraphs are places, and have one.
        if (!attributes.has('pos')) this.#add('\t');
        break;
      case 'ptab':
        this.#add('\t');
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
    if (this.#silent > 0) return;
    const field = this.#fields.at(-1);
    if (this.#isText) this.#add(text.replaceAll(/[\r\n][\r\n]*/g, ' '));
    else if (this.#isCode && field) field.code += text;
  }

  close(name: string): void {
    if (this.#silent > 0) {
      this.#silent -= 1;
      return;
    }
    if (name === 't') this.#isText = false;
    else if (name === 'instrText') this.#isCode = false;
    else if (name === 'pPr') this.#inProperties = false;
    else if (name === 'p') this.#end(this.#open.pop());
    else if (name === 'ruby' && this.#ruby) {
      const { base, reading } = this.#ruby;
      this.#ruby = undefined;
      this.#add(rubyText(base, reading));
    }
  }

  /** Called when the part is at its end. */
  end(): void {
    this.#lines.paragraph(this.#joined);
  }

  #end(paragraph: Paragraph | undefined): void {
    if (!paragraph) return;
    const text = this.#joined + paragraph.text;
    this.#joined = '';
    if (paragraph.isJoined === true) {
      this.#joined = text;
      return;
    }
    const style = this.#looks.styles.get(paragraph.style ?? '') ?? {};
    if (style.isContents === true) return;
    const numbered = this.#label(paragraph, style) + text;
    const level = paragraph.level ?? style.level ?? 0;
    if (text.trim() === '') return;
    if (level > 0) this.#lines.heading(level, numbered);
    else this.#lines.paragraph(numbered);
  }

  #label(paragraph: Paragraph, style: DocumentStyle): string {
    const id = paragraph.numbering ?? style.numbering;
    if (id === undefined) return '';
    const level = paragraph.numberLevel ?? style.numberLevel;
    return this.#looks.numbering.next(id, level, paragraph.style);
  }

  #field(type: string | undefined): void {
    if (type === 'begin') this.#fields.push({ code: '', hasResult: false });
    const field = this.#fields.at(-1);
    if (type === 'separate' && field) field.hasResult = true;
    if (type !== 'end') return;
    this.#fields.pop();
    if (field?.hasResult === false) this.#add(fieldText(field.code));
  }

  #isRemoved(note: string, attributes: XmlTag['attributes']): boolean {
    const key = note + (attributes.get('id') ?? '');
    return this.#references.removed.has(key) && !this.#references.live.has(key);
  }

  #symbol(code: string): void {
    const character = Number.parseInt(code, 16);
    if (character > 31 && character < 0xd8_00 && !PICTURES.test(code)) {
      this.#add(String.fromCodePoint(character));
    }
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

/** Returns the name of the main part of a document of Word. */
async function mainPart(parts: ZipParts): Promise<string> {
  const targets = await relatedParts(parts, '');
  const name = targets.get('officeDocument') ?? parts.resolve('', 'word/document.xml');
  if (parts.has(name)) return name;
  throw new BookProblem('it is no document of Word: it has no main part');
}

/**
 * Returns the parts that belong to a part, by the last word of their relationship, such as `styles`: programs number
 * their names.
 *
 * @param from - The part; empty for the document.
 */
async function relatedParts(parts: ZipParts, from: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { dir, base } = posix.parse(from);
  const name = parts.resolve('', posix.join(dir, '_rels', `${base}.rels`));
  if (!parts.has(name)) return found;
  await readXml(parts, name, {
    open({ name: tag, attributes }) {
      const [type, target] = [attributes.get('Type'), attributes.get('Target')];
      if (tag !== 'Relationship' || type === undefined || target === undefined) return;
      const kind = type.slice(type.lastIndexOf('/') + 1);
      if (!found.has(kind)) found.set(kind, parts.resolve(from, target));
    },
  });
  return found;
}

/** Ruby, as versions of Word before 2000 and their converters write it: `EQ \o\ad(\s\up 9(たそがれ),黄昏)`. */
const RUBY =
  /^\s*eq\b[^(]*\\o\s*\\a[a-z]\s*\(\s*\\s\s*\\up\s*-?[\d.]*\s*\((?<reading>[^()]*)\)\s*[,;、，]\s*(?<base>[^()]*)\)\s*$/i;
/** A character in a ring: `eq \o\ac(○,秘)`. */
const RINGED = /^\s*eq\b[^(]*\\o\s*\\ac\s*\(\s*[^,;]*[,;](?<inner>.*)\)\s*$/i;

/** Returns what a field of a document shows that has no result; empty for what is no text. */
export function fieldText(code: string): string {
  const { base, reading } = RUBY.exec(code)?.groups ?? {};
  if (base !== undefined && reading !== undefined) return rubyText(base.trim(), reading);
  const inner = RINGED.exec(code)?.groups?.['inner'] ?? '';
  return inner.replaceAll(/\\[a-z]+\s*-?[\d.]*\s*|[()\s]/gi, '');
}
