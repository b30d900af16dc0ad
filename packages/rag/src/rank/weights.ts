/**
 * Every number that ranking depends on. They were tuned on one half of the questions of JSQuAD, split
 * by article; the benchmark reports the other half.
 */
export const WEIGHTS = {
  /**
   * BM25 over words: how soon more occurrences stop to matter, and how much longer chunks pay.
   *
   * Source: S. Robertson, H. Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009).
   */
  k1: 0.5,
  b: 0.75,
  /** How much a word of a query counts, by its part of speech. */
  partOfSpeech: { 名詞: 1, 動詞: 0.8, 形容詞: 0.7, 副詞: 0.7, 連体詞: 0.7, 接続詞: 0.4 },
  otherPartOfSpeech: 0.7,
  /** Words that replace others or lean on them: これ, こと, ている, what, do. */
  weakDetails: { 代名詞: 0.3, 非自立: 0.3 },
  /** A word in a title or heading, in addition to what it adds in the text. */
  title: 0.3,
  /** The weight of matches by other ways than the word itself. */
  synonym: 0.9,
  thesaurus: 0.9,
  spelling: 0.6,
  reading: 0.3,
  otherKana: 0.3,
  extra: 0.5,
  sameSound: 0.9,
  otherForm: 1,
  /** A number in digits for one in kanji. */
  digits: 0.6,
  syllables: 0.25,
  kanaRun: 0.6,
  romaji: 0.6,
  /** For each further word that an unknown word of katakana is cut into: セロ and ファン. */
  cutWord: 0.4,
  typo: 0.4,
  compoundPart: 0.3,
  insideCompound: 0.05,
  writtenPart: 0.8,
  /**
   * Words of a thesaurus count fully where the best text has less than the first share of what the words of the query
   * say, and not at all from the second on. Tuned on `benchmarks/rag/reworded/tuned.tsv` and the first half of JSQuAD.
   */
  thesaurusFull: 0.5,
  thesaurusNone: 0.8,
  /** How many of the best chunks are ranked again by the measures below. */
  rerankDepth: 24,
  /** BM25 over pairs of characters. */
  bigrams: 0.7,
  bigramK1: 0.3,
  bigramB: 0.75,
  /** The most telling words of the query within this many words of the chunk. */
  window: 1.5,
  windowWords: 20,
  /** A number or a date in the window where the question asks for one, by the rarest word there can be. */
  number: 1.5,
  date: 0.7,
  /** Words that are neighbours in the query and near each other in the chunk. */
  adjacency: 1,
  adjacencyWords: 8,
} as const;
