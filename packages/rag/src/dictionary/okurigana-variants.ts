import type { Rewriting } from '../spelling/old-orthography.ts';
import type { Dictionary } from './dictionary.ts';
import { toHiragana } from './kana-and-scripts.ts';

/** A word of one kanji with the kana after it. */
interface Word {
  readonly kana: string;
  /** In katakana. */
  readonly reading: string;
  readonly basic: string;
  readonly pos: string;
  readonly detail: string;
  /** The lower, the more common. */
  readonly cost: number;
}

/** The words of a dictionary, as far as okurigana go by them. */
export interface OkuriganaLexicon {
  /** Returns all words that are this kanji with kana. */
  kanaAfter(kanji: string): Iterable<Word>;
  /** Checks whether a word is known, as something else than a form of a verb if so asked. */
  has(word: string, asNoVerb?: boolean): boolean;
}

/** A spelling with fewer or more kana, and that of the dictionary. */
interface Variant {
  readonly kana: string;
  readonly standard: string;
  /** The text that must follow, if it could be a particle otherwise. */
  readonly before: RegExp | undefined;
}

const RUNS = /(?<!\p{sc=Han})\p{sc=Han}(?=[\u3041-\u3096])/gu;
/** Endings of one kana that are no particle after a noun. */
const VERB_ENDING = /^[うくすつぬむるぐぶりみびぎきち]$/;
/** Particles, endings after other words, and what follows names. */
const NOT_OF_WORD = /^(?:[はがをにでとのもへ]|から|た(?:[らりんっるろ]|$)|さん|さま|ちゃん|くし$)/;
/** The text after a whole word: 崩され is 崩さ and れ, not 崩れされ. */
const AFTER_WORD =
  /^(?:れ[るたてばん]?|られ.?|せ[るたて]?|たい?|て|から|な[いくら]|ん|ず|ば|[にでだな])$/;
/** 癒せる is a potential form, and 癒る is none of it. */
const POTENTIAL = /^[えけせてねへめげぜべ]る/;
/** 集まる, 分かれる and 照らす have kana that others leave out. */
const LEFT_OUT = /^[まかわらがも](?=[っるれりら])/;
const STEM_OF_ADJECTIVE = '形容動詞語幹';
/** Not 明かない. */
const AFTER_STEM = /^(?:[にだで]|な(?![いかく]))/;
const AFTER_STOP = /^[たて]/;
/** 大いなる is no form of 大きい. */
const AFTER_ADJECTIVE = /^(?![なにるっ])/;
/** Most kanji have none: they share it. */
const NONE: ReadonlyMap<string, readonly Variant[]> = new Map();

const OF_SURU = /[すず]る$|じる$/;

/**
 * Knows words of one kanji that are written with other kana than the dictionary has: 恐しい and 珍らしい for 恐ろしい
 * and 珍しい.
 *
 * Source: 送り仮名の付け方 (Cabinet notice 2 of 1973), which says where the kana begin, and allows for more and for
 * fewer.
 */
export class OkuriganaVariants {
  readonly #lexicon: OkuriganaLexicon;
  /** By their kanji, as they are asked for. */
  readonly #variants = new Map<string, ReadonlyMap<string, readonly Variant[]>>();

  constructor(lexicon: OkuriganaLexicon) {
    this.#lexicon = lexicon;
  }

  /** Returns the pieces of a text that the dictionary writes with other kana, in order. */
  rewrite(text: string): readonly Rewriting[] {
    const found: Rewriting[] = [];
    for (const { 0: kanji, index } of text.matchAll(RUNS)) {
      const at = index + kanji.length;
      const variant = this.#variantsOf(kanji)
        .get(text.charAt(at))
        ?.find(({ kana, before }) => {
          const end = at + kana.length;
          return text.startsWith(kana, at) && (before?.test(text.slice(end, end + 2)) ?? true);
        });
      if (!variant) continue;
      found.push({ start: at, end: at + variant.kana.length, text: variant.standard });
    }
    return found;
  }

  /** Returns the variants of a kanji by their first kana, the longest first. */
  #variantsOf(kanji: string): ReadonlyMap<string, readonly Variant[]> {
    const known = this.#variants.get(kanji);
    if (known) return known;
    const found = new Map<string, Variant & { readonly word: Word }>();
    const ambiguous = new Set<string>();
    for (const word of this.#lexicon.kanaAfter(kanji)) {
      for (const { kana, before } of variantsOf(word, (after) =>
        this.#lexicon.has(kanji + after),
      )) {
        const other = found.get(kana);
        if (other && other.word.basic !== word.basic && !areAdjectives(other.word, word))
          ambiguous.add(kana);
        // 明か is a form of 明かす, but not before に.
        const isKnown =
          before === AFTER_STEM
            ? this.#lexicon.has(kanji + kana, true)
            : this.#isKnown(kanji, kana);
        // 危い is 危ない rather than 危うい.
        const isBetter = !other || (areAdjectives(other.word, word) && word.cost < other.word.cost);
        if (isKnown || !isBetter) continue;
        found.set(kana, { kana, standard: word.kana, before, word });
      }
    }
    const variants = new Map<string, Variant[]>();
    for (const variant of found.values()) {
      if (ambiguous.has(variant.kana)) continue;
      const first = variant.kana.charAt(0);
      variants.set(first, [...(variants.get(first) ?? []), variant]);
    }
    for (const each of variants.values()) each.sort((a, b) => b.kana.length - a.kana.length);
    const kept = variants.size === 0 ? NONE : variants;
    this.#variants.set(kanji, kept);
    return kept;
  }

  /** Checks whether a spelling is a word, or one with endings. */
  #isKnown(kanji: string, kana: string): boolean {
    for (let end = kana.length; end > 0; end--) {
      const isWhole = end === kana.length || AFTER_WORD.test(kana.slice(end));
      if (isWhole && this.#lexicon.has(kanji + kana.slice(0, end))) return true;
    }
    return false;
  }
}

function areAdjectives(first: Word, second: Word): boolean {
  return first.pos === '形容詞' && second.pos === '形容詞';
}

function* variantsOf(
  { kana, reading, basic, pos, detail }: Word,
  isWord: (kana: string) => boolean,
): Generator<{ readonly kana: string; readonly before: RegExp | undefined }> {
  const isInflected = (pos === '動詞' || pos === '形容詞') && detail === '自立';
  const hiragana = toHiragana(reading);
  if (!hiragana.endsWith(kana)) return;
  const stem = hiragana.slice(0, hiragana.length - kana.length);
  const less = kana.slice(1);
  if (detail === STEM_OF_ADJECTIVE && less === 'か') yield { kana: less, before: AFTER_STEM };
  const mayLeaveOut = (stem.length > 1 && !POTENTIAL.test(kana)) || LEFT_OUT.test(kana);
  if (isInflected && mayLeaveOut && !OF_SURU.test(basic) && !NOT_OF_WORD.test(less)) {
    if (pos === '形容詞' && less === 'い') yield { kana: less, before: AFTER_ADJECTIVE };
    else if (less === 'っ') yield { kana: less, before: AFTER_STOP };
    else if ((less.length > 1 && !less.startsWith('い')) || VERB_ENDING.test(less)) {
      yield { kana: less, before: undefined };
    }
  }
  const last = stem.slice(-1);
  // 引きつ of 引きつけ is 引き and つけ, but no word ends as 明かるい does.
  const more = isWord(last) && pos !== '形容詞' ? '' : last + kana;
  if (
    (isInflected || pos === '副詞') &&
    stem.length > 1 &&
    more !== '' &&
    !NOT_OF_WORD.test(more)
  ) {
    yield { kana: more, before: undefined };
  }
}

const FIRST_HIRAGANA = 0x3041;
const LAST_HIRAGANA = 0x3096;

/** Returns the words of a dictionary by their kanji and the kana after it. */
export function okuriganaLexicon(dictionary: Dictionary): OkuriganaLexicon {
  return {
    kanaAfter: (kanji) => kanaAfter(dictionary, kanji),
    has: (word, asNoVerb = false) => {
      const [from, to] = dictionary.entriesOf(word);
      if (!asNoVerb) return from < to;
      for (let entry = from; entry < to; entry++)
        if (dictionary.featuresOf(entry)[0] !== '動詞') return true;
      return false;
    },
  };
}

function* kanaAfter(
  dictionary: Dictionary,
  kanji: string,
): ReturnType<OkuriganaLexicon['kanaAfter']> {
  const { trie } = dictionary;
  const open = [{ node: trie.find(kanji), kana: '' }];
  for (let last = open.pop(); last; last = open.pop()) {
    if (last.node === 0) continue;
    for (const [node, unit] of trie.childrenOf(last.node)) {
      if (unit < FIRST_HIRAGANA || unit > LAST_HIRAGANA) continue;
      const kana = last.kana + String.fromCharCode(unit);
      open.push({ node, kana });
      const word = kanji + kana;
      const end = trie.entries.at(node + 1);
      for (let entry = trie.entries.at(node); entry < end; entry++) {
        const [pos = '', detail = ''] = dictionary.featuresOf(entry);
        const basic = dictionary.basicOf(entry, word);
        const cost = dictionary.costs[entry] ?? 0;
        yield { kana, reading: dictionary.readingOf(entry, word), basic, pos, detail, cost };
      }
    }
  }
}
