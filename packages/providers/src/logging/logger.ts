/** Details that go with a message: counts, ids, durations. Never conversation content. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The five levels, from the most to the least talkative. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** The SDK's demands on a logger: five methods, so that any logging library fits. */
export type Logger = {
  readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

function ignore(): void {}

/** The default everywhere: says nothing. */
export const silentLogger: Logger = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
};
