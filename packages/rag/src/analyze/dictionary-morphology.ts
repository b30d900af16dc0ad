import type { Dictionary } from '../dictionary/dictionary.ts';
import { Lattice } from './lattice.ts';
import type { Morpheme, Morphology } from './morpheme.ts';
import { forEachSentence } from './sentences.ts';

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
    readings: (word) => dictionary.readingsOf(word),
    standardSpelling: (basic) => dictionary.standardSpelling(basic),
  };
}
