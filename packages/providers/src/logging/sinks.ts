import type { LogEntry, LogSink } from './create-logger.ts';
import type { LogLevel } from './logger.ts';

/** One line of text: `2026-01-31T12:00:00.000Z WARN message {"key":1}`. */
export function formatLogEntry(entry: LogEntry): string {
  const fields = Object.keys(entry.fields).length > 0 ? ` ${JSON.stringify(entry.fields)}` : '';
  return `${entry.time} ${entry.level.toUpperCase()} ${entry.message}${fields}`;
}

/** Writes lines to standard error, so that standard output stays the program's own. */
export function consoleSink(): LogSink {
  return (entry) => void process.stderr.write(`${formatLogEntry(entry)}\n`);
}

/** The shape of a pino logger, and of those that copy it: fields first, then the message. */
export type PinoLike = {
  readonly [Level in LogLevel]: (fields: object, message: string) => void;
};

/** Hands messages to a pino logger that the application has configured. */
export function pinoSink(pino: PinoLike): LogSink {
  return (entry) => pino[entry.level](entry.fields, entry.message);
}
