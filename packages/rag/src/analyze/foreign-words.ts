import { porterStem } from '@vizprompt/providers/internal';
import { JAPANESE } from '../dictionary/kana-and-scripts.ts';
import type { Word } from './analyzer.ts';

const UNSPACED = '\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const LETTER = `[[\\p{L}\\p{M}\\p{N}]--[${JAPANESE}${UNSPACED}]]`;
/** `2.0` and `2,026` are one number each, `don't` and `snake_case` one word. */
const INNER = `(?<=\\p{Nd})(?:\\.(?=\\p{Nd})|,(?=\\p{Nd}{3}(?!\\p{Nd})))|['’](?=\\p{L})|_+(?=${LETTER})`;
const WORDS = new RegExp(
  `(?<word>${LETTER}(?:${LETTER}|${INNER}){0,99999})|(?<unspaced>[${UNSPACED}]{1,32})|\\p{Extended_Pictographic}`,
  'gv',
);
const HANGUL = /^[\uac00-\ud7a3]+$/;
const NUMBER = /^\p{Nd}[\p{Nd}.,]*$/u;
const NUMBER_POS = '名詞,数';
/** Longer words are cut: they are keys, hashes and encoded data. */
const MAX_LENGTH = 64;
const ASCII_LETTERS = /^[a-z]{3,}$/;
const ASCII = /^[\0-\x7f]*$/;
const LATIN = /\p{sc=Latin}/u;
const MARKS = /\p{M}/gu;
/** English words that questions are full of; they have the parts of speech of their like. */
const WEAK_WORDS = new Map([
  ...'what when where who whom whose how why which'
    .split(' ')
    .map((word) => weak(word, '名詞,代名詞')),
  ...'do does did has have had'.split(' ').map((word) => weak(word, '動詞,非自立')),
]);
/** Where identifiers fall apart: `snake_case`, `camelCase`, `HTTPServer`, `utf8`, `v2.0`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+(?:\.\p{N}+)*/gu;
const ENDING = /['’](?:s|re|ve|ll|d|m)$/i;
const APOSTROPHE = /['’]/;
const GLUE = /[_'’,]/g;
/** Words longer than this are not identifiers. */
const MAX_IDENTIFIER = 64;

/**
 * Returns the words in other scripts that begin in `line[from..to)`; the last one may reach further.
 *
 * @param at - Where the line begins: their offsets count from there.
 */
export function foreignWords(line: string, from: number, to: number, at: number): Word[] {
  const found: Word[] = [];
  /** The words joined by hyphens up to here. */
  let chain: Word[] = [];
  WORDS.lastIndex = from;
  for (let match = WORDS.exec(line); match && match.index < to; match = WORDS.exec(line)) {
    const previous = found.at(-1);
    const { index: start } = match;
    const word = foreignWord(match[0], at + start, match.groups?.['unspaced'] !== undefined);
    const isJoined = line[start - 1] === '-' && previous?.end === at + start - 1;
    if (!isJoined) {
      joinChain(found, chain, line, at);
      chain = [];
    }
    chain.push(word);
    found.push(word);
  }
  joinChain(found, chain, line, at);
  return found;
}

/** `e-mail` is found by `email` too. */
function joinChain(found: Word[], chain: readonly Word[], line: string, at: number): void {
  const [first] = chain;
  const last = chain.at(-1);
  if (!first || !last || chain.length < 2 || chain.every(({ pos }) => pos === NUMBER_POS)) return;
  const joined = stemForeign(line.slice(first.start - at, last.end - at).replaceAll('-', ''));
  found[found.length - chain.length] = { ...first, extra: [...(first.extra ?? []), joined] };
}

function foreignWord(text: string, start: number, isUnspaced: boolean): Word {
  const word = { start, end: start + text.length, reading: '', pos: '', isContent: true };
  if (isUnspaced) {
    const extra = HANGUL.test(text) ? [...koreanStems(text), ...koreanPairs(text)] : pairsOf(text);
    return { ...word, basic: text, ...extraTerms(extra) };
  }
  if (NUMBER.test(text)) {
    return { ...word, basic: stemForeign(text.replaceAll(',', '')), pos: NUMBER_POS };
  }
  const stripped = text.replace(ENDING, '');
  const basic = stemForeign(stripped.replace(GLUE, ''));
  const parts = partsOf(stripped).map(stemForeign);
  const pos = WEAK_WORDS.get(basic) ?? '';
  return { ...word, pos, basic, ...extraTerms(parts.filter((part) => part !== basic)) };
}

function weak(word: string, pos: string): [basic: string, pos: string] {
  return [stemForeign(word), pos];
}

function extraTerms(extra: readonly string[]): Pick<Word, 'extra'> {
  return extra.length > 0 ? { extra } : {};
}

/** Returns the parts of an identifier or a word with an apostrophe; nothing if it is of one piece. */
function partsOf(word: string): readonly string[] {
  if (word.length > MAX_IDENTIFIER) return [];
  if (APOSTROPHE.test(word)) return word.split(APOSTROPHE).filter((part) => part.length > 2);
  const parts = word.match(PARTS) ?? [];
  return parts.length > 1 ? parts : [];
}

/** Overlapping pairs, for scripts without spaces. */
function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length < 3) return [];
  return characters.slice(1).map((second, index) => (characters[index] ?? '') + second);
}

/** Returns the form by which a word is found: small letters without accents, English without endings. */
function stemForeign(word: string): string {
  const small = withoutAccents(word.toLowerCase());
  if (ASCII_LETTERS.test(small)) return porterStem(small.slice(0, MAX_LENGTH));
  if (small.length <= MAX_LENGTH) return small;
  return Array.from(small).slice(0, MAX_LENGTH).join('');
}

function withoutAccents(word: string): string {
  if (ASCII.test(word) || !LATIN.test(word)) return word;
  return word.normalize('NFD').replace(MARKS, '').normalize('NFC');
}

/** Particles after nouns and endings of verbs, the longest of those that fit counts first. */
const TAILS = (
  '은 는 이 가 을 를 에 에서 에게 께 의 와 과 도 만 로 으로 부터 까지 처럼 보다 마다 이나 라도 이라도 조차 밖에 한테 ' +
  '하고 이랑 들 들이 들을 들은 에는 에도 에서는 에서도 으로는 에게는 이다 입니다 이었다 였다 ' +
  '다 고 지 지만 던 기 게 니 니까 으니 으니까 어 아 어요 아요 어서 아서 여서 습니다 니다 거나 네 네요 죠 지요 는데 은데 면 ' +
  '으면 도록 면서 으면서 려고 으려고 세요 으세요 음 자 어라 아라 는다 어도 아도 어야 아야 구나 냐 느냐 요 러 으러 ' +
  '습니까 니까요 는지 을까 으며 며'
).split(' ');
const TENSES = new Set(['었', '았', '였', '겠']);
/** Endings after a stem and its vowel in one: 바빠서 of 바쁘다, 무거워도 of 무겁다. Alone, that is a form as well: 빨라 of 빠르다. */
const AFTER_JOINED = ['서', '요', '도', '야', ''];
/** A verb before one that helps it: 물어봤다 of 묻다, 도와줬다 of 돕다. */
const HELPED =
  /^(?<verb>.{1,8}?)(?<vowel>[아어]|(?<=[\uac00-\ud7a3]))(?:보|봤|봐|주|줬|줘|버리|버렸|놓|놨|두|뒀|내|냈|지|졌)(?:다|고|지|는|은|니|면|서|세요|습니다|어요|아요|았다|었다|았어요|었어요)$/u;

const FIRST = 0xac00;
const LAST = 0xd7a3;
const FINALS = 28;
const VOWELS = 21;
const FINAL = { none: 0, ㄴ: 4, ㄷ: 7, ㄹ: 8, ㅂ: 17, ㅅ: 19, ㅆ: 20, ㅎ: 27 } as const;
const VOWEL = {
  ㅏ: 0,
  ㅐ: 1,
  ㅑ: 2,
  ㅒ: 3,
  ㅓ: 4,
  ㅔ: 5,
  ㅕ: 6,
  ㅖ: 7,
  ㅗ: 8,
  ㅘ: 9,
  ㅙ: 10,
  ㅚ: 11,
  ㅜ: 13,
  ㅝ: 14,
  ㅡ: 18,
  ㅣ: 20,
} as const;
const H = 18;
/** The vowel of a stem and that of an ending in one: 와 is 오 and 아. */
const JOINED = new Map<number, number>([
  [VOWEL.ㅘ, VOWEL.ㅗ],
  [VOWEL.ㅝ, VOWEL.ㅜ],
  [VOWEL.ㅕ, VOWEL.ㅣ],
  [VOWEL.ㅙ, VOWEL.ㅚ],
]);
/** The vowels of stems in ㅎ that an ending changes: 빨갛 is 빨개, 하얗 is 하얘, 어떻 is 어때. */
const WITHOUT_H = new Map<number, readonly number[]>([
  [VOWEL.ㅐ, [VOWEL.ㅏ, VOWEL.ㅓ]],
  [VOWEL.ㅒ, [VOWEL.ㅑ]],
  [VOWEL.ㅔ, [VOWEL.ㅓ]],
  [VOWEL.ㅖ, [VOWEL.ㅕ]],
]);
/** After a stem and after a pair of syllables, so that they meet nothing but their like. */
const STEM = '~';
const PAIR = '^';
/** Longer runs are not words. */
const LONGEST = 12;
/** Endings before which stems in ㄹ lose it. */
const WITHOUT_L = /^(?:[는니냐네]|세요)/u;

/** The initial consonants of 은 and 는. */
const PARTICLES_IN_N = new Set([11, 2]);

/** Returns the terms by which the forms of a Korean word find each other: its stem, as far as there are rules. */
function koreanStems(word: string): readonly string[] {
  if (word.length > LONGEST) return [];
  const stems = new Set([word]);
  for (const tail of TAILS) {
    if (!word.endsWith(tail) || word.length === tail.length) continue;
    const rest = word.slice(0, -tail.length);
    addStem(stems, rest, tail);
    if (TENSES.has(rest.slice(-1)) && rest.length > 1) addStem(stems, rest.slice(0, -1), '었');
  }
  for (const tail of AFTER_JOINED) {
    if (word.endsWith(tail)) addJoinedStem(stems, word.slice(0, word.length - tail.length), tail);
  }
  const { verb = '', vowel = '' } = HELPED.exec(word)?.groups ?? {};
  if (vowel !== '') addStem(stems, verb, '어');
  else addJoinedStem(stems, verb, '서');
  return Array.from(stems, (stem) => stem + STEM);
}

/** Returns the pairs of syllables of a word, by which what is inside of it is found; endings have none. */
function koreanPairs(word: string): readonly string[] {
  const tail =
    TAILS.filter((each) => word.endsWith(each)).toSorted((a, b) => b.length - a.length)[0] ?? '';
  let end = word.length - tail.length;
  if (TENSES.has(word.charAt(end - 1))) end--;
  const pairs: string[] = [];
  for (let at = 0; at + 1 < word.length && (at < end - 1 || at === 0); at++) {
    pairs.push(word.slice(at, at + 2) + PAIR);
  }
  return pairs;
}

/** Adds the stems of a form that ends with the vowel of an ending. */
function addJoinedStem(stems: Set<string>, form: string, tail: string): void {
  const last = syllableAt(form, form.length - 1);
  if (!last) return;
  const { initial, vowel, final } = last;
  const head = form.slice(0, -1);
  const before = syllableAt(head, head.length - 1);
  // 예쁜 of 예쁘다, 큰 of 크다; 은 and 는 are particles.
  if (tail === '' && final === FINAL.ㄴ && vowel === VOWEL.ㅡ && !PARTICLES_IN_N.has(initial))
    stems.add(head + syllable(initial, vowel, FINAL.none));
  if (tail === '' && final === FINAL.ㄴ && before) {
    // 가벼운 of 가볍다, 만든 of 만들다, 빨간 of 빨갛다.
    if (initial === 11 && vowel === VOWEL.ㅜ && before.final === FINAL.none)
      stems.add(head.slice(0, -1) + syllable(before.initial, before.vowel, FINAL.ㅂ));
    if (vowel === VOWEL.ㅡ) stems.add(head + syllable(initial, vowel, FINAL.ㄹ));
    if (vowel === VOWEL.ㅏ || vowel === VOWEL.ㅑ || vowel === VOWEL.ㅓ)
      stems.add(head + syllable(initial, vowel, FINAL.ㅎ));
  }
  const isOpen = vowel === VOWEL.ㅏ || vowel === VOWEL.ㅓ;
  if (final !== FINAL.none || !(isOpen || JOINED.has(vowel) || vowel === VOWEL.ㅐ)) return;
  const bare = (other: number): string => head + syllable(initial, other, FINAL.none);
  // 나라 is no form of 나르다, nor 달러 of 다르다: the vowels of a stem and its ending agree.
  const isDoubled = initial === 5 && before?.final === FINAL.ㄹ;
  const isLight = before?.vowel === VOWEL.ㅏ || before?.vowel === VOWEL.ㅗ;
  const agrees = !before || isLight === (vowel === VOWEL.ㅏ);
  if (isOpen && !agrees) return;
  if (tail === '' && !isDoubled && !(JOINED.has(vowel) && head.length > 1)) return;
  addUncontracted(stems, head, last, bare);
  if (tail !== '' && isOpen) stems.add(bare(VOWEL.ㅡ));
  if (tail === '서') stems.add(form);
}

function addStem(stems: Set<string>, stem: string, tail: string): void {
  stems.add(stem);
  const last = syllableAt(stem, stem.length - 1);
  if (!last) return;
  const head = stem.slice(0, -1);
  const { initial, vowel, final } = last;
  const bare = (other: number): string => head + syllable(initial, other, FINAL.none);
  // 간다 and 갑니다 of 가다, but 어렵다 is not 어리다.
  const isContracted =
    final === FINAL.ㄴ ? tail === '다' : final === FINAL.ㅂ && tail.startsWith('니');
  if (isContracted) stems.add(bare(vowel));
  if (final === FINAL.ㄹ && /^[어아었으]/u.test(tail)) {
    stems.add(head + syllable(initial, vowel, FINAL.ㄷ));
  }
  // 여는 and 여니까 of 열다.
  if (final === FINAL.none && WITHOUT_L.test(tail))
    stems.add(head + syllable(initial, vowel, FINAL.ㄹ));
  // 지었다 of 짓다: a stem that ended with its vowel would be one with that of the ending.
  if (final === FINAL.none && /^[어아었]|^으[니면며러려]/u.test(tail)) {
    stems.add(head + syllable(initial, vowel, FINAL.ㅅ));
  }
  if (final === FINAL.ㅆ || final === FINAL.none) addUncontracted(stems, head, last, bare);
}

/** 했 is 하, 왔 is 오, 도왔 is 돕, 몰랐 is 모르, 빨갰 is 빨갛. */
function addUncontracted(
  stems: Set<string>,
  head: string,
  { initial, vowel, final }: Syllable,
  bare: (vowel: number) => string,
): void {
  const isPast = final === FINAL.ㅆ;
  if (isPast) stems.add(bare(vowel));
  const joined = JOINED.get(vowel);
  if (joined !== undefined) stems.add(bare(joined));
  if (initial === H && vowel === VOWEL.ㅐ) stems.add(bare(VOWEL.ㅏ));
  if (isPast && (vowel === VOWEL.ㅓ || vowel === VOWEL.ㅏ)) stems.add(bare(VOWEL.ㅡ));
  const before = syllableAt(head, head.length - 1);
  if (!before) return;
  for (const other of WITHOUT_H.get(vowel) ?? []) {
    stems.add(head + syllable(initial, other, FINAL.ㅎ));
  }
  const first = head.slice(0, -1);
  const isW = initial === 11 && (vowel === VOWEL.ㅘ || vowel === VOWEL.ㅝ || vowel === VOWEL.ㅜ);
  if (isW && before.final === FINAL.none) {
    stems.add(first + syllable(before.initial, before.vowel, FINAL.ㅂ));
  }
  if (initial === 5 && before.final === FINAL.ㄹ && (vowel === VOWEL.ㅏ || vowel === VOWEL.ㅓ)) {
    stems.add(`${first}${syllable(before.initial, before.vowel, FINAL.none)}르`);
  }
}

interface Syllable {
  readonly initial: number;
  readonly vowel: number;
  readonly final: number;
}

function syllableAt(text: string, at: number): Syllable | undefined {
  const code = text.charCodeAt(at);
  if (!(code >= FIRST && code <= LAST)) return undefined;
  const place = code - FIRST;
  return {
    initial: Math.floor(place / (VOWELS * FINALS)),
    vowel: Math.floor(place / FINALS) % VOWELS,
    final: place % FINALS,
  };
}

function syllable(initial: number, vowel: number, final: number): string {
  return String.fromCharCode(FIRST + (initial * VOWELS + vowel) * FINALS + final);
}
