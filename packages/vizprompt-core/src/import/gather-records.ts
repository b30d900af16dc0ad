import type { JsonObject } from '@vizprompt/providers';
import { beginsSession, isRecord } from './detect-format.ts';

/** An entry of a source, parsed or with the reason why not. */
export interface SourceEntry {
  /** Where it stands, for reports: `conversations.json, entry 3`. */
  readonly name: string;
  readonly value?: unknown;
  readonly error?: string;
  /** What was odd about the source of the entry. */
  readonly warnings?: readonly string[];
  /** Gives a file that lies beside the entry, by the path by which a node names it. */
  readonly open?: (path: string) => Promise<Uint8Array | undefined>;
}

/**
 * Makes one entry, `{ records: [...] }`, of the messages or lines of sessions among the entries of a
 * file. A line of a session that is no JSON, such as one that was being written, is a warning.
 *
 * @param name - The name of the file.
 */
export async function* gatherRecords(
  name: string,
  entries: AsyncIterable<SourceEntry> | Iterable<SourceEntry>,
): AsyncGenerator<SourceEntry> {
  let records: JsonObject[] = [];
  let warnings: string[] = [];
  for await (const entry of entries) {
    const { value, error } = entry;
    if (error !== undefined && records.length > 0) {
      warnings.push(`${entry.name}: ${error}`);
    } else if (Array.isArray(value)) {
      yield { name: entry.name, value: { records: value } };
    } else if (isRecord(value)) {
      if (beginsSession(value) && records.length > 0) {
        yield { name, value: { records }, warnings };
        [records, warnings] = [[], []];
      }
      records.push(value);
      warnings.push(...(entry.warnings ?? []));
    } else {
      yield entry;
    }
  }
  if (records.length > 0) yield { name, value: { records }, warnings };
}
