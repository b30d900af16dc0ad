import { type Analyzer, plainBasic, type Word } from '../analyze/analyzer.ts';
import { joinedWords, type JoinedWords } from '../analyze/compound-words.ts';
import type { SynonymMatch, Synonyms } from '../contract/synonyms.ts';
import {
  foldLongVowel,
  isKana,
  toHiragana,
  toKatakana,
  voiced,
} from '../dictionary/kana-and-scripts.ts';
import type { Occurrence, Query, QueryClause } from '../query/query.ts';
import { otherKanji } from '../spelling/kanji-and-okurigana.ts';
import { readNumber } from '../analyze/number-words.ts';
import { romajiReadings } from '../spelling/romaji.ts';
import {
  factorOfForm,
  isForm,
  kanjiOf,
  okurigana,
  oldSpelledWords,
  otherPoliteness,
  partlyInKana,
  withOkurigana,
} from './query-expansion.ts';
import { WEIGHTS } from './weights.ts';

/** Terms that replace one word of a query. */
export interface QueryGroup {
  /** The word itself, in basic form. */
  readonly term: string;
  /** By its part of speech. */
  readonly weight: number;
  readonly occur: Occurrence;
  /** Where it is looked for. */
  readonly field: 'any' | 'title';
  /** How it may be found besides the word itself. */
  readonly ways: readonly TermWay[];
  /** True for a name; other words with the same reading are not that name. */
  readonly isName?: boolean;
  /** True for a guess: it counts only where the index has it. */
  readonly isGuess?: boolean;
}

/** A way to find a word. */
export type TermWay =
  /** This very term. */
  | {
      readonly kind: 'term';
      readonly term: string;
      readonly factor: number;
      /** True for another form of the word, which texts with the word have as well: it counts where they lack the word. */
      readonly isForm?: boolean;
      /** The term that it is a form of, if that is another name. */
      readonly formOf?: string;
    }
  /** Terms that are read so; the reading is in katakana. */
  | { readonly kind: 'reading'; readonly reading: string; readonly factor: number }
  /** Terms that are read so and have these kanji in this order, whatever kana are between. */
  | {
      readonly kind: 'spelling';
      readonly reading: string;
      readonly kanji: string;
      readonly factor: number;
    }
  /** Terms that have these kanji with other kana between them and after them. */
  | { readonly kind: 'okurigana'; readonly kanji: string; readonly factor: number }
  /** Compounds that begin or end with the word, and what it is compounded of. */
  | { readonly kind: 'compound'; readonly factor: number }
  /** Compounds that have the word inside: 経済 in 日本経済新聞社. */
  | { readonly kind: 'inside'; readonly factor: number }
  /** A part that was written with `*`. */
  | {
      readonly kind: 'part';
      readonly part: string;
      readonly at: 'front' | 'back' | 'anywhere';
      readonly factor: number;
    };

/** A sequence of groups that must all be there, or must not all be there. */
export interface GroupSet {
  readonly occur: Occurrence;
  readonly groups: readonly QueryGroup[];
  /** True if they are the words of a phrase, which a text may cut in another way. */
  readonly isPhrase: boolean;
}

/** Other words for those of a query. */
export interface OtherWords {
  /** Names that mean the same, which count wherever they are. */
  readonly synonyms?: Synonyms | undefined;
  /** Words that mean about the same; they are left out of words that must be there. */
  readonly thesaurus?: Synonyms | undefined;
  /** True if words in Latin letters are looked for by what they may be the reading of. Default: false. */
  readonly romaji?: boolean | undefined;
  /** How much they count, as a share of a name. Default: 1. */
  readonly share?: number | undefined;
}

/** Returns the groups of a query, by the words in it; phrases, filters and patterns are looked at later. */
export function queryGroups(
  query: Query,
  analyzer: Analyzer,
  others: OtherWords = {},
): readonly GroupSet[] {
  return query.clauses.flatMap((clause): readonly GroupSet[] => {
    const groups = groupsOf(clause, analyzer, others);
    const isPhrase = clause.kind === 'phrase';
    // Words that make no such text are still not forbidden.
    if (groups.length === 0 || (clause.occur === 'not' && isTextAlone(clause, analyzer))) return [];
    // The text decides whether a phrase matches; its words only rank.
    const occur =
      isPhrase && clause.field === 'title' ? 'must' : isPhrase ? 'should' : clause.occur;
    return [{ occur, groups, isPhrase }];
  });
}

function groupsOf(
  clause: QueryClause,
  analyzer: Analyzer,
  { synonyms, thesaurus, romaji = false, share = 1 }: OtherWords,
): readonly QueryGroup[] {
  const { occur } = clause;
  if (clause.kind === 'part') {
    const term = clause.text.normalize('NFKC').toLowerCase();
    // Terms are basic forms: 渡し守 is 渡守, 走った is 走る, and running is run.
    const [word, ...others] = analyzer.words(clause.text).filter(({ isContent }) => isContent);
    const parts = new Set([term, word && others.length === 0 ? word.basic : term]);
    const ways = Array.from(parts, (part): TermWay => {
      return { kind: 'part', part, at: clause.at, factor: WEIGHTS.writtenPart };
    });
    return [{ term, weight: 1, occur, field: 'any', ways }];
  }
  if (clause.kind === 'phrase') {
    return analyzer
      .words(clause.text)
      .filter(({ isContent }) => isContent)
      .map((word) => group(word, occur, clause.field, []));
  }
  if (clause.kind !== 'words') return [];
  const { field } = clause;
  if (field === 'reading') {
    const reading = toKatakana(clause.text.normalize('NFKC')).replaceAll(/\s/gu, '');
    const way: TermWay = { kind: 'reading', reading, factor: 1 };
    return [{ term: reading, weight: 1, occur, field: 'any', ways: [way] }];
  }
  const all = analyzer.words(clause.text);
  const words = all.filter(({ isContent }) => isContent);
  const isExact = occur !== 'should';
  const byFirstWord = (list: Synonyms | undefined): ReadonlyMap<Word | undefined, SynonymMatch> =>
    new Map(list?.expand(all, clause.text).map((name) => [firstWordOf(words, name), name]));
  const names = byFirstWord(synonyms);
  const similar = byFirstWord(isExact ? undefined : thesaurus);
  const known = words.map((word, place) => {
    // An excluded word excludes only itself, not words with the same reading.
    const ways =
      occur === 'not'
        ? []
        : [
            ...waysOf(word, analyzer, {
              isExact,
              isInRun: isInRun(word, clause.text) || isNextToWord(words, place, clause.text),
              surface: clause.text.slice(word.start, word.end),
            }),
            ...(romaji ? romajiWays(clause.text.slice(word.start, word.end)) : []),
            ...otherNames(names.get(word), WEIGHTS.synonym),
            ...otherNames(similar.get(word), share * WEIGHTS.thesaurus),
          ];
    // 12 is left out with 十二, and is a term of all texts with it.
    return group(occur === 'not' ? { ...word, basic: plainBasic(word) } : word, occur, field, ways);
  });
  if (isExact || field !== 'any') return known;
  return [
    ...known,
    ...joinedWords(all, clause.text).flatMap((joined) => joinedGroups(joined, analyzer)),
    // The first of two groups of one term counts: it has more ways.
    ...kanaSegmentations(all, clause.text).map(kanaGroup),
    ...katakanaRuns(words),
    ...hanziPairs(words),
    ...oldSpelledWords(clause.text, analyzer).map(({ basic, pos }) =>
      guessGroup(basic, weightOf(pos) * WEIGHTS.spelling),
    ),
  ];
}

/** Returns words that may be one as that word: 飼犬 as 飼い犬, 書きこみ as 書き込み. */
function joinedGroups(
  { first, last, terms }: JoinedWords,
  analyzer: Analyzer,
): readonly QueryGroup[] {
  return terms.map((term) => {
    const kanji = kanjiOf(term);
    const ways: TermWay[] = [...otherPoliteness(term), ...okurigana(term)].map((other) => {
      return { kind: 'term', term: other, factor: WEIGHTS.spelling };
    });
    const isBasic = term.endsWith(last.basic);
    for (const back of isBasic ? readingsOf(last.basic, analyzer) : [last.reading]) {
      if (first.reading === '' || back === '') continue;
      for (const reading of new Set([first.reading + back, first.reading + voiced(back)])) {
        ways.push({ kind: 'spelling', reading, kanji, factor: WEIGHTS.spelling });
      }
    }
    if (kanji.length > 1) ways.push({ kind: 'okurigana', kanji, factor: WEIGHTS.spelling });
    return { term, weight: 1, occur: 'should', field: 'any', ways, isGuess: true };
  });
}

function readingsOf(basic: string, analyzer: Analyzer): readonly string[] {
  return isKana(basic) ? [toKatakana(basic)] : analyzer.readings(basic);
}

/** Returns the basic form of what may be one word: 読取る of 読取. */
function basicOf(text: string, analyzer: Analyzer): readonly string[] {
  const [word, next] = analyzer.words(text);
  return word && !next && word.isContent ? [word.basic] : [];
}

/** Returns the keys of runs of katakana that are several words: イヤホン of イヤ and フォン. */
function katakanaRuns(words: readonly Word[]): readonly QueryGroup[] {
  return words.flatMap(({ start, end, extra = [] }, place) => {
    const keys = extra.filter((term) => KATAKANA.test(term) && term.length > end - start);
    if (keys.length === 0) return [];
    // Words that a point parts are found by themselves.
    let last = place;
    for (let next = words[last + 1]; next && isNextInRun(words[last], next); next = words[last + 1])
      last++;
    const weight = 1 + WEIGHTS.cutWord * (last - place);
    return keys.map((key) => katakanaGroup(key, weight));
  });
}

const HANZI_PAIR = /^\p{sc=Han}{2}~$/u;

/** Returns the pairs of Chinese that the dictionary knows as two characters: both together are before one of them. */
function hanziPairs(words: readonly Word[]): readonly QueryGroup[] {
  return words.flatMap(({ start, end, extra = [] }) =>
    end - start > 1
      ? []
      : extra.filter((term) => HANZI_PAIR.test(term)).map((term) => guessGroup(term, 1)),
  );
}

function isNextInRun(word: Word | undefined, next: Word): boolean {
  return next.start === word?.end && isKana(next.basic);
}

/** Returns a run of katakana as one word, which counts as much as its parts; sounds are in hiragana as well: モーモー. */
function katakanaGroup(term: string, weight: number): QueryGroup {
  const hiragana = { kind: 'term', term: toHiragana(term), factor: WEIGHTS.kanaRun } as const;
  return { ...guessGroup(term, weight), ways: [hiragana] };
}

function guessGroup(term: string, weight: number): QueryGroup {
  return { term, weight, occur: 'should', field: 'any', ways: [], isGuess: true };
}

/** Returns a run of kana as the reading of a word, or as the ruby of one. */
function kanaGroup(kana: string): QueryGroup {
  const folded = kana.normalize('NFKC');
  const reading = toKatakana(folded);
  const factor = WEIGHTS.kanaRun;
  const ways: readonly TermWay[] = [
    { kind: 'reading', reading, factor },
    { kind: 'term', term: toHiragana(folded), factor },
    { kind: 'term', term: reading, factor },
  ];
  return { term: folded, weight: 1, occur: 'should', field: 'any', ways, isGuess: true };
}

/** Returns the ways to find what a word in Latin letters may be the reading of. */
function romajiWays(surface: string): readonly TermWay[] {
  const readings = new Set(romajiReadings(surface).flatMap((each) => [each, foldLongVowel(each)]));
  return [...readings].flatMap((reading): readonly TermWay[] => [
    { kind: 'reading', reading, factor: WEIGHTS.romaji },
    { kind: 'term', term: toHiragana(reading), factor: WEIGHTS.romaji },
    { kind: 'term', term: reading, factor: WEIGHTS.romaji },
  ]);
}

/** Other names are placed at the first word of a name, so that they count once. */
function firstWordOf(words: readonly Word[], { start, end }: SynonymMatch): Word | undefined {
  return words.find((word) => word.start >= start && word.end <= end);
}

/** Returns the words of other names, which share the weight of one; numbers are found in digits as well. */
function otherNames(name: SynonymMatch | undefined, factor: number): readonly TermWay[] {
  return (name?.alternatives ?? []).flatMap((words) =>
    words.flatMap((term): readonly TermWay[] => {
      const way: TermWay = { kind: 'term', term, factor: factor / words.length };
      const number = readNumber(term);
      if (number?.length !== term.length || number.value === term) return [way];
      const inDigits = { ...way, term: number.value, factor: way.factor * WEIGHTS.digits };
      return [way, { ...inDigits, isForm: true, formOf: term }];
    }),
  );
}

function group(
  word: Word,
  occur: Occurrence,
  field: 'any' | 'title',
  ways: readonly TermWay[],
): QueryGroup {
  const isName = word.pos.endsWith('固有名詞');
  return { term: word.basic, weight: weightOf(word.pos), occur, field, ways, isName };
}

function waysOf(
  word: Word,
  analyzer: Analyzer,
  {
    isExact,
    isInRun: isPiece,
    surface,
  }: { readonly isExact: boolean; readonly isInRun: boolean; readonly surface: string },
): readonly TermWay[] {
  const ways: TermWay[] = (word.extra ?? []).map((term) => {
    return { kind: 'term', term, factor: factorOfForm(term, word), isForm: isForm(term, word) };
  });
  const { basic } = word;
  // A number is that one or another.
  if (word.pos === NUMBER) return ways;
  if (isKana(basic)) {
    if (basic.length > 1) {
      for (const term of new Set([toHiragana(basic), toKatakana(basic)])) {
        if (term !== basic) ways.push({ kind: 'term', term, factor: WEIGHTS.otherKana });
      }
    }
    const [reading] = analyzer.readings(basic);
    // A single kana is a word of its own, and the reading of hundreds of others.
    if (reading !== undefined && reading.length > 1) {
      ways.push({ kind: 'reading', reading, factor: WEIGHTS.reading });
    }
  } else {
    const kanji = kanjiOf(basic);
    // The basic form is that of the most common spelling: 聞取る for 聞き取る.
    const forms = kanjiOf(surface) === kanji ? [...new Set([basic, surface])] : [basic];
    // 大人 is no spelling of 大人しい.
    const isAdjective = word.pos.startsWith('形容詞');
    const spelled = forms.flatMap((form) => [
      ...otherPoliteness(form),
      ...otherKanji(form),
      ...(isAdjective ? [] : okurigana(form)),
    ]);
    const others = new Set(spelled.flatMap((form) => [form, ...basicOf(form, analyzer)]));
    others.delete(basic);
    for (const term of others) ways.push({ kind: 'term', term, factor: WEIGHTS.spelling });
    for (const reading of new Set([word.reading, ...analyzer.readings(basic)])) {
      if (reading.length < 2) continue;
      // 取り調べ, 取調べ and 取調; as a form of a verb the first is read as the noun.
      if (kanji !== '') {
        ways.push({ kind: 'spelling', reading, kanji, factor: WEIGHTS.spelling });
      }
      const written = forms.flatMap((form) => [
        ...partlyInKana(form, reading, analyzer),
        ...withOkurigana(form, reading, analyzer),
      ]);
      for (const term of written) {
        ways.push({ kind: 'term', term, factor: WEIGHTS.spelling });
      }
      for (const term of [toHiragana(reading), reading]) {
        ways.push({ kind: 'term', term, factor: WEIGHTS.reading });
      }
    }
  }
  if (!isExact && !isPiece) {
    ways.push({ kind: 'compound', factor: WEIGHTS.compoundPart });
    ways.push({ kind: 'inside', factor: WEIGHTS.insideCompound });
  }
  return ways;
}

const KATAKANA = /^[\u30a1-\u30fa\u30fc]+$/;

/** A run of kana of a query that may be a word which the dictionary does not know in kana. */
const SHORTEST = 3;
const LONGEST = 12;
const RUN = /[\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu;

/**
 * Returns the possible meanings of a query by its kana: `らしんばん` is cut into unintended words, as the
 * dictionary knows it as 羅針盤 only. Gives each sequence of at least two words within a run of kana.
 *
 * @param words - The words of `text`.
 */
function kanaSegmentations(words: readonly Word[], text: string): readonly string[] {
  const found = new Set<string>();
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const end = index + run.length;
    const inside = words.filter((word) => word.start >= index && word.end <= end);
    const [only] = inside;
    const isOneWord = inside.length === 1 && only?.end === end && only.start === index;
    // さめ is a form of a verb too.
    // Nothing but まじ is no auxiliary verb.
    const isOther = only?.basic !== run || (!only.isContent && run === text.trim());
    if (isOneWord && isOther && run.length > 1) found.add(run);
    for (const [first, word] of inside.entries()) {
      for (const last of inside.slice(first + 1)) {
        const kana = text.slice(word.start, last.end);
        const isWhole = kana.length === run.length && kana.length > 1;
        if ((kana.length >= SHORTEST || isWhole) && kana.length <= LONGEST) found.add(kana);
      }
    }
  }
  return [...found];
}

/** A part of speech that only bends the word before it: た of 走った. */
const ENDING = /^助動詞/;

/**
 * Checks whether an excluded clause is about its text alone: a phrase, or several words, such as `-灯台守の娘`. All of these may
 * be far from each other in a chunk that is about something else.
 */
function isTextAlone(clause: QueryClause, analyzer: Analyzer): boolean {
  if (clause.kind === 'phrase') return true;
  if (clause.kind !== 'words' || clause.field === 'reading') return false;
  const [, ...others] = analyzer.words(clause.text).filter(({ pos }) => !ENDING.test(pos));
  return others.length > 0;
}

/** The part of speech of numbers. */
const NUMBER = '名詞,数';
/** ねこ of 子ねこ, which is no 子犬. */
const KANA_OF_WORD = /^[\u3041-\u3096]{2,4}$/;
const NOUN_OR_VERB = /^(?:名詞|動詞)$/;
const WITH_OKURIGANA = /\p{sc=Han}[\u3041-\u3096]/u;

/** Checks whether a word is a single kanji among others in a text without kana, as of Chinese: 学 of 学习. */
function isInRun({ start, end }: Word, text: string): boolean {
  if (end - start > 1 || /[\u3041-\u30ff]/.test(text)) return false;
  return /\p{sc=Han}/u.test(text.charAt(start - 1) + text.charAt(end));
}

/** Checks whether a word is a single kanji next to a number or a word with okurigana: 国 of 4国 is not that of 四国, nor 言 of 言換え that of 言い訳, but 紙 of 紙状 is that of 紙幣. */
function isNextToWord(words: readonly Word[], place: number, text: string): boolean {
  const [before, word, after] = [words[place - 1], words[place], words[place + 1]];
  if (!word || word.end - word.start > 1) return false;
  return [
    before?.end === word.start ? before : undefined,
    after?.start === word.end ? after : undefined,
  ].some(
    (other) =>
      other &&
      (other.pos === NUMBER ||
        WITH_OKURIGANA.test(text.slice(other.start, other.end)) ||
        (other === after &&
          KANA_OF_WORD.test(text.slice(other.start, other.end)) &&
          NOUN_OR_VERB.test(other.pos))),
  );
}

/**
 * How much a word counts by its part of speech, of which the first two levels are looked at:
 * `名詞,代名詞`.
 */
function weightOf(pos: string): number {
  // An analyzer that knows no parts of speech gives none: then all words count the same.
  if (pos === '') return 1;
  const [part = '', detail = ''] = pos.split(',');
  const parts: Readonly<Record<string, number>> = WEIGHTS.partOfSpeech;
  const details: Readonly<Record<string, number>> = WEIGHTS.weakDetails;
  return details[detail] ?? parts[part] ?? WEIGHTS.otherPartOfSpeech;
}
