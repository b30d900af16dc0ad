import { isOn } from './docx-styles.ts';
import { formatNumber } from './number-formats.ts';
import { readXml } from './read-xml.ts';
import type { ZipParts } from './zip-parts.ts';

interface Level {
  start: number;
  format: string;
  /** With `%1` for the number of the first level. */
  text: string;
  suffix: string;
  /** True if it writes the numbers of all levels in decimal. */
  isLegal: boolean;
  style?: string;
}

interface Numbering {
  list: string;
  readonly starts: Map<number, number>;
  readonly levels: Map<number, Level>;
}

const DEEPEST_LEVEL = 8;

/** The numbers that Word writes before paragraphs, `第1章` of headings. They are in no text of its document. */
export class DocumentNumbering {
  readonly #lists = new Map<string, Map<number, Level>>();
  readonly #numberings = new Map<string, Numbering>();
  /** The last numbers of each list, by level. */
  readonly #counts = new Map<string, Map<number, number>>();

  /** Reads the numberings of a document. */
  static async read(parts: ZipParts, name: string): Promise<DocumentNumbering> {
    const result = new DocumentNumbering();
    if (parts.has(name)) await result.#read(parts, name);
    return result;
  }

  /**
   * Counts a paragraph.
   *
   * @param level - From 0; without it, the one that belongs to the style.
   * @returns The label before its text; empty for bullets.
   */
  next(id: string, level: number | undefined, style: string | undefined): string {
    const numbering = this.#numberings.get(id);
    if (!numbering) return '';
    const levels = new Map([...(this.#lists.get(numbering.list) ?? []), ...numbering.levels]);
    const ofStyle = [...levels].find(([, each]) => style !== undefined && each.style === style);
    const depth = level ?? ofStyle?.[0] ?? 0;
    const definition = levels.get(depth);
    if (!definition) return '';
    const counts = this.#counts.get(numbering.list) ?? new Map<number, number>();
    this.#counts.set(numbering.list, counts);
    const restart = numbering.starts.get(depth);
    numbering.starts.delete(depth);
    const last = counts.get(depth);
    counts.set(depth, restart ?? (last === undefined ? definition.start : last + 1));
    for (let below = depth + 1; below <= DEEPEST_LEVEL; below += 1) counts.delete(below);
    if (definition.format === 'bullet') return '';
    const label = definition.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const of = levels.get(at);
      if (!of) return '';
      const number = counts.get(at) ?? of.start;
      counts.set(at, number);
      return formatNumber(number, definition.isLegal ? 'decimal' : of.format);
    });
    return label === '' ? '' : label + suffixOf(definition.suffix);
  }

  async #read(parts: ZipParts, name: string): Promise<void> {
    let levels = new Map<number, Level>();
    let level = newLevel();
    let numbering: Numbering | undefined;
    let depth = 0;
    await readXml(parts, name, {
      open: ({ name: tag, attributes }) => {
        const value = attributes.get('val') ?? '';
        if (tag === 'abstractNum') {
          levels = new Map();
          this.#lists.set(attributes.get('abstractNumId') ?? '', levels);
        } else if (tag === 'num') {
          numbering = { list: '', starts: new Map(), levels: new Map() };
          levels = numbering.levels;
          this.#numberings.set(attributes.get('numId') ?? '', numbering);
        } else if (tag === 'abstractNumId' && numbering) numbering.list = value;
        else if (tag === 'lvl' || tag === 'lvlOverride') {
          depth = Number(attributes.get('ilvl') ?? 0);
          level = newLevel();
          if (tag === 'lvl') levels.set(depth, level);
        } else if (tag === 'startOverride') numbering?.starts.set(depth, Number(value));
        else if (tag === 'start') level.start = Number(value);
        else if (tag === 'numFmt') level.format = value;
        else if (tag === 'lvlText') level.text = value;
        else if (tag === 'isLgl') level.isLegal = isOn(value);
        else if (tag === 'suff') level.suffix = value;
        else if (tag === 'pStyle') level.style = value;
      },
    });
  }
}

function newLevel(): Level {
  return { start: 0, format: 'decimal', text: '', suffix: 'tab', isLegal: false };
}

function suffixOf(suffix: string): string {
  if (suffix === 'nothing') return '';
  return suffix === 'space' ? ' ' : '\t';
}
