import { isRecord, type AnyKinds, type Kind, type Kinds } from './kinds.ts';
import {
  memberProblems,
  problemsOf,
  shownInstead,
  shownValue,
  unknownKeys,
  type InputProblem,
} from './problems.ts';

/** What {@link optionChecks} makes. */
export interface OptionChecks {
  /**
   * Refuses an option that nobody reads, which would leave the default in force unnoticed, and values that would
   * fail somewhere deep inside.
   *
   * @param what - Whose options, for messages.
   * @returns The options without those that are `undefined`, which are as if absent.
   */
  checkOptions<Options extends object>(
    what: string,
    given: Options,
    kinds: Kinds<Options>,
  ): Options;
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
  const refuse = (problem: InputProblem | undefined, what: string, place: string): void => {
    if (!problem) return;
    if (problem.unknown === undefined) {
      throw toError(`${place} must be ${problem.expected}, not ${shownInstead(problem)}`, { what });
    }
    const { path, unknown: key, nearest, known } = problem;
    const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
    const owner = path.length === 0 ? what : `'${path.join('.')}' of ${what}`;
    const message = `${owner} has no option '${key}': ${hint}there are ${known.join(', ')}`;
    throw toError(message, { what, key, nearest });
  };
  const assertObject = (what: string, given: unknown): void => {
    if (isRecord(given)) return;
    throw toError(`the options of ${what} must be an object, not ${shownValue(given)}`, { what });
  };
  return {
    checkOptions(what, given, kinds) {
      assertObject(what, given);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is a kind, or would not compile
      const [problem] = memberProblems(kinds as AnyKinds, given);
      refuse(problem, what, `the option '${problem?.path.join('.')}' of ${what}`);
      return withoutUndefined(given);
    },
    checkKeys(what, given, known) {
      assertObject(what, given);
      refuse(unknownKeys(known, given)[0], what, what);
    },
    checkValues(what, given, kind) {
      for (const [key, value] of Object.entries(given ?? {})) {
        const [problem] = problemsOf(kind, value, [key]);
        refuse(problem, what, `'${problem?.path.join('.')}' of ${what}`);
      }
    },
    checkArgument(what, value, kind) {
      const [problem] = problemsOf(kind, value);
      const { path = [] } = problem ?? {};
      refuse(problem, what, path.length === 0 ? what : `'${path.join('.')}' of ${what}`);
    },
  };
}

/** The same object if nothing in it is `undefined`: most calls make none anew. */
function withoutUndefined<Options extends object>(given: Options): Options {
  const entries = Object.entries(given);
  if (entries.every(([, value]) => value !== undefined)) return given;
  const present = entries.filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members that may be absent are
  return Object.fromEntries(present) as Options;
}
