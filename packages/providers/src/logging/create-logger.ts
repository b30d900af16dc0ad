import { isError } from '../errors.ts';
import { checkOptions, InputError } from '../input/check-input.ts';
import { FUNCTION, type Kinds, listOf, OBJECT, oneOf, optional } from '../input/kinds.ts';
import type { LogFields, Logger, LogLevel } from './logger.ts';

/** One message on its way to a sink. */
export interface LogEntry {
  /** When it was logged, ISO 8601 in UTC. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Where messages go. It must not throw; what it throws is swallowed, since logging is not work. */
export type LogSink = (entry: LogEntry) => void;

/** Options of {@link createLogger}. */
export interface CreateLoggerOptions {
  /**
   * The least level that is written. Default: the environment variable `VIZPROMPT_LOG`
   * (`trace`, `debug`, `info`, `warn`, `error` or `silent`), else `silent`.
   */
  readonly level?: LogLevel | 'silent' | undefined;
  /** One or several places to write to. */
  readonly sinks: readonly LogSink[];
  /** Added to the fields of every message. Default: none. */
  readonly fields?: LogFields | undefined;
  /** Default: `() => new Date()`. */
  readonly clock?: (() => Date) | undefined;
}

const ORDER: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

const KINDS: Kinds<CreateLoggerOptions> = {
  level: optional(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent')),
  sinks: listOf('functions that receive entries', FUNCTION),
  fields: optional(OBJECT),
  clock: optional(FUNCTION),
};

/**
 * Makes a logger that writes to one or several sinks.
 *
 * @throws InputError if the level, given or from `VIZPROMPT_LOG`, is none of the six words.
 *
 * @example
 * ```ts
 * const logger = createLogger({ level: 'info', sinks: [consoleSink()] });
 * logger.info('node created', { id });
 * ```
 */
export function createLogger(options: CreateLoggerOptions): Logger {
  checkOptions('createLogger', options, KINDS);
  const { sinks, fields: shared = {}, clock = () => new Date() } = options;
  const level = options.level ?? process.env['VIZPROMPT_LOG'] ?? 'silent';
  const threshold = ORDER.indexOf(level);
  if (threshold < 0) {
    throw new InputError(`VIZPROMPT_LOG: expected ${ORDER.join(', ')}, got '${level}'`);
  }

  const write = (at: LogLevel) => {
    const enabled = ORDER.indexOf(at) >= threshold;
    return (message: string, fields?: LogFields): void => {
      if (!enabled) return;
      const entry = {
        time: clock().toISOString(),
        level: at,
        message,
        fields: { ...readable(shared), ...readable(fields) },
      };
      for (const sink of sinks) {
        try {
          sink(entry);
        } catch {
          // A full disk under the log must not stop the work that is logged.
        }
      }
    };
  };

  return {
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}

/** Returns the fields as values: a getter that throws must not stop the work that is logged. */
function readable(fields: LogFields = {}): LogFields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, readField(fields, name)]));
}

const MAX_DEPTH = 16;

/**
 * Returns a value as JSON can hold it, whatever it is: a log line with half of its fields says more than none.
 * Errors become name, message, code and cause; bigints decimal text.
 */
export function toPlain(value: unknown): unknown {
  return convert(value, []);
}

/** Returns a property, or what it threw, as text. */
function readField(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return '[unreadable]';
  }
}

function convert(value: unknown, above: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[circular]';
  if (above.length >= MAX_DEPTH) return '[too deep]';
  const path = [...above, value];
  try {
    return convertObject(value, path);
  } catch {
    return '[unreadable]';
  }
}

function convertObject(value: object, path: readonly object[]): unknown {
  const toJSON = readField(value, 'toJSON');
  if (typeof toJSON === 'function') return convert(Reflect.apply(toJSON, value, []), path);
  if (Array.isArray(value)) return value.map((item: unknown) => convert(item, path));
  const names = isError(value) ? errorNames(value) : Object.keys(value);
  return Object.fromEntries(names.map((name) => [name, convert(readField(value, name), path)]));
}

function errorNames(error: Error): string[] {
  return ['name', 'message', 'code', 'cause'].filter((name) => name in error);
}
