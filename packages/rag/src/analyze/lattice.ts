import type { Dictionary } from '../dictionary/dictionary.ts';
import {
  okuriganaLexicon,
  OkuriganaVariants,
  rewriteIntoKana,
} from '../spelling/kanji-and-okurigana.ts';
import type { Rewriting } from '../spelling/old-words.ts';
import type { Morpheme } from './analyzer.ts';
import { Compounds } from './compound-words.ts';
import type { Morphology } from './morphological-analyzer.ts';

/** Text this near to such a cut is analyzed again from the last word before it. */
const UNSURE = 64;
const NONE = -1;
const NO_COST = 0x7fffffff;
const FIRST_CAPACITY = 8192;

/** A word found: an entry of the dictionary at `[start, end)`. */
type EmitEntry = (start: number, end: number, entry: number) => void;

/**
 * Cuts text into the words that connect at the lowest cost (Viterbi's algorithm), as MeCab and
 * kuromoji do. Its arrays are used again for each sentence.
 */
class Lattice {
  /** How many nodes were made since the start: what the time goes by. */
  nodeCount = 0;
  readonly #dictionary: Dictionary;
  /** The last node that ends before each offset; the others hang on it. */
  readonly #lastEnding = new Int32Array(MAX_PIECE + 1);
  /** By left side: the best connection at the current offset, valid if stamped with its stamp. */
  readonly #stamps: Uint32Array;
  readonly #bestCost: Int32Array;
  readonly #bestNode: Int32Array;
  #stamp = 0;
  readonly #path: number[] = [];
  // The nodes, by number.
  #size = 0;
  #starts = new Int32Array(FIRST_CAPACITY);
  #entries = new Int32Array(FIRST_CAPACITY);
  #rights = new Int32Array(FIRST_CAPACITY);
  #costs = new Int32Array(FIRST_CAPACITY);
  #before = new Int32Array(FIRST_CAPACITY);
  #sameEnd = new Int32Array(FIRST_CAPACITY);

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
    const { contexts } = dictionary.facts;
    this.#stamps = new Uint32Array(contexts);
    this.#bestCost = new Int32Array(contexts);
    this.#bestNode = new Int32Array(contexts);
  }

  /** Cuts `text[from..to)`, one sentence, and gives its words in their order. */
  cut(text: string, from: number, to: number, emit: EmitEntry): void {
    for (let at = from; at < to;) {
      if (to - at <= MAX_PIECE) {
        this.#build(text, at, to);
        this.#emit(at, to, to, emit);
        return;
      }
      // Half of a surrogate pair would be a word.
      const isInPair = isHighSurrogate(text.charCodeAt(at + MAX_PIECE - 1));
      const end = at + MAX_PIECE - (isInPair ? 1 : 0);
      this.#build(text, at, end);
      at = this.#emit(at, end, end - UNSURE, emit);
    }
  }

  #build(text: string, from: number, to: number): void {
    const length = to - from;
    this.#lastEnding.fill(NONE, 0, length + 1);
    this.#size = 0;
    this.#newOffset();
    this.#push(0, 0, NONE, 0, 0, NONE);
    let groupEnd = 0;
    for (let at = 0; at < length; at++) {
      if (this.#lastEnding[at] === NONE) continue;
      this.#newOffset();
      const isKnown = this.#addKnown(text, from, at, length);
      groupEnd = this.#addUnknown(text, from, at, length, isKnown, groupEnd);
    }
    this.#newOffset();
    this.#readPath(this.#bestBefore(length, 0));
    this.nodeCount += this.#size;
  }

  #addKnown(text: string, from: number, at: number, length: number): boolean {
    const { trie } = this.#dictionary;
    let node = 0;
    let isKnown = false;
    for (let end = at; end < length; end++) {
      node = trie.step(node, text.charCodeAt(from + end));
      if (node === 0) break;
      const first = trie.entries.at(node);
      const last = trie.entries.at(node + 1);
      for (let entry = first; entry < last; entry++) this.#add(at, end + 1, entry);
      if (first < last) isKnown = true;
    }
    return isKnown;
  }

  /** Returns the end of the run of one class that was looked through last. */
  #addUnknown(
    text: string,
    from: number,
    at: number,
    length: number,
    isKnown: boolean,
    groupEnd: number,
  ): number {
    const kind = this.#classAt(text, from + at);
    const rule = this.#dictionary.facts.classes[kind];
    if (!rule || (isKnown && !rule.always)) return groupEnd;
    let end = nextCharacter(text, from + at) - from;
    // Every offset of a run has the same end; looking for it each time would be quadratic.
    if (rule.groups && at < groupEnd) end = groupEnd;
    else if (rule.groups) {
      while (end < length && this.#classAt(text, from + end) === kind) {
        end = nextCharacter(text, from + end) - from;
      }
    }
    end = Math.min(end, length);
    for (let entry = rule.firstEntry; entry < rule.lastEntry; entry++) this.#add(at, end, entry);
    return rule.groups ? end : groupEnd;
  }

  #classAt(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    return isHighSurrogate(unit) ? 0 : (this.#dictionary.characters[unit] ?? 0);
  }

  #add(start: number, end: number, entry: number): void {
    const { kinds, kindLeft, kindRight, costs } = this.#dictionary;
    const kind = kinds[entry] ?? 0;
    const left = kindLeft[kind] ?? 0;
    const before = this.#bestBefore(start, left);
    const cost = (this.#bestCost[left] ?? 0) + (costs[entry] ?? 0);
    this.#push(start, end, entry, kindRight[kind] ?? 0, cost, before);
  }

  /** Returns the node before `start` that connects best to a left side; its cost goes into `#bestCost`. */
  #bestBefore(start: number, left: number): number {
    if (this.#stamps[left] === this.#stamp) return this.#bestNode[left] ?? NONE;
    const { matrix, facts } = this.#dictionary;
    const row = left * facts.contexts;
    const [costs, rights, sameEnd] = [this.#costs, this.#rights, this.#sameEnd];
    let best = NO_COST;
    let bestNode = NONE;
    for (let node = this.#lastEnding[start] ?? NONE; node !== NONE; node = sameEnd[node] ?? NONE) {
      const cost = (costs[node] ?? 0) + (matrix[row + (rights[node] ?? 0)] ?? 0);
      // The nodes come last first, and of equal ones the first wins.
      if (cost > best) continue;
      best = cost;
      bestNode = node;
    }
    this.#stamps[left] = this.#stamp;
    this.#bestCost[left] = best;
    this.#bestNode[left] = bestNode;
    return bestNode;
  }

  #push(
    start: number,
    end: number,
    entry: number,
    right: number,
    cost: number,
    before: number,
  ): void {
    const node = this.#size++;
    if (node === this.#starts.length) this.#grow(2 * node);
    this.#starts[node] = start;
    this.#entries[node] = entry;
    this.#rights[node] = right;
    this.#costs[node] = cost;
    this.#before[node] = before;
    this.#sameEnd[node] = this.#lastEnding[end] ?? NONE;
    this.#lastEnding[end] = node;
  }

  #readPath(last: number): void {
    const path = this.#path;
    path.length = 0;
    // Node 0 is the beginning of the sentence.
    for (let node = last; node > 0; node = this.#before[node] ?? 0) path.push(node);
    path.reverse();
  }

  /** Gives the words of the path that end up to `sure`, at least one, and says where they end. */
  #emit(from: number, to: number, sure: number, emit: EmitEntry): number {
    let reached = from;
    for (const [index, node] of this.#path.entries()) {
      const next = this.#path[index + 1];
      const end = next === undefined ? to : from + (this.#starts[next] ?? 0);
      if (end > sure && reached > from) return reached;
      emit(reached, end, this.#entries[node] ?? 0);
      reached = end;
    }
    return to;
  }

  #newOffset(): void {
    if (this.#stamp === 0xffffffff) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  #grow(capacity: number): void {
    const grown = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const array = new Int32Array(capacity);
      array.set(old);
      return array;
    };
    this.#starts = grown(this.#starts);
    this.#entries = grown(this.#entries);
    this.#rights = grown(this.#rights);
    this.#costs = grown(this.#costs);
    this.#before = grown(this.#before);
    this.#sameEnd = grown(this.#sameEnd);
  }
}

function nextCharacter(text: string, at: number): number {
  return at + (isHighSurrogate(text.charCodeAt(at)) ? 2 : 1);
}

const COMMA = 0x3001;
const STOP = 0x3002;

/**
 * Goes through the pieces of a text that are cut into words on their own: up to each `、` or `。`,
 * which belongs to the piece, as kuromoji does.
 */
function forEachSentence(text: string, visit: (from: number, to: number) => void): void {
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== STOP && unit !== COMMA) continue;
    visit(from, at + 1);
    from = at + 1;
  }
  if (from < text.length) visit(from, text.length);
}

/** How much of a sentence is cut into words at once. */
const MAX_PIECE = 1024;

/** Returns the sentences of a text, those that are too long in pieces; together they are the text. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  forEachSentence(text, (from, to) => {
    for (let at = from; at < to;) {
      const end = Math.min(at + MAX_PIECE, to);
      // Half of a surrogate pair would be a word.
      const next = end < to && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
      pieces.push(text.slice(at, next));
      at = next;
    }
  });
  return pieces;
}

/** Checks whether a UTF-16 unit is the first one of a pair. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Changes whenever the same dictionary would cut otherwise. */
const VERSION = 1;

/** A compiled dictionary at work. */
export interface DictionaryMorphology extends Morphology {
  /** How many nodes of lattices were made: what the time goes by. */
  readonly nodeCount: number;
}

/** Cuts text by a compiled dictionary. */
export function dictionaryMorphology(dictionary: Dictionary): DictionaryMorphology {
  const lattice = new Lattice(dictionary);
  const compounds = new Compounds(dictionary);
  const okurigana = new OkuriganaVariants(okuriganaLexicon(dictionary));
  return {
    id: `ipadic-${VERSION}-${dictionary.facts.source}`,
    get nodeCount() {
      return lattice.nodeCount;
    },
    cut(text) {
      const morphemes: Morpheme[] = [];
      const emit = (start: number, end: number, entry: number): void => {
        const surface = text.slice(start, end);
        morphemes.push({
          start,
          end,
          surface,
          basic: dictionary.basicOf(entry, surface),
          reading: dictionary.readingOf(entry, surface),
          features: dictionary.featuresOf(entry),
        });
      };
      forEachSentence(text, (from, to) => lattice.cut(text, from, to, emit));
      return morphemes;
    },
    rewrite(text) {
      const words = rewriteIntoKana(text);
      if (words.length === 0) return okurigana.rewrite(text);
      const isFree = ({ start, end }: Rewriting): boolean =>
        words.every((word) => end <= word.start || start >= word.end);
      return [...words, ...okurigana.rewrite(text).filter(isFree)].toSorted(
        (a, b) => a.start - b.start,
      );
    },
    readings: (word) => dictionary.readingsOf(word),
    mixedSpelling: (kanji, kana) => dictionary.mixedSpelling(kanji, kana),
    hasCompound: (kanji, reading) => compounds.has(kanji, reading),
    otherCompounds: (written) => compounds.spellingsOf(written),
    compoundSpelling: (kanji, reading) => dictionary.compoundSpelling(kanji, reading),
    standardSpelling: (basic) => dictionary.standardSpelling(basic),
  };
}
