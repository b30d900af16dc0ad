import { isRecord, type AnyKinds, type Kind } from './kinds.ts';
import { nearestName } from './nearest-name.ts';

/** Something that is wrong with a value. */
export type InputProblem = WrongValue | UnknownMember;

interface WrongValue {
  /** Where it is: names of members and numbers of items. */
  readonly path: readonly string[];
  readonly unknown?: undefined;
  /** What it must be, as in "must be …". */
  readonly expected: string;
  readonly given: unknown;
  /** The one of several texts that may be meant. */
  readonly nearest: string | undefined;
}

interface UnknownMember {
  /** Where the object is that has it. */
  readonly path: readonly string[];
  readonly unknown: string;
  readonly nearest: string | undefined;
  readonly known: readonly string[];
}

/** Finds what is wrong with a value and with what is in it, as deep as its kind says. */
export function problemsOf(
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
    return [{ path, expected: kind.expected, given: value, nearest }];
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
export function unknownKeys(
  known: readonly string[],
  given: object,
  path: readonly string[] = [],
): readonly InputProblem[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path, unknown: key, nearest: nearestName(key, known), known }));
}

/** What was given instead, in a message. */
export function shownInstead({ expected, given, nearest }: WrongValue): string {
  if (nearest !== undefined) return `${shownValue(given)}: is '${nearest}' meant?`;
  if (!Array.isArray(given) || !expected.includes('an array')) return shownValue(given);
  return given.length === 0 ? 'an empty one' : 'one that holds something else';
}

/** A value in a message: short, and without what texts say. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Uint8Array) return 'bytes: read them as text';
  if (value instanceof Promise) return 'a promise: await it';
  if (typeof value === 'object' && value !== null) return 'an object of another kind';
  return String(value);
}
