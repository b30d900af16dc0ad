import { appendFileSync } from 'node:fs';
import type { LogSink } from '../logging/create-logger.ts';

/**
 * Appends one JSON object a line to a file. Each line is written before the logging call returns,
 * so that the last words before a crash are there.
 *
 * @param path - The file; it is made when missing, its folder is not.
 */
export function fileSink(path: string): LogSink {
  return (entry) => {
    const { time, level, message, fields } = entry;
    appendFileSync(path, `${JSON.stringify({ time, level, message, ...fields })}\n`);
  };
}
