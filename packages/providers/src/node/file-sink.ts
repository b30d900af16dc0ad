import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toFileError } from '../storage/file-error.ts';
import { makeFolders } from '../storage/make-folders.ts';
import { type LogEntry, type LogSink, toPlain } from '../logging/create-logger.ts';

/** The keys of the line itself; a field of such a name is written as `fields.NAME`. */
const OWN: ReadonlySet<string> = new Set(['time', 'level', 'message']);

/**
 * Appends one JSON object a line to a file. Each line is written before the logging call returns,
 * so that the last words before a crash are there.
 *
 * @param path - The file; it is made when missing, its folders too.
 * @throws StorageError with the code `io` if the file cannot be written.
 */
export function fileSink(path: string): LogSink {
  try {
    makeFolders(dirname(path));
    appendFileSync(path, '');
  } catch (error) {
    throw toFileError(error, 'log to', path);
  }
  return (entry) => appendFileSync(path, `${JSON.stringify(lineOf(entry))}\n`);
}

function lineOf({ time, level, message, fields }: LogEntry): unknown {
  const rest = Object.entries(fields).map(([name, value]) => {
    return [OWN.has(name) ? `fields.${name}` : name, value];
  });
  return toPlain({ time, level, message, ...Object.fromEntries(rest) });
}
