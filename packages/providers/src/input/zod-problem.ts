import { nearestName } from './nearest-name.ts';
import { shownValue } from './kinds.ts';

/** The part of an issue of zod 4 that its sentence needs. */
interface RawIssue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  /** The type, as zod names it. */
  readonly expected?: unknown;
  readonly values?: readonly unknown[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: boolean | undefined;
  readonly format?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  /** The member that chooses an alternative of a union, and its values. */
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
  /** The issues of each alternative of a union. */
  readonly errors?:
    | readonly (readonly { readonly path: readonly PropertyKey[]; readonly message: string }[])[]
    | undefined;
}

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['url', 'an address, such as https://example.com'],
  ['datetime', 'a time, such as 2026-01-31T12:00:00Z'],
  ['safeint', 'a whole number'],
]);

/**
 * Words an issue of zod as all errors are worded: `expected X, got Y`. It is the `error` of a `safeParse`, and messages
 * that a schema has of its own stay.
 *
 * @example
 * ```ts
 * const result = schema.safeParse(value, { error: zodProblem });
 * ```
 */
export function zodProblem(issue: RawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    return `there is no ${(issue.keys ?? []).map((key) => `'${key}'`).join(', ')}`;
  }
  if (issue.discriminator !== undefined) return choiceProblem(issue, issue.discriminator);
  const expected = expectedBy(issue);
  return expected === undefined ? undefined : `expected ${expected}, got ${gotBy(issue)}`;
}

/** Words the issue of a union that chooses by a member, whose value is none of those that there are. */
function choiceProblem({ input, options }: RawIssue, member: string): string | undefined {
  if (!options || typeof input !== 'object' || input === null) return undefined;
  const value: unknown = Object.hasOwn(input, member) ? Reflect.get(input, member) : undefined;
  return zodProblem({ code: 'invalid_value', values: options, input: value });
}

function gotBy({ input, values }: RawIssue): string {
  if (input === undefined) return 'nothing';
  const nearest =
    typeof input === 'string' ? nearestName(input, (values ?? []).map(String)) : undefined;
  return `${shownValue(input)}${nearest === undefined ? '' : `: is '${nearest}' meant?`}`;
}

function expectedBy(issue: RawIssue): string | undefined {
  const { code, expected, format, values = [] } = issue;
  if (code === 'invalid_type') return TYPES.get(expected) ?? String(expected);
  if (code === 'invalid_value') return values.map((value) => shownChoice(value)).join(' or ');
  if (code === 'too_small') return sizeOf(issue, issue.minimum, true);
  if (code === 'too_big') return sizeOf(issue, issue.maximum, false);
  if (code === 'invalid_format') return FORMATS.get(format);
  if (code === 'invalid_union') return alternativesOf(issue);
  return undefined;
}

function shownChoice(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function sizeOf(
  { origin, inclusive = true, input }: RawIssue,
  given: unknown,
  isLeast: boolean,
): string {
  const limit = String(given);
  const most = isLeast ? 'at least' : 'at most';
  if (origin === 'string') {
    return isLeast && limit === '1'
      ? 'a string that is not empty'
      : `a string of ${most} ${limit} characters`;
  }
  if (origin === 'array' || origin === 'set' || Array.isArray(input)) {
    return isLeast && limit === '1'
      ? 'an array that is not empty'
      : `an array of ${most} ${limit} items`;
  }
  const kind = origin === 'int' ? 'a whole number' : 'a number';
  if (isLeast) return `${kind} ${inclusive ? 'from' : 'above'} ${limit}`;
  return `${kind} ${inclusive ? 'up to' : 'below'} ${limit}`;
}

/** Joins the expectations of alternatives that differ in the type of the value itself. */
function alternativesOf({ errors = [] }: RawIssue): string | undefined {
  if (errors.length === 0) return undefined;
  const expected = errors.map(([first, ...others]) =>
    first && first.path.length === 0 && others.length === 0
      ? /^expected (.*?), got /s.exec(first.message)?.[1]
      : undefined,
  );
  const known = expected.filter((one) => one !== undefined);
  return known.length > 0 && known.length === errors.length
    ? [...new Set(known)].join(', or ')
    : 'another form';
}
