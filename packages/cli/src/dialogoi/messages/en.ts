import { count } from '../../frame/messages/en.ts';

/** The texts of dialogoi in English. Those of another language have the same names. */
export const dialogoiEn = {
  about: 'Search over novels and notes, Japanese first.',
  data: 'the folder with config/dialogoi.config.json (default: the nearest one upwards)',
  summaries: {
    projects: 'List the projects',
    files: 'List the files of a project',
    index: 'Make the indexes, and keep them up to date with --watch',
    search: 'Search in a project',
    get: 'Print a file, lines of it, or all files of an area',
    add: 'Write a file into a project',
    eval: 'Measure how well questions are answered whose answers are known',
    dictionary: 'Compile the Japanese dictionary into a file that can be shipped',
    thesaurus:
      'Compile words that mean about the same, for questions in other words than the texts',
    mcp: 'Serve the projects to models: MCP over standard input and output, or HTTP',
  },
  settings: {
    'project-root': 'the folder of the projects (default: novels)',
    backend: 'files, or postgres for an index that several machines share (default: files)',
    database: 'its PostgreSQL; better DIALOGOI_DATABASE, which other users do not see',
    'max-tokens': 'tokens of a chunk at most (default: 400)',
    overlap: 'what a chunk repeats of the one before, 0 to 0.5 (default: 0.2)',
    chapters: 'whether lines such as 第一章 are headings in .txt (default: true)',
    'default-k': 'hits of a search (default: 10)',
    'max-k': 'hits of a search at most (default: 50)',
    romaji: 'whether toudai finds 灯台 (default: false)',
    'log-file': 'a file, ending in .log, that gets what happens as lines of JSON',
    'log-level': 'the least that is logged: debug, info (the default), warn or error',
    thesaurus: 'what dialogoi thesaurus has written (default: none)',
    'flex-profile': 'memory: indexes in this process, with less memory (default: fast)',
    vector: '"none", to search without vectors',
    'vector-enabled': 'whether there are vectors, where the settings describe them',
    'vector-provider': 'qdrant or none',
    'qdrant-url': 'such as http://localhost:6333',
    'qdrant-api-key': 'the key of Qdrant; better DIALOGOI_QDRANT_API_KEY, which no other user sees',
    'qdrant-collection': 'the collection of the vectors',
    'embedding-model': 'provider:model, such as ollama:bge-m3',
    'embedding-dimensions': 'the length of its vectors',
    'vector-gate':
      'how much of a question words must have to answer alone, 0 to 1; 1: vectors always count',
    'vector-weight': 'how much vectors count next to words, which count 1',
  },
  project: 'the project (default: that of the current folder, or the only one)',
  projects: 'projects (default: all)',
  place: 'settings, contents or instructions (default: all)',
  path: 'settings/…, contents/… or DIALOGOI.md; an area alone means all of its files',
  offset: 'how many to pass over',
  limit: 'how many at most',
  severalProjects: (ids: readonly string[]): string =>
    `there are several projects: give --project with one of ${ids.join(', ')}`,
  noProjects: (root: string): string => `there is no project in ${root}: each folder in it is one`,
  notAPlace: (path: string): string =>
    `'${path}' is in no area: begin with settings/ or contents/, or give DIALOGOI.md`,
  more: (nextOffset: number): string => `there are more: --offset ${nextOffset}`,
  degraded: (why: string): string => `searched by words only: ${why}`,
  weak: (agreed: number, questions: number): string =>
    `vectors found the best text of words first for ${agreed} of ${questions} questions, and make answers worse: ` +
    'see dialogoi eval',
  queued: (chunks: number, why: string): string =>
    `${count(chunks, 'chunk')} waiting for vectors: ${why}`,
  index: {
    watch: 'keep following the files as they change, until Ctrl+C',
    polling: 'poll for changes instead of waiting for events, as network drives need it',
    done: (
      project: string,
      {
        indexed,
        removed,
        unchanged,
        failed,
      }: Readonly<Record<'indexed' | 'removed' | 'unchanged' | 'failed', number>>,
    ): string =>
      `${project}: ${indexed} indexed, ${removed} removed, ${unchanged} unchanged, ${failed} failed`,
    failed: (files: number): string => `${count(files, 'file')} could not be indexed`,
    watching: 'watching; Ctrl+C ends it',
    indexed: (file: string): string => `indexed ${file}`,
    removed: (file: string): string => `removed ${file}`,
  },
  search: {
    query: 'what to search for; - reads it from standard input',
    area: 'only there',
    files: 'paths, folders ending in /, or globs; any of them',
    tags: 'tags that all hits have',
    limit: 'hits (default: by the settings, 10)',
    before: 'chunks before each hit that are shown, too',
    after: 'chunks after each hit that are shown, too',
    explain: 'how each score came about',
    all: 'all hits, each as it is found; with --json, as one array',
    incomplete: 'the index could not be brought up to date: newer text may be missing',
    found: (shown: number, total: number): string => `${shown} of ${total}`,
  },
  get: {
    startLine: 'from this line on, from 1',
    endLine: 'up to this line, with it',
    startColumn: 'from this character of the first line on, from 1',
    endColumn: 'up to this character of the last line (--end-line)',
    maxCharacters: 'characters at most (default: all)',
    goesOn: (path: string, line: number, column: number | undefined): string => {
      const place = column === undefined ? '' : ` --start-column ${column}`;
      return `${path} continues: --start-line ${line}${place}`;
    },
  },
  add: {
    file: 'settings/… or contents/…, ending in .md or .txt',
    content: 'the text; - reads it from standard input',
    contentFile: 'a file with the text',
    overwrite: 'replace a file that is there',
    written: (path: string, isNew: boolean): string => `${isNew ? 'created' : 'replaced'} ${path}`,
  },
  dictionary: {
    out: 'the file; VIZPROMPT_DICTIONARY names it where it is used',
    written: (file: string): string => `${file} is ready: set VIZPROMPT_DICTIONARY to its path`,
    compiling: 'the dictionary (once)',
  },
  thesaurus: {
    source:
      'sudachi, to download the synonyms of SudachiDict (Apache-2.0); or an address or a file, - for standard input',
    out: 'the file; the setting thesaurus names it',
    notice: 'the author and licence of the list, which the file keeps',
    noNotice: 'give --notice with the author and licence of the list',
    cannotLoad: (address: string, why: string): string => `cannot download ${address}: ${why}`,
    written: (
      file: string,
      { groups, words }: { readonly groups: number; readonly words: number },
    ): string =>
      `${file} is ready: ${words} words in ${groups} groups; set "thesaurus" to its path, or DIALOGOI_THESAURUS`,
  },
  eval: {
    questions:
      'JSON, an array or one on each line: {"question", "relevant": [paths or chunk ids], "group"?}; - for standard input',
    k: 'hits that are looked at (default: 10)',
    notQuestions: (place: string, why: string): string => `${place}: ${why}`,
    notOne:
      'it must be {"question": TEXT, "relevant": [one path or chunk id at least], "group"?: TEXT}',
    noQuestions: 'there are no questions',
  },
  mcp: {
    http: 'streamable HTTP instead of standard input and output',
    path: 'the path (default: /mcp)',
  },
};

/** The texts of dialogoi. */
export type DialogoiMessages = typeof dialogoiEn;
