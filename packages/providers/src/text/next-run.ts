/** Scripts in which a word cannot be told by its spaces. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\u3005-\\u3007\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

/** An expression notes each character of what it matches, and has no room for some millions of them. */
const MOST = 2 ** 20;

const RUNS = new RegExp(
  `([${UNSPACED}]{1,${MOST}})|([[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]{1,${MOST}})|\\p{Extended_Pictographic}`,
  'gv',
);

/** What a text is read by. */
export interface Run {
  /** Text without spaces, of any length; a word; or a single picture. */
  readonly kind: 'unspaced' | 'word' | 'picture';
  readonly text: string;
  readonly index: number;
}

/** The first run from a place of a text on. */
export function nextRun(text: string, from: number): Run | undefined {
  const found = findRun(text, from);
  if (!found || found.text.length < MOST) return found;
  let end = found.index + found.text.length;
  for (let more = findRun(text, end); more; more = findRun(text, end)) {
    if (more.index !== end || more.kind !== found.kind) break;
    end += more.text.length;
  }
  return { ...found, text: text.slice(found.index, end) };
}

/** All runs of a text. */
export function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (let run = nextRun(text, 0); run; run = nextRun(text, run.index + run.text.length)) {
    runs.push(run);
  }
  return runs;
}

function findRun(text: string, from: number): Run | undefined {
  RUNS.lastIndex = from;
  const match = RUNS.exec(text);
  if (!match) return undefined;
  const [found, unspaced, word] = match;
  const { index } = match;
  if (unspaced !== undefined) return { kind: 'unspaced', text: found, index };
  return { kind: word === undefined ? 'picture' : 'word', text: found, index };
}
