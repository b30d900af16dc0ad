import { isObject, isRecord, type Kind, type Kinds } from './kinds.ts';
import { nearestName } from './nearest-name.ts';

/** What {@link optionChecks} makes. */
export interface OptionChecks {
  /**
   * Refuses an option that nobody reads, which would leave the default in force unnoticed, and values that would
   * fail somewhere deep inside.
   *
   * @param what - Whose options, for messages.
   */
  checkOptions<Options extends object>(what: string, given: Options, kinds: Kinds<Options>): void;
  /** Refuses keys that nobody reads. */
  checkKeys(what: string, given: object, known: readonly string[]): void;
  /** Checks the values of a record, such as functions by their names. */
  checkValues(what: string, given: object | undefined, kind: Kind): void;
  /** @param what - For messages, such as `the query`. */
  checkArgument(what: string, value: unknown, kind: Kind): void;
}

/**
 * Checks of what plain JavaScript may pass and TypeScript would not.
 *
 * @param toError - Makes the error that is thrown; `context` has `what`, and the `key` that is not known.
 *
 * @example
 * ```ts
 * const { checkOptions } = optionChecks((message) => new TypeError(message));
 * checkOptions('open', { pth: 'a' }, { path: TEXT });
 * // TypeError: open has no option 'pth': is 'path' meant? there are path
 * ```
 */
export function optionChecks(
  toError: (message: string, context: Readonly<Record<string, unknown>>) => Error,
): OptionChecks {
  const checks: OptionChecks = {
    checkOptions(what, given, kinds) {
      checks.checkKeys(what, given, Object.keys(kinds));
      for (const [key, kind] of Object.entries<Kind>(kinds)) {
        checks.checkArgument(`the option '${key}' of ${what}`, Reflect.get(given, key), kind);
      }
    },
    checkKeys(what, given, known) {
      if (!isRecord(given)) {
        throw toError(`the options of ${what} must be an object, not ${shownValue(given)}`, {
          what,
        });
      }
      for (const key of Object.keys(given)) {
        if (known.includes(key)) continue;
        const nearest = nearestName(key, known);
        const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
        const message = `${what} has no option '${key}': ${hint}there are ${known.join(', ')}`;
        throw toError(message, { what, key, nearest });
      }
    },
    checkValues(what, given, kind) {
      for (const [key, value] of Object.entries(given ?? {})) {
        checks.checkArgument(`'${key}' of ${what}`, value, kind);
      }
    },
    checkArgument(what, value, kind) {
      if (kind.accepts(value) || (kind.isOptional === true && value === undefined)) return;
      const isOfOthers = Array.isArray(value) && kind.expected.includes('an array');
      const given = isOfOthers ? 'one that holds something else' : shownValue(value);
      throw toError(`${what} must be ${kind.expected}, not ${given}`, { what });
    },
  };
  return checks;
}

/** A value in a message: short, and without what texts say. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Uint8Array) return 'bytes: read them as text';
  if (value instanceof Promise) return 'a promise: await it';
  if (isObject(value)) return 'an object of another kind';
  return String(value);
}
