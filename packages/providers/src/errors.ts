/** Details that every error of the SDK may carry besides its message. */
export interface ErrorDetails {
  /** The error that led to this one. */
  readonly cause?: unknown;
  /** The names, paths and values that the message speaks of, for programs. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The plain form of an error, as `CodedError.toJSON` gives it. */
export interface ErrorJson {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly cause?: string;
}

/**
 * The base of every error class in the SDK: one class a package, distinguished by `code`.
 *
 * Instances carry a global mark (`Symbol.for`), so `isInstance` of a subclass also knows errors
 * that come from another installed copy of the package, where `instanceof` fails.
 *
 * @example
 * ```ts
 * class ShopError extends CodedError<'sold-out'> {
 *   constructor(code: 'sold-out', message: string, details?: ErrorDetails) {
 *     super('ShopError', code, message, details);
 *   }
 *   static isInstance(value: unknown): value is ShopError {
 *     return hasErrorMark(value, 'ShopError');
 *   }
 * }
 * ```
 */
export abstract class CodedError<Code extends string = string> extends Error {
  /** Stable, for programs: a message may change its words, a code does not. */
  readonly code: Code;
  /** The names, paths and values that the message speaks of. */
  readonly context: Readonly<Record<string, unknown>>;

  constructor(name: string, code: Code, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = name;
    this.code = code;
    this.context = details.context ?? {};
    Object.defineProperty(this, markOf(name), { value: true });
  }

  /** Returns a plain object for logs and wire protocols; it holds no stack and no nested error objects. */
  toJSON(): ErrorJson {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      context: this.context,
      ...(this.cause === undefined ? {} : { cause: messageOf(this.cause) }),
    };
  }
}

function markOf(name: string): symbol {
  return Symbol.for(`vizprompt.error.${name}`);
}

/**
 * Checks whether a value is an error of the named class, from this or any other installed copy.
 *
 * @param value - Anything, typically what a `catch` received.
 * @param name - The class name that the error was constructed with.
 */
export function hasErrorMark(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && markOf(name) in value;
}

/** Checks whether the process, or the whole system, has no file descriptor left for one more file. */
export function isOutOfFiles(thrown: unknown): boolean {
  return isError(thrown) && 'code' in thrown && OUT_OF_FILES.has(thrown.code);
}

const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** The advice when no more files can be opened. */
export const OUT_OF_FILES_HINT =
  'raise the limit of open files (`ulimit -n 1024`), or close what holds them open';

/** Returns the message of anything that was thrown, with a hint where too many files are open. */
export function messageOf(thrown: unknown): string {
  const message = isError(thrown) ? thrown.message : String(thrown);
  return isOutOfFiles(thrown) ? `${message}; ${OUT_OF_FILES_HINT}` : message;
}

/**
 * Checks whether a value is an error of any realm: test runners such as Jest run programs in a context of their own,
 * where errors of `node:fs` are not of their `Error`.
 */
export function isError(value: unknown): value is Error {
  // oxlint-disable-next-line unicorn/no-instanceof-builtins -- the one place, which also knows those of other realms
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
