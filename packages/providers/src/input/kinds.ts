import { nearestName } from './nearest-name.ts';

/** Part of a JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The description of a value for its users. */
export interface Description {
  /** For commands, tools and API documents: a phrase that begins with a capital letter, without a final stop. */
  readonly en?: string | undefined;
  /** The same for commands in Japanese. */
  readonly ja?: string | undefined;
  /** Used where the value is absent. Servers and tools pass it on. */
  readonly default?: unknown;
  /** How a command reads it: a point in time that may be local, a path relative to the current folder. */
  readonly reads?: 'time' | 'path';
  /** True if only code may give it: no server, tool or command takes it. */
  readonly isCodeOnly?: boolean;
}

/**
 * The requirement on a value: its check, and its description. `Value` is the TypeScript type, so that a
 * description and the type that it describes cannot differ; `never` fits all types, for values that are checked by a few members.
 */
export interface Kind<out Value = unknown> extends Description {
  /** As in "must be …". */
  readonly expected: string;
  readonly isOptional?: boolean;
  accepts(value: unknown): boolean;
  /** Its JSON Schema, without that of its members; absent for values that JSON cannot hold. */
  readonly json?: JsonSchema;
  /** The kind of a value that comes over a wire, where servers are stricter than code. */
  readonly onWire?: Kind;
  /** The members of an object. No others are accepted. */
  readonly members?: AnyKinds;
  /** The kind of the items of an array. */
  readonly items?: Kind;
  /** The kinds of a value that may have several. */
  readonly choices?: readonly Kind[];
  /** There is none: it only carries the type. */
  readonly '~value'?: Value;
}

/** A value that may be absent. */
export interface OptionalKind<out Value = unknown> extends Kind<Value> {
  readonly isOptional: true;
}

/** Kinds by the names of members. */
export type AnyKinds = Readonly<Record<string, Kind>>;

/**
 * The kind of each option; all options are named, so that one that is not is mistyped. A member that is optional in
 * the type is optional here, and takes `undefined`.
 */
export type Kinds<Options extends object> = {
  readonly [Key in keyof Options]-?: object extends Pick<Options, Key>
    ? undefined extends Required<Pick<Options, Key>>[Key]
      ? OptionalKind<Exclude<Options[Key], undefined>>
      : 'add "| undefined" to the type of this member'
    : Kind<Options[Key]>;
};

/** Checked where it is read. */
export const ANYTHING: OptionalKind<never> = {
  expected: 'anything',
  isOptional: true,
  accepts: () => true,
};
export const TEXT: Kind<string> = {
  expected: 'a string',
  accepts: (value) => typeof value === 'string',
  json: { type: 'string' },
};
export const NONEMPTY: Kind<string> = {
  expected: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
  json: { type: 'string', minLength: 1 },
};
export const FLAG: Kind<boolean> = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  json: { type: 'boolean' },
};
export const NUMBER: Kind<number> = {
  expected: 'a number',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
  json: { type: 'number' },
};
/** Times in milliseconds, sizes. */
export const AMOUNT: Kind<number> = {
  expected: 'a number from 0',
  accepts: (value) => typeof value === 'number' && value >= 0,
  json: { type: 'number', minimum: 0 },
};
/** How many, none as well. */
export const COUNT: Kind<number> = wholeFrom(0);
/** How many at least one. */
export const POSITIVE: Kind<number> = wholeFrom(1);
/** How many at a time, or without a limit. */
export const AT_A_TIME: Kind<number> = {
  ...wholeFrom(1),
  accepts: (value) => value === Infinity || POSITIVE.accepts(value),
};
export const FUNCTION: Kind<never> = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const ARRAY: Kind<never> = {
  expected: 'an array',
  accepts: (value) => Array.isArray(value),
};
export const TEXTS: Kind<readonly string[]> = listOf('strings', TEXT);
export const OBJECT: Kind<never> = {
  expected: 'an object',
  accepts: isRecord,
  json: { type: 'object' },
};
export const SIGNAL: Kind<AbortSignal> = having('an AbortSignal', 'aborted', 'addEventListener');
export const LOGGER: Kind<never> = having('a Logger, such as createLogger()', 'warn', 'error');

/** Returns a whole number in these borders. */
export function wholeFrom(least: number, most?: number): Kind<number> {
  return {
    expected: `a whole number from ${least}${most === undefined ? '' : ` to ${most}`}`,
    accepts: (value) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= (most ?? Infinity),
    json: { type: 'integer', minimum: least, ...(most === undefined ? {} : { maximum: most }) },
  };
}

/** Returns a text of this many UTF-16 code units. */
export function textOf(least: number, most: number): Kind<string> {
  return {
    expected: `a string of ${least} to ${most} characters`,
    accepts: (value) => typeof value === 'string' && value.length >= least && value.length <= most,
    json: { type: 'string', minLength: least, maxLength: most },
  };
}

/** Returns an object with these members, which are enough to distinguish it from what is passed by mistake. */
export function having(expected: string, ...members: readonly string[]): Kind<never> {
  return {
    expected,
    accepts: (value) => isObject(value) && members.every((member) => member in value),
  };
}

/** Returns an object with these members and no others. */
export function objectOf<Value extends object>(
  members: Kinds<Value>,
  expected = 'an object',
): Kind<Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is a kind, or would not compile
  return { ...OBJECT, expected, members: members as AnyKinds };
}

/** One of these texts. */
export function oneOf<const Value extends string>(...values: readonly Value[]): Kind<Value> {
  return {
    expected: values.map((value) => `'${value}'`).join(' or '),
    accepts: (value) => values.some((one) => one === value),
    json: { type: 'string', enum: values },
  };
}

/**
 * Returns an array of this many values.
 *
 * @param expected - In the plural, as in "an array of …".
 */
export function listOf<Value>(
  expected: string,
  kind: Kind<Value>,
  least = 0,
  most: number = Infinity,
): Kind<readonly Value[]> {
  return {
    expected: `an array of ${expected}`,
    accepts: (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      value.length <= most &&
      value.every((one) => kind.accepts(one)),
    json: {
      type: 'array',
      ...(least === 0 ? {} : { minItems: least }),
      ...(most === Infinity ? {} : { maxItems: most }),
    },
    items: kind,
  };
}

/** One, or an array of some. JSON gives an array. */
export function oneOrMore<Value>(
  expected: string,
  kind: Kind<Value>,
): Kind<Value | readonly Value[]> {
  const list = listOf(expected, kind, 1);
  return {
    ...list,
    expected: `${kind.expected}, or ${list.expected}`,
    accepts: (value) => kind.accepts(value) || list.accepts(value),
  };
}

/** JSON Schema has nothing about kinds that JSON cannot hold. */
export function either<First, Second>(
  first: Kind<First>,
  second: Kind<Second>,
): Kind<First | Second> {
  return {
    expected: `${first.expected}, or ${second.expected}`,
    accepts: (value) => first.accepts(value) || second.accepts(value),
    choices: [first, second],
  };
}

export function orNull<Value>(kind: Kind<Value>): Kind<Value | null> {
  return either(kind, NULL);
}

const NULL: Kind<null> = {
  expected: 'null',
  accepts: (value) => value === null,
  json: { type: 'null' },
};

/** Returns the same, with what is said of it here. */
export function described<Value>(kind: Kind<Value>, description: Description): Kind<Value> {
  return { ...kind, ...description };
}

export function optional<Value>(
  kind: Kind<Value>,
  description: Description = {},
): OptionalKind<Value> {
  return { ...kind, ...description, isOptional: true };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Checks whether a value is a typed array of this name, of any realm: a test of Jest has classes of its own. */
export function isTypedArray(value: unknown, name: string): boolean {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${name}]`;
}

/** An object of keys and values, and no promise without an await. */
export function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && !(value instanceof Promise);
}

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
