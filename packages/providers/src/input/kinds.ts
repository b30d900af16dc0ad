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
