import { withCommonKanji } from './modern-kanji.ts';
import { charactersOf, type TermSink } from './term-sink.ts';

type Script = 'hiragana' | 'katakana' | 'other';

interface Segment {
  readonly script: Script;
  /** Indices into the characters of the run. */
  readonly from: number;
  readonly to: number;
}

/** From this length on a run is not also looked for as a whole. */
const MAX_WHOLE = 32;

/**
 * The terms of a run without spaces in a query. `認証の設定` asks for `認証` and `設定`; `の`, like
 * all hiragana next to other script, is weak, and so is the whole run, which ranks exact matches
 * first. A single character borrows its neighbour (`食べる` asks for `食べ`) or, alone, asks for all
 * pairs that begin with it.
 *
 * @param isAlone - The run is the whole query.
 */
export function queryRun(sink: TermSink, run: string, at: number, isAlone: boolean): void {
  const written = charactersOf(run, at);
  const characters = written.map((one) => ({ ...one, text: withCommonKanji(one.text) }));
  const segments = segmentsOf(characters.map(({ text }) => text));
  const hasOther = !isAlone || segments.some(({ script }) => script !== 'hiragana');

  const ask = (from: number, to: number, isWeak: boolean): void => {
    const flags = { group: sink.newGroup(), ...(isWeak ? { isWeak } : {}) };
    const first = characters[from];
    if (to - from === 1 && first) {
      const end = first.end;
      sink.add(first.text, first.start, end, { ...flags, isPrefix: true });
    }
    sink.addPairs(characters.slice(from, to), flags);
  };

  for (const { script, from, to } of segments) {
    const isWeak = script === 'hiragana' && hasOther;
    if (to - from > 1 || characters.length === 1) ask(from, to, isWeak);
    else if (!isWeak) ask(...borrowNeighbour(from, to, characters.length), false);
  }
  const isSplit = segments.length > 1 && characters.length <= MAX_WHOLE;
  if (isSplit) ask(0, characters.length, true);
  // 渡邊 is found as 渡辺, too, and ranks first as it is written.
  const isRare = written.some(({ text }, index) => text !== characters[index]?.text);
  if (isRare) sink.addPairs(written, { group: sink.newGroup(), isWeak: true });
}

function borrowNeighbour(from: number, to: number, length: number): [number, number] {
  return to < length ? [from, to + 1] : [from - 1, to];
}

function segmentsOf(characters: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  for (const [index, character] of characters.entries()) {
    const last = segments.at(-1);
    const script = scriptOf(character, last?.script);
    if (last?.script === script) segments[segments.length - 1] = { ...last, to: index + 1 };
    else segments.push({ script, from: index, to: index + 1 });
  }
  return segments;
}

function scriptOf(character: string, previous: Script | undefined): Script {
  if (character === 'ー') return previous ?? 'katakana';
  if (/\p{sc=Hiragana}/u.test(character)) return 'hiragana';
  return /\p{sc=Katakana}/u.test(character) ? 'katakana' : 'other';
}
