import { type AnyKinds, FUNCTION, type Kind, type Kinds, isRecord, oneOf, TEXT } from './kinds.ts';
import { nearestName } from './nearest-name.ts';

/** The name of each event; one that is missing does not compile. */
type EventNames<Events extends object> = Readonly<Record<keyof Events & string, true>>;

/** The checks that {@link optionChecks} makes. */
export interface OptionChecks {
  /**
   * Refuses an unknown option, which would leave the default in force unnoticed, and values that would
   * fail somewhere deep inside.
   *
   * @param what - The owner of the options, for messages.
   * @returns The options without those that are `undefined`, which are as if absent.
   */
  checkOptions<Options extends object>(
    what: string,
    given: Options,
    kinds: Kinds<Options>,
  ): Options;
  /** Refuses unknown keys. */
  checkKeys(what: string, given: object, known: readonly string[]): void;
  /** Checks the values of a record, such as functions by their names. */
  checkValues(what: string, given: object | undefined, kind: Kind): void;
  /** @param what - For messages, such as `the query`. */
  checkArgument(what: string, value: unknown, kind: Kind): void;
  /**
   * Refuses `new Store()` of a class that is opened by a function.
   *
   * @param opened - The last argument of the constructor, which only the function has.
   * @param part - The name of a member that it has.
   * @param call - How such an object is made, as in `MemoryStore.open({ path })`.
   */
  assertOpened(opened: unknown, part: string, call: string): void;
  /** Returns a check of the arguments of `on`, as `TypedEvents` takes it. */
  listenerCheck<Events extends object>(names: EventNames<Events>): ListenerCheck;
}

/** Refuses names of events that do not exist, and listeners that are no functions. */
export type ListenerCheck = (name: unknown, listener: unknown) => void;

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
      throw toError(`${place}: expected ${problem.expected}, got ${shownInstead(problem)}`, {
        what,
      });
    }
    const { path, unknown: key, nearest, known } = problem;
    const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
    const owner = path.length === 0 ? what : `'${path.join('.')}' of ${what}`;
    const message = `${owner} has no option '${key}': ${hint}there are ${known.join(', ')}`;
    throw toError(message, { what, key, nearest });
  };
  const assertObject = (what: string, given: unknown, members: readonly string[]): void => {
    if (isRecord(given)) return;
    const expected = `an object${exampleOf(members, given)}`;
    throw toError(`the options of ${what}: expected ${expected}, got ${shownValue(given)}`, {
      what,
    });
  };
  const checkArgument: OptionChecks['checkArgument'] = (what, value, kind) => {
    const [problem] = problemsOf(kind, value);
    const { path = [] } = problem ?? {};
    refuse(problem, what, path.length === 0 ? what : `'${path.join('.')}' of ${what}`);
  };
  return {
    checkOptions(what, given, kinds) {
      assertObject(what, given, Object.keys(kinds));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is a kind, or would not compile
      const [problem] = memberProblems(kinds as AnyKinds, given);
      refuse(problem, what, `the option '${problem?.path.join('.')}' of ${what}`);
      return withoutUndefined(given);
    },
    checkKeys(what, given, known) {
      assertObject(what, given, known);
      refuse(unknownKeys(known, given)[0], what, what);
    },
    checkValues(what, given, kind) {
      for (const [key, value] of Object.entries(given ?? {})) {
        const [problem] = problemsOf(kind, value, [key]);
        refuse(problem, what, `'${problem?.path.join('.')}' of ${what}`);
      }
    },
    checkArgument,
    assertOpened(opened, part, call) {
      if (isRecord(opened) && part in opened) return;
      const name = call.slice(0, call.indexOf('.'));
      throw toError(`${name} has no public constructor: call 'await ${call}'`, { what: name });
    },
    listenerCheck(names) {
      const known = oneOf(...Object.keys(names));
      return (name, listener) => {
        checkArgument('the name of an event', name, known);
        checkArgument(`the listener of '${String(name)}'`, listener, FUNCTION);
      };
    },
  };
}

/** The members that are meant by a string instead of an object, the likeliest first. */
const MAIN_MEMBERS = [
  'prompt',
  'query',
  'text',
  'path',
  'folder',
  'projectRoot',
  'files',
  'workspace',
  'event',
  'format',
  'name',
  'model',
];

/** Shows how an object is given where a string came instead. */
function exampleOf(members: readonly string[], given: unknown): string {
  const main = MAIN_MEMBERS.find((member) => members.includes(member));
  return typeof given === 'string' && main !== undefined ? ` such as { ${main}: '…' }` : '';
}

/** Returns the same object if nothing in it is `undefined`: most calls make none again. */
function withoutUndefined<Options extends object>(given: Options): Options {
  const entries = Object.entries(given);
  if (entries.every(([, value]) => value !== undefined)) return given;
  const present = entries.filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members that may be absent are
  return Object.fromEntries(present) as Options;
}

/** Something that is wrong with a value. */
export type InputProblem = WrongValue | UnknownMember;

interface WrongValue {
  /** The path of the value: names of members and numbers of items. */
  readonly path: readonly string[];
  readonly unknown?: undefined;
  /** The expected value, as in "must be …". */
  readonly expected: string;
  readonly given: unknown;
  /** The one of several texts that may be meant. */
  readonly nearest: string | undefined;
}

interface UnknownMember {
  /** The path of the object that contains the member. */
  readonly path: readonly string[];
  readonly unknown: string;
  readonly nearest: string | undefined;
  readonly known: readonly string[];
}

/** Finds what is wrong with a value and with what is in it, as deep as its kind says. */
function problemsOf(
  kind: Kind,
  value: unknown,
  path: readonly string[] = [],
): readonly InputProblem[] {
  if (value === undefined && kind.isOptional === true) return [];
  if (!kind.accepts(value)) {
    const { enum: choices } = kind.json ?? {};
    const nearest =
      typeof value === 'string' && Array.isArray(choices)
        ? nearestName(value, choices.map(String))
        : undefined;
    const example = exampleOf(Object.keys(kind.members ?? {}), value);
    return [{ path, expected: `${kind.expected}${example}`, given: value, nearest }];
  }
  const { members, items, choices } = kind;
  if (members && isRecord(value)) return memberProblems(members, value, path);
  if (items && Array.isArray(value)) {
    return value.flatMap((item, at) => problemsOf(items, item, [...path, String(at)]));
  }
  const choice = choices?.find((one) => one.accepts(value));
  return choice ? problemsOf(choice, value, path) : [];
}

/** Finds what is wrong with the members of an object, those that are not known first. */
export function memberProblems(
  members: AnyKinds,
  given: object,
  path: readonly string[] = [],
): readonly InputProblem[] {
  return [
    ...unknownKeys(Object.keys(members), given, path),
    ...Object.entries(members).flatMap(([key, kind]) =>
      problemsOf(kind, Reflect.get(given, key), [...path, key]),
    ),
  ];
}

/** Finds members that are given and not known. */
function unknownKeys(
  known: readonly string[],
  given: object,
  path: readonly string[] = [],
): readonly InputProblem[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path, unknown: key, nearest: nearestName(key, known), known }));
}

/** Describes the given value for a message. */
export function shownInstead({ expected, given, nearest }: WrongValue): string {
  if (nearest !== undefined) return `${shownValue(given)}: is '${nearest}' meant?`;
  if (expected === TEXT.expected && isRecord(given)) return shownInsteadOfText(given);
  if (!Array.isArray(given) || !expected.includes('an array')) return shownValue(given);
  return given.length === 0 ? 'an empty one' : 'one that holds something else';
}

/** Describes an object where a string is expected: often the one that has the string as its id. */
function shownInsteadOfText(given: object): string {
  if (given instanceof Date) return 'a Date: pass its toISOString()';
  const hasId = typeof Reflect.get(given, 'id') === 'string';
  return hasId ? "an object: is its 'id' meant?" : shownValue(given);
}

/** Returns a value in a message: short, and without what texts say. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a string' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Uint8Array) return 'bytes: read them as text';
  if (value instanceof Promise) return 'a promise: await it';
  if (typeof value === 'object' && value !== null) return 'an object of another kind';
  return String(value);
}
