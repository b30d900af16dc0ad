import type PQueue from 'p-queue';
import { TypedEvents } from '@vizprompt/providers';
import type { Kinds } from '@vizprompt/providers/config/internal';
import { chunkAnalyzer } from '../chunk/chunk.ts';
import type { Analyzer } from '../analyze/analyzer.ts';
import { LANGUAGE_KINDS, type LanguageOptions } from '../contract/language-options.ts';
import { assertOpened, checkOptions } from '../check-options.ts';
import { type Cutting, LONG_KINDS, withDefaults } from '../contract/backend-options.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';
import { checkRagListener, type RagEvents } from '../events.ts';
import { FlexIndex, FlexStore } from '../flex/flex-index.ts';
import { TermTable } from '../flex/term-table.ts';
import { WordIndex } from '../flex/word-index.ts';
import { answerQuery, type QueryLanguage } from '../search/answer-query.ts';
import { BaseBackend } from '../contract/base-backend.ts';
import { planUpdate, type DocumentChange } from '../contract/document-change.ts';
import type {
  BackendStats,
  LongOptions,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from '../contract/search-backend.ts';

/** Options of {@link KeywordFlexBackend.open}. */
export interface KeywordFlexBackendOptions extends LanguageOptions {}

const KINDS: Kinds<KeywordFlexBackendOptions> = {
  ...LANGUAGE_KINDS,
};

/**
 * An index in memory, gone with the process: for tests and for small sets, up to some thousand
 * chunks. FlexSearch finds the words; which chunk has them and how they rank is counted separately,
 * as FlexSearch gives no scores. It answers as the default index does, except that `走っ*` also finds
 * words by the form in the text.
 *
 * @example
 * ```ts
 * const backend = await KeywordFlexBackend.open({
 *   analyzer: segmenterAnalyzer(),
 *   chunking: new MarkdownChunkingStrategy(),
 * });
 * ```
 */
export class KeywordFlexBackend extends BaseBackend {
  readonly events: TypedEvents<RagEvents> = new TypedEvents<RagEvents>({ check: checkRagListener });
  protected readonly chunking: ChunkingStrategy;
  protected readonly title = 'the index in memory';
  readonly #analyzer: Analyzer;
  readonly #language: QueryLanguage;
  readonly #store: FlexStore;
  /** Searches wait now and then, and must not see what is written meanwhile. */
  readonly #tasks: PQueue;

  private constructor(
    options: Cutting<KeywordFlexBackendOptions>,
    words: WordIndex,
    tasks: PQueue,
  ) {
    super();
    assertOpened(tasks, 'add', 'KeywordFlexBackend.open()');
    const { analyzer, chunking, synonyms, thesaurus, romaji } = options;
    this.#tasks = tasks;
    this.chunking = chunking;
    this.#analyzer = analyzer;
    this.#language = { analyzer, synonyms, thesaurus, romaji };
    this.#store = new FlexStore(new TermTable(words), analyzer);
  }

  /** Loads FlexSearch. */
  static async open(options: KeywordFlexBackendOptions = {}): Promise<KeywordFlexBackend> {
    checkOptions('KeywordFlexBackend.open', options, KINDS);
    // Users of another backend do not wait for it to be loaded.
    const { default: Queue } = await import('p-queue');
    const tasks = new Queue({ concurrency: 1 });
    return new KeywordFlexBackend(await withDefaults(options), await WordIndex.open(), tasks);
  }

  stats(): Promise<BackendStats> {
    this.assertOpen();
    const { columns, documents, terms } = this.#store;
    return Promise.resolve({
      chunks: columns.size,
      documents,
      terms: terms.size,
      bytes: 0,
      analyzer: this.#analyzer.id,
    });
  }

  /** Nothing remains of deleted documents, so there is nothing to do. */
  async compact(options: LongOptions = {}): Promise<void> {
    const { signal } = checkOptions('compact', options, LONG_KINDS);
    this.assertOpen();
    signal?.throwIfAborted();
    await Promise.resolve();
  }

  protected write(changes: readonly DocumentChange[]): Promise<UpdateReport> {
    return this.#tasks.add(() => Promise.resolve(this.#apply(changes)));
  }

  protected answer(query: string, options: SearchOptions): Promise<SearchResults> {
    return this.#tasks.add(() => {
      return answerQuery(new FlexIndex(this.#store), this.#language, query, options);
    });
  }

  protected release(): Promise<void> {
    return this.#tasks.add(() => Promise.resolve());
  }

  #apply(changes: readonly DocumentChange[]): UpdateReport {
    const analyze = chunkAnalyzer(this.#analyzer);
    // All of the analysis comes first: it may fail, and then nothing is to be changed.
    const plans = changes.map((change) => {
      const plan = planUpdate(this.#store.chunksOf(change), change);
      const chunks = plan.chunks.map(({ chunk, id }) =>
        id === undefined ? { chunk, analyzed: analyze(chunk) } : { chunk, id },
      );
      return { ...plan, chunks, ref: change };
    });
    let [added, removed, kept] = [0, 0, 0];
    for (const { ref, chunks, removed: gone, ...plan } of plans) {
      this.#store.put(
        ref,
        chunks,
        gone.map(({ id }) => id),
      );
      added += plan.added;
      removed += gone.length;
      kept += plan.kept;
    }
    if (added + removed > 0) this.events.emit('index:committed', { added, removed });
    return { added, removed, kept };
  }
}
