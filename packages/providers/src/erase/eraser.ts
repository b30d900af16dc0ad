import type { JsonValue } from '../json/json-value.ts';
import { breaksInKeys } from '../redact/scan/broken-lines.ts';
import { decodeText } from '../redact/scan/decoded-text.ts';
import { decodeRuns } from '../redact/scan/encoded-text.ts';
import type { EraseOptions } from './erasure.ts';
import { FIELD_NAME, isSaidInPath, MIN_NAME } from './names-of-programs.ts';
import { endOfBackslashes } from './escapes.ts';
import { MIN_WEIGHT, Pieces, type Range, weightOf } from './pieces.ts';
import { UNSEEN } from './readings.ts';

/** Replaces an erased text or name. */
export const ERASED = '[erased]';

/** The edges of a piece: spaces, and characters that are escaped in JSON and XML. */
const EDGES = /^[\s"'\\&<>][\s"'\\&<>]*|(?<![\s"'\\&<>])[\s"'\\&<>][\s"'\\&<>]*$/g;
/** The same for a text that may be the beginning of one that was cut. */
const MIN_EXCERPT = 16;
const ELLIPSIS = /(?:\.{3}|…)$/u;
const TITLE_WORD = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー]{2,}|[\p{L}\p{N}]{5,}/gu;

/** Letters that make a word longer, in scripts that separate words. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]`;

/** Returns a name as it is compared: case, width, the amount of space, and characters that are not seen do not count. */
function comparedName(name: string): string {
  const seen = seenName(name.normalize('NFKC')).replaceAll(/\s\s*/gu, ' ');
  // In upper case first, where a sharp s is two letters.
  return seen.toUpperCase().toLowerCase();
}

/** Returns a name without characters that are not seen. One that has no others stays. */
function seenName(name: string): string {
  return name.replaceAll(UNSEEN, '').trim() || name.trim();
}

/**
 * Erases what one speaker said wherever it was copied to. It learns the texts of the speaker first, then replaces
 * their lines verbatim in any other text: prompts of later turns, quotes, kept inputs.
 *
 * @example
 * ```ts
 * const eraser = new Eraser('Alice');
 * eraser.learn('The code is 1234-5678.');
 * eraser.clean('Bob: you said > The code is 1234-5678.'); // 'Bob: you said > [erased]'
 * ```
 */
export class Eraser {
  readonly #speaker: string;
  readonly #pieces = new Pieces();
  /** Those that the caller gave, each a whole text: they are replaced in paths, too, whatever they look like. */
  readonly #given = new Pieces();
  /** The same as bytes, when a text is in Base64. */
  #pieceBytes: Pieces | undefined;
  /** Whole texts, in which titles and tags are looked up. */
  readonly #texts: string[] = [];
  readonly #name: RegExp;
  readonly #label: RegExp;
  readonly #replacesMentions: boolean;

  constructor(
    speaker: string,
    { mentions = false, texts = [] }: Pick<EraseOptions, 'mentions' | 'texts'> = {},
  ) {
    this.#speaker = comparedName(speaker);
    this.#name = mentionOf(speaker);
    this.#label = labelOf(speaker);
    this.#replacesMentions = mentions;
    for (const text of texts) {
      this.learn(text);
      const piece = pieceOf(text);
      if (weightOf(piece) >= MIN_WEIGHT) this.#given.add(piece);
    }
  }

  /** Checks whether a name is the speaker's. */
  isSpeaker(name: unknown): boolean {
    return typeof name === 'string' && comparedName(name) === this.#speaker;
  }

  /** Returns the name, or the mark if it is the speaker's. */
  name(name: string): string {
    return this.isSpeaker(name) ? ERASED : name;
  }

  /** Learns what the speaker said. */
  learn(text: string): void {
    if (text.trim() === ERASED) return;
    if (text.trim() !== '') this.#texts.push(text);
    // Stores replace what they cannot hold, and quotes begin lines of their own: pieces between these are the same.
    for (const line of [text, ...text.split(/[\p{Cc}\p{Cs}\u2028\u2029\uFFFD]{1,1000}/u)]) {
      const piece = pieceOf(line);
      if (weightOf(piece) < MIN_WEIGHT) continue;
      this.#pieces.add(piece);
      this.#pieceBytes = undefined;
    }
  }

  /** Learns all strings in a value. */
  learnJson(value: JsonValue): void {
    if (typeof value === 'string') this.learn(value);
    else if (Array.isArray(value)) for (const item of value) this.learnJson(item);
    else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) if (item !== undefined) this.learnJson(item);
    }
  }

  /**
   * Replaces what the speaker said, and the name where it labels a line (`Alice: ...`); the same string if there is
   * nothing of it.
   */
  clean(text: string): string {
    const pieces = this.#pieces.isEmpty ? text : this.#cleanEncoded(this.#cleanPieces(text));
    return this.#withoutMentions(pieces.replaceAll(this.#label, `$1${ERASED}$2`));
  }

  #withoutMentions(text: string): string {
    return this.#replacesMentions ? text.replaceAll(this.#name, ERASED) : text;
  }

  /** Replaces what the speaker said in all strings of a value, and in field names that are sentences. */
  cleanJson(value: JsonValue): JsonValue {
    return this.mapJson(value, (text) => this.clean(text));
  }

  /** Changes all strings of a value, and cleans field names that are sentences. */
  mapJson(value: JsonValue, change: (text: string) => string): JsonValue {
    return mapStrings(value, change, (name) => this.#fieldName(name));
  }

  /** Returns the name of a field without what the speaker said: tools ask for answers by the words of a question. */
  #fieldName(name: string): string {
    return FIELD_NAME.test(name) || weightOf(name) < MIN_NAME ? name : this.clean(name);
  }

  /**
   * Returns the path of a file without what the speaker said. Names of files that were learnt stay, as those of fields
   * do: a list of files that was pasted says nothing that a person would. Those that the caller gave go.
   */
  path(path: string): string {
    const namesOf = (pieces: Pieces): readonly Range[] =>
      pieces.rangesIn(path).map((range) => nameAt(path, range));
    const words = namesOf(this.#pieces).filter(([start, end]) =>
      isSaidInPath(path.slice(start, end)),
    );
    const all = [...namesOf(this.#given), ...words].toSorted(([a], [b]) => a - b);
    return this.#withoutMentions(replaceRanges(path, all));
  }

  /** Checks whether a title, a tag or the like was taken from what the speaker said. */
  isTakenFrom(title: string): boolean {
    const wanted = title.replace(ELLIPSIS, '').trim();
    return weightOf(wanted) >= MIN_WEIGHT && this.#texts.some((text) => text.includes(wanted));
  }

  /** Checks whether a title has a word of what the speaker said: a long one, or ideographs. */
  sharesWord(title: string): boolean {
    const words = title.toLowerCase().match(TITLE_WORD) ?? [];
    return words.some((word) => this.#texts.some((text) => text.toLowerCase().includes(word)));
  }

  /**
   * Checks whether a value of a log holds something that the speaker said, in names of fields, too: as it was said,
   * wrapped, cut off, or encoded as an address, Base64 or hex.
   */
  isHeldIn(value: JsonValue): boolean {
    if (typeof value === 'string') return this.#isHeldInText(value);
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).some((item) => this.isHeldIn(item));
    }
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(
      ([name, item]) => this.#isHeldInText(name) || this.isHeldIn(item ?? null),
    );
  }

  #isHeldInText(text: string): boolean {
    const runs = (decodeRuns(text)?.text ?? '').split('\0');
    const decoded = runs.map((run) => Buffer.from(run, 'latin1').toString());
    const forms = [text, decodeText(text, breaksInKeys(text).atWidth)?.text ?? '', ...decoded];
    const readings = new Set(forms.flatMap((form) => [form, form.replaceAll(/\s\s*/g, ' ')]));
    return [...readings].some((form) => this.clean(form) !== form || this.#isExcerpt(form));
  }

  #isExcerpt(text: string): boolean {
    const piece = pieceOf(text.replace(ELLIPSIS, ''));
    return this.#pieces.beginsWith(piece, MIN_EXCERPT);
  }

  /** Checks whether a text mentions the name. */
  isMentioned(text: string): boolean {
    this.#name.lastIndex = 0;
    return this.#name.test(text);
  }

  #cleanPieces(text: string): string {
    return replaceRanges(text, this.#pieces.rangesIn(text));
  }

  /** Replaces what is in Base64 and hex. */
  #cleanEncoded(text: string): string {
    const encoded = decodeRuns(text);
    if (!encoded) return text;
    this.#pieceBytes ??= this.#pieces.ofBytes();
    const ranges = this.#pieceBytes.rangesIn(encoded.text);
    return replaceRanges(
      text,
      ranges.map(([start, end]) => encoded.rangeOf(start, end)),
    );
  }
}

/** Returns what is looked for. One backslash may be an escape, or what was said: they are not compared. */
function pieceOf(line: string): string {
  return line.replaceAll(EDGES, '').replaceAll('\\', '');
}

/** The range of a name in a path: a backslash before the name is a separator, and no escape. */
function nameAt(path: string, [start, end]: Range): Range {
  return start > 0 ? [endOfBackslashes(path, start), end] : [start, end];
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let cleaned = '';
  let done = 0;
  for (const [start, end] of ranges) {
    if (start >= done) cleaned += text.slice(done, start) + ERASED;
    done = Math.max(done, end);
  }
  return ranges.length === 0 ? text : cleaned + text.slice(done);
}

/**
 * Returns a value with all its strings replaced.
 *
 * @param rename - Replaces names of fields; of two that become alike, the second gets a number. Default: they stay.
 */
export function mapStrings(
  value: JsonValue,
  change: (text: string) => string,
  rename: (name: string) => string = (name) => name,
): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, rename));
  if (typeof value !== 'object' || value === null) return value;
  const changed: Record<string, JsonValue> = {};
  const counts = new Map<string, number>();
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const name = rename(key);
    let free = name;
    while (Object.hasOwn(changed, free)) {
      const count = (counts.get(name) ?? 1) + 1;
      counts.set(name, count);
      free = `${name} ${count}`;
    }
    Object.defineProperty(changed, free, {
      value: mapStrings(item, change, rename),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return changed;
}

/** Returns all strings of a value. */
export function stringsIn(value: JsonValue | object): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item: JsonValue) => stringsIn(item));
}

/** Returns a name at the beginning of a line and before a colon, as transcripts label who speaks. */
function labelOf(speaker: string): RegExp {
  const name = patternOf(speaker);
  if (name === '') return /(?!)/gu;
  return new RegExp(
    String.raw`((?:^|\\n|\n)[ \t>#*_\-"]{0,16}[[【［（(「『<]?)${HIDDEN}${name}${HIDDEN}((?:さん|氏)?[\]】］）)」』>]?[*_]{0,3} ?[:：])`,
    'giu',
  );
}

/** A name of letters is a word of its own; others are found anywhere. */
function mentionOf(speaker: string): RegExp {
  const name = patternOf(speaker);
  if (name === '') return /(?!)/gu;
  const isLatin = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d\s._-]+$/u.test(
    seenName(speaker),
  );
  return isLatin
    ? new RegExp(String.raw`(?<!${LETTER})${name}(?!${LETTER})`, 'giu')
    : new RegExp(name, 'giu');
}

/** Some characters that are not seen. */
const HIDDEN = String.raw`\p{Default_Ignorable_Code_Point}{0,4}`;
/** The same with white space among them. */
const BETWEEN = String.raw`(?=${HIDDEN}\s)[\s\p{Default_Ignorable_Code_Point}]{1,16}`;

/** Returns the pattern of a name as it was given, composed, and in its usual width, with all that does not count. */
function patternOf(speaker: string): string {
  const seen = seenName(speaker);
  const forms = new Set([
    seen,
    seen.normalize('NFC'),
    seen.normalize('NFD'),
    seen.normalize('NFKC'),
  ]);
  const patterns = [...forms].map((form) =>
    form
      .trim()
      .split(/\s\s*/u)
      .map((word) => (word.match(/ss|./giu) ?? []).map(letterOf).join(HIDDEN))
      .join(BETWEEN),
  );
  return seen === '' ? '' : `(?:${patterns.join('|')})`;
}

function letterOf(letter: string): string {
  if (/^(?:ss|ß)$/iu.test(letter)) return `(?:ß|s${HIDDEN}s)`;
  const other = OTHER_WIDTHS.get(letter);
  return other === undefined ? escapeRegExp(letter) : `(?:${escapeRegExp(letter)}|${other})`;
}

/** Signs of the usual width, and the same in full or half width. */
const OTHER_WIDTHS = otherWidths();

function otherWidths(): ReadonlyMap<string, string> {
  const widths = new Map<string, string>();
  for (let code = 0xff01; code <= 0xff9f; code++)
    for (const mark of ['', '\uFF9E', '\uFF9F']) {
      const other = String.fromCharCode(code) + mark;
      const usual = other.normalize('NFKC');
      if (usual.length === 1) widths.set(usual, other);
    }
  return widths;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
