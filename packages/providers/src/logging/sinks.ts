import { type LogEntry, type LogSink, toPlain } from './create-logger.ts';
import type { LogLevel } from './logger.ts';

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * One line of text: `2026-01-31T12:00:00.000Z WARN message {"key":1}`. Characters that end lines,
 * steer terminals or turn the direction of text are escaped, so that nothing logged can pass for a
 * line of its own.
 */
export function formatLogEntry(entry: LogEntry): string {
  const hasFields = Object.keys(entry.fields).length > 0;
  const fields = hasFields ? ` ${JSON.stringify(toPlain(entry.fields))}` : '';
  return escapeControl(`${entry.time} ${entry.level.toUpperCase()} ${entry.message}${fields}`);
}

function escapeControl(line: string): string {
  return line.replaceAll(CONTROL, (character) => {
    if (character === '\n') return '\\n';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes lines to standard error, so that standard output stays the program's own. */
export function consoleSink(): LogSink {
  return (entry) => void process.stderr.write(`${formatLogEntry(entry)}\n`);
}

/** The shape of a pino logger, and of those that copy it: fields first, then the message. */
type PinoLike = {
  readonly [Level in LogLevel]: (fields: object, message: string) => void;
};

/** Hands messages to a pino logger that the application has configured. */
export function pinoSink(pino: PinoLike): LogSink {
  return (entry) => pino[entry.level](entry.fields, entry.message);
}
