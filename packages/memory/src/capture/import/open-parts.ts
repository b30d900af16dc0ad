import type { RedactOptions } from '@vizprompt/providers';
import { memoryAnalyzer } from '../../indexing/memory-analyzer.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import type { FoundFile } from './find-files.ts';
import type { ReadFileOptions } from './read-file.ts';
import { ReadParts } from './read-parts.ts';
import type { TranscriptParts } from './transcript-parts.ts';
import { WorkerParts } from './worker-parts.ts';

/** Fewer bytes are read before a thread has started. */
const THREAD_FROM = 4 << 20;

/** Begins to read files: many bytes in a thread of its own, where that is possible. */
export async function openParts(
  files: readonly FoundFile[],
  { agent, closed, signal }: ReadFileOptions,
  { redact, maxContentBytes, analyzer }: MemoryContext,
): Promise<TranscriptParts> {
  const options = { ...(agent ? { agent } : {}), ...(closed === undefined ? {} : { closed }) };
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  // An analyser of somebody's own is code, which cannot be sent.
  const isSent = bytes >= THREAD_FROM && analyzer === memoryAnalyzer();
  const sent = isSent ? sentRedaction(redact) : undefined;
  if (sent !== undefined) {
    const task = { files, options, redact: sent, maxContentBytes };
    const parts = await WorkerParts.start(task, signal);
    if (parts) return parts;
  }
  const own = { ...options, ...(signal ? { signal } : {}) };
  return new ReadParts(files, own, { redact, maxContentBytes, analyzer });
}

/** Changes of the default rules, as another thread can have them; nothing if a rule is more than its data. */
function sentRedaction(redact: RedactOptions | false): RedactOptions | false | undefined {
  if (redact === false) return false;
  const { rules = {}, entropy } = redact;
  const { add = [], remove = [] } = 'add' in rules || 'remove' in rules ? rules : {};
  if (!add.every(({ pattern, accepts }) => isPlain(pattern) && accepts === undefined))
    return undefined;
  return { rules: { add, remove }, ...(entropy === undefined ? {} : { entropy }) };
}

/** A pattern that finds in a way of its own would be a plain one in another thread. */
function isPlain(pattern: RegExp): boolean {
  const keys = Reflect.ownKeys(pattern);
  return (
    Object.getPrototypeOf(pattern) === RegExp.prototype && keys.every((key) => key === 'lastIndex')
  );
}
