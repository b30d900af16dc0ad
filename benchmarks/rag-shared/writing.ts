import type { Database } from '@vizprompt/providers';
import { type Analyzer, SqlBackend } from '@vizprompt/rag';
import { median, percentile, round, type Figures } from '../figures.ts';

const DOCUMENTS = 100;
/** Characters of a document of some five chunks. */
const LENGTH = 1800;
const WRITERS = 4;

/** How long documents of five chunks take, and what four writers at once lose. */
export async function measureWriting(
  database: Database,
  analyzer: Analyzer,
  texts: readonly string[],
): Promise<Figures> {
  let [calls, attempts] = [0, 0];
  const transaction: Database['transaction'] = (work, options) => {
    calls++;
    return database.transaction((tx) => {
      attempts++;
      return work(tx);
    }, options);
  };
  const counted = { ...database, transaction };
  const open = (): Promise<SqlBackend> => SqlBackend.open({ database: counted, analyzer });
  const first = await open();
  const writers = [first];
  while (writers.length < WRITERS) writers.push(await open());
  const write = async (writer: SqlBackend, number: number): Promise<number> => {
    const text = (texts[number % texts.length] ?? '').slice(2000, 2000 + LENGTH);
    const start = performance.now();
    await writer.updateFile({ novelId: 'new', filePath: `${number}.txt`, text });
    return performance.now() - start;
  };
  const times: number[] = [];
  for (let number = 0; number < DOCUMENTS; number++) times.push(await write(first, number));
  [calls, attempts] = [0, 0];
  await Promise.all(
    writers.map(async (writer, at) => {
      for (let number = 0; number < 20; number++) await write(writer, 1000 * (at + 1) + number);
    }),
  );
  const lost = attempts - calls;
  for (const writer of writers) await writer.close();
  return {
    document_p50_ms: round(median(times)),
    document_p95_ms: round(percentile(times, 0.95)),
    lost_attempts: lost,
  };
}
