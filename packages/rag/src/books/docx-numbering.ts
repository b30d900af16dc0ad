import { isOn } from './docx-styles.ts';
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

const KANJI = '〇一二三四五六七八九';
const LEGAL = '零壱弐参四伍六七八九';
const AIUEO =
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン';
const IROHA =
  'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス';
const STEMS = '甲乙丙丁戊己庚辛壬癸';
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** The formats of numbers of Word that are not decimal. Source: ECMA-376, part 1, section 17.18.59. */
const FORMATS: Readonly<Record<string, (number: number) => string>> = {
  none: () => '',
  decimalZero: (number) => String(number).padStart(2, '0'),
  decimalFullWidth: fullWidth,
  decimalFullWidth2: fullWidth,
  numberInDash: (number) => `- ${number} -`,
  decimalEnclosedFullstop: (number) => `${number}.`,
  decimalEnclosedParen: (number) => `(${number})`,
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  japaneseCounting: (number) => positional(number, KANJI, '十百千'),
  chineseCounting: (number) => positional(number, KANJI, '十百千'),
  chineseCountingThousand: (number) => positional(number, KANJI, '十百千'),
  taiwaneseCounting: (number) => positional(number, KANJI, '十百千'),
  taiwaneseCountingThousand: (number) => positional(number, KANJI, '十百千'),
  koreanCounting: (number) => positional(number, '영일이삼사오육칠팔구', '십백천'),
  japaneseLegal: (number) => positional(number, LEGAL, '拾百阡', true),
  japaneseDigitalTenThousand: digits,
  ideographDigital: digits,
  taiwaneseDigital: digits,
  koreanDigital2: digits,
  ideographTraditional: (number) => listed(number, STEMS),
  ideographZodiac: (number) => listed(number, BRANCHES),
  aiueo: (number) => listed(number, AIUEO),
  aiueoFullWidth: (number) => listed(number, AIUEO),
  iroha: (number) => listed(number, IROHA),
  irohaFullWidth: (number) => listed(number, IROHA),
  lowerLetter: (number) => repeated(number, LETTERS),
  upperLetter: (number) => repeated(number, LETTERS).toUpperCase(),
  lowerRoman: roman,
  upperRoman: (number) => roman(number).toUpperCase(),
};

/** Returns a number as a document of Word writes it. */
export function formatNumber(number: number, format: string): string {
  const write = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return write && number >= 0 && number < 10_000 ? write(number) : String(number);
}

function fullWidth(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff_10 + Number(digit)));
}

function circled(number: number): string {
  if (number >= 1 && number <= 20) return String.fromCodePoint(0x24_5f + number);
  if (number >= 21 && number <= 35) return String.fromCodePoint(0x32_51 + number - 21);
  if (number >= 36 && number <= 50) return String.fromCodePoint(0x32_b1 + number - 36);
  return String(number);
}

function digits(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => KANJI.charAt(Number(digit)));
}

/** Writes 12 as 十二. */
function positional(number: number, names: string, units: string, withOne = false): string {
  if (number === 0) return names.charAt(0);
  const figures = Array.from(String(number), Number);
  return figures
    .map((figure, at) => {
      const unit = units.charAt(figures.length - at - 2);
      if (figure === 0) return '';
      return figure === 1 && unit !== '' && !withOne ? unit : names.charAt(figure) + unit;
    })
    .join('');
}

function listed(number: number, names: string): string {
  return names[number - 1] ?? String(number);
}

/** Writes 28 as `bb`. */
function repeated(number: number, names: string): string {
  const at = (number - 1) % names.length;
  return names.charAt(at).repeat(Math.ceil(number / names.length));
}

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [value, letters] of ROMAN) {
    while (left >= value) {
      text += letters;
      left -= value;
    }
  }
  return text;
}
