import type { Dictionary } from './dictionary.ts';
import type { OkuriganaLexicon } from './okurigana-variants.ts';

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
