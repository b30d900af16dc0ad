import type { Column, Row, Table } from '../page/table.ts';

const PEERS = ['fts5_unicode61', 'fts5_trigram', 'fts5_words', 'flexsearch', 'minisearch', 'orama'];
const eachPeer = (figures: string): readonly Column[] =>
  PEERS.map((peer) => ({ head: `\`${peer}\``, figures: figures.replace('PEER', peer) }));

const relevance: Table = {
  name: 'rag-relevance',
  rows: [
    { name: 'questions', what: 'of the half that nothing was tuned on' },
    {
      name: 'hit_at_1',
      what: 'the share of questions whose paragraph comes first',
      wanted: { atLeast: 0.93 },
    },
    { name: 'hit_at_10', what: '… is among the first ten', wanted: { atLeast: 0.985 } },
    { name: 'mrr_at_10', what: 'the mean of 1 / its place', wanted: { atLeast: 0.95 } },
    { name: 'ndcg_at_10', what: 'the mean of 1 / log₂(1 + its place)' },
    { name: 'zero_results', what: 'questions that find nothing at all', wanted: { atMost: 0 } },
    { name: 'tuned_hit_at_1', what: 'the same on the half that was tuned on' },
    { name: 'tuned_hit_at_10', what: '' },
    { name: 'tuned_mrr_at_10', what: '' },
    { name: 'best_baseline', what: 'the peer with the highest `mrr_at_10`' },
    { name: 'mrr_over_best', what: 'the difference to it' },
    {
      name: 'mrr_over_best_low',
      what: 'its 95 % interval, by a paired bootstrap over questions',
      wanted: { atLeast: 0 },
    },
    { name: 'mrr_over_best_high', what: '' },
    {
      name: 'mrr_over_best_by_article_low',
      what: 'the same, drawing whole articles, whose questions are not independent',
    },
    { name: 'mrr_over_best_by_article_high', what: '' },
  ],
};

const QUALITY: readonly Row[] = [
  { name: 'hit_at_1', what: 'the paragraph comes first' },
  { name: 'hit_at_10', what: 'it is among the first ten' },
  { name: 'mrr_at_10', what: 'the mean of 1 / its place' },
  { name: 'ndcg_at_10', what: 'the mean of 1 / log₂(1 + its place)' },
  { name: 'zero_results', what: 'questions that find nothing at all' },
];

const reworded: Table = {
  name: 'rag-reworded',
  rows: [
    { name: 'reworded_questions', what: 'about novels, in other words than theirs' },
    { name: 'reworded_chunks', what: 'the passages among which the answer is' },
    { name: 'reworded_hit_at_10_words', what: 'the answer is among the first ten, by words alone' },
    { name: 'reworded_hit_at_10_thesaurus', what: 'the same with the synonyms of SudachiDict' },
    { name: 'reworded_times', what: 'how many times as many', wanted: { atLeast: 2 } },
    { name: 'reworded_hit_at_1_words', what: 'it comes first, by words alone' },
    { name: 'reworded_hit_at_1_thesaurus', what: '' },
    {
      name: 'thesaurus_points',
      what: 'what they change of `hit_at_1` over paragraphs, in points',
      wanted: { atLeast: -0.25 },
    },
    { name: 'thesaurus_points_low', what: 'its 95 % interval, drawing whole articles' },
    { name: 'thesaurus_points_high', what: '' },
    {
      name: 'reworded_open_ms',
      what: 'opening the compiled list',
      unit: 'ms',
      wanted: { atMost: 30 },
    },
  ],
};

const english: Table = {
  name: 'rag-english',
  rows: [
    {
      name: 'english_recall_at_10',
      what: 'turns of conversations in English that hold the evidence of a question, each conversation its own index',
    },
    { name: 'english_mrr_at_10', what: '' },
    {
      name: 'english_over_porter',
      what: 'the recall, by that of FTS5 with `porter unicode61`',
      wanted: { atLeast: 1 },
    },
    { name: 'english_mrr_over_porter', what: 'the MRR likewise', wanted: { atLeast: 1 } },
  ],
};

const speed: Table = {
  name: 'rag-speed',
  rows: [
    { name: 'chunks', what: 'pieces of works' },
    { name: 'texts', what: 'the works' },
    { name: 'characters', what: 'of all works' },
    { name: 'index_s', what: '`index` of all works', unit: 's', wanted: { atMost: 90 } },
    { name: 'index_close_s', what: 'what then still ran in the background', unit: 's' },
    {
      name: 'index_peak_mb',
      what: 'resident memory of both processes, added up every 10 ms (Linux)',
      unit: 'MB',
      wanted: { atMost: 400 },
    },
    { name: 'index_mb', what: 'all files of the index', unit: 'MB', wanted: { atMost: 40 } },
    {
      name: 'cold_start_ms',
      what: 'import, open, first answer; the median of five processes, files in the cache of the system',
      unit: 'ms',
      wanted: { atMost: 300 },
    },
    { name: 'cold_start_max_ms', what: 'the slowest of them', unit: 'ms' },
    { name: 'cold_start_open_ms', what: 'of it, until the index is open', unit: 'ms' },
    { name: 'cold_start_with_node_ms', what: 'the whole with the start of Node', unit: 'ms' },
    {
      name: 'search_p50_ms',
      what: 'each of 1,000 queries once, after 500 others, ten hits: the median of five processes',
      unit: 'ms',
    },
    { name: 'search_p95_ms', what: '', unit: 'ms', wanted: { atMost: 5 } },
    { name: 'search_p95_best_ms', what: 'in the fastest of them', unit: 'ms' },
    { name: 'search_p95_worst_ms', what: 'in the slowest of them', unit: 'ms' },
    { name: 'search_p99_ms', what: '', unit: 'ms' },
    { name: 'search_sentences_p95_ms', what: 'sentences', unit: 'ms' },
    { name: 'search_words_p95_ms', what: 'words', unit: 'ms' },
    {
      name: 'search_first_p95_ms',
      what: 'of the 500 before, the first of the process, while V8 still compiles',
      unit: 'ms',
    },
    {
      name: 'search_cpu_ms',
      what: 'the processor time of a query, the mean: moves less than times by the clock',
      unit: 'ms',
    },
    {
      name: 'update_p50_ms',
      what: 'a file of 13,000 characters, changed in one place, 200 times',
      unit: 'ms',
    },
    { name: 'update_p95_ms', what: '', unit: 'ms', wanted: { atMost: 50 } },
    { name: 'update_chunks', what: 'chunks that such a change analyses, the median' },
    {
      name: 'rss_mb',
      what: 'above Node itself, after gc and some seconds of rest: the median of five processes',
      unit: 'MB',
      wanted: { atMost: 50 },
    },
    { name: 'rss_max_mb', what: 'the most of them', unit: 'MB' },
    { name: 'rss_node_mb', what: 'Node itself', unit: 'MB' },
    {
      name: 'rss_busy_mb',
      what: 'right after the last query: with up to 33 MB of room that V8 makes for new objects, and gives back at rest',
      unit: 'MB',
    },
    {
      name: 'noise_pct',
      what: 'the spread of a loop that always does the same, timed all over the run',
      unit: '%',
    },
  ],
};

const analyzer: Table = {
  name: 'rag-analyzer',
  rows: [
    { name: 'dictionary_compile_s', what: 'making the dictionary, once on a machine', unit: 's' },
    { name: 'dictionary_compile_peak_mb', what: 'memory of that at most', unit: 'MB' },
    { name: 'dictionary_mb', what: 'its file', unit: 'MB', wanted: { atMost: 20 } },
    { name: 'analyzer_load_ms', what: 'opening it in a new process', unit: 'ms' },
    { name: 'analyzer_chars_per_s', what: 'characters cut into words a second' },
    {
      name: 'analyzer_speed_over_kuromojin',
      what: 'how many times as fast as kuromojin, on the same texts',
    },
    {
      name: 'analyzer_equal_pct',
      what: 'tokens of kuromojin that ours has too, with the same place, basic form, reading and part of speech',
      unit: '%',
      wanted: { atLeast: 99.9 },
    },
    {
      name: 'analyzer_equal_texts_pct',
      what: 'beginnings of works, 2,000 characters each, without any difference',
      unit: '%',
    },
    {
      name: 'analyzer_linear_ratio',
      what: '100,000 characters without punctuation, by ten times 10,000: 1 if it is linear',
    },
  ],
};

export const ragTables: readonly Table[] = [
  relevance,
  {
    name: 'rag-relevance-peers',
    columns: [{ head: 'ours', figures: '*' }, ...eachPeer('*_PEER')],
    rows: QUALITY,
  },
  reworded,
  english,
  speed,
  {
    name: 'rag-peers',
    columns: eachPeer('*_over_PEER'),
    rows: [
      { name: 'index_time', what: 'to index' },
      { name: 'index_size', what: 'on the disk' },
      { name: 'search_p50', what: 'a search' },
      { name: 'search_p95', what: '' },
      { name: 'rss', what: 'memory after searching' },
    ],
  },
  analyzer,
];
