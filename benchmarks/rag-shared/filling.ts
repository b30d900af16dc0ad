import type { Database } from '@vizprompt/providers';
import {
  type Analyzer,
  AutoChunkingStrategy,
  type ChunkingStrategy,
  SqlBackend,
  type SourceDocument,
} from '@vizprompt/rag';

/** Chunks whose words are in memory at once. */
const BATCH_CHUNKS = 10_000;

/** An analyzer that says how long it took. */
export function timedAnalyzer(analyzer: Analyzer): {
  readonly analyzer: Analyzer;
  milliseconds(): number;
  reset(): void;
} {
  let spent = 0;
  const words: Analyzer['words'] = (text) => {
    const start = performance.now();
    const found = analyzer.words(text);
    spent += performance.now() - start;
    return found;
  };
  return {
    analyzer: { ...analyzer, words },
    milliseconds: () => spent,
    reset: () => (spent = 0),
  };
}

/** Returns how many milliseconds work takes, apart from those in a timed analyzer. */
export async function timeApart(
  timed: ReturnType<typeof timedAnalyzer>,
  work: () => Promise<unknown>,
): Promise<number> {
  timed.reset();
  const start = performance.now();
  await work();
  return performance.now() - start - timed.milliseconds();
}

/**
 * Measures how many chunks a second are written if they were cut and analyzed before, some documents at a time, in tables of their
 * own.
 *
 * @param timed - Asked for what is missing, such as the words of titles; that is no part of the time.
 */
export async function writtenPerSecond(
  database: Database,
  timed: ReturnType<typeof timedAnalyzer>,
  documents: readonly SourceDocument[],
): Promise<number> {
  const chunking = new AutoChunkingStrategy();
  const cut = new Map<SourceDocument, ReturnType<ChunkingStrategy['chunk']>>();
  const known = new Map<string, ReturnType<Analyzer['words']>>();
  const { analyzer } = timed;
  const options = { database, name: 'written' };
  const backend = await SqlBackend.open({
    ...options,
    analyzer: { ...analyzer, words: (text) => known.get(text) ?? analyzer.words(text) },
    chunking: {
      id: chunking.id,
      chunk: (document, control) => cut.get(document) ?? chunking.chunk(document, control),
    },
  });
  let [milliseconds, chunks, batch] = [0, 0, 0];
  const write = async (): Promise<void> => {
    const some = [...cut.keys()];
    milliseconds += await timeApart(timed, () => backend.index(some));
    cut.clear();
    known.clear();
    [chunks, batch] = [chunks + batch, 0];
  };
  for (const document of documents) {
    const cutting = chunking.chunk(document);
    const own = await cutting;
    for (const { content } of own) known.set(content, analyzer.words(content));
    cut.set(document, cutting);
    batch += own.length;
    if (batch >= BATCH_CHUNKS) await write();
  }
  if (batch > 0) await write();
  await backend.close();
  await SqlBackend.deleteSpace(options);
  return chunks / (milliseconds / 1000);
}
