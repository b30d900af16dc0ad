import { nearestName } from '@vizprompt/providers/config';
import { z } from 'zod';
import type { Finding, Path, Source } from '../problems/finding.ts';
import { valueAt } from '../problems/locate.ts';
import { fileSchema } from './file-schema.ts';
import { zodProblem } from '@vizprompt/providers/config/internal';

type Issue = z.core.$ZodIssue;
type Found = Omit<Finding, 'source'>;

/** Finds mistakes in the structure of a file. */
export function structureFindings(source: Source): readonly Finding[] {
  const { error } = fileSchema.safeParse(source.value, { error: zodProblem });
  return (error?.issues ?? [])
    .flatMap((issue) => findingsOf(source, issue, []))
    .map((found) => ({ ...found, source }));
}

function findingsOf(source: Source, issue: Issue, before: Path): readonly Found[] {
  const path = [
    ...before,
    ...issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
  ];
  const value = valueAt(source.value, path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownKeys(fileSchema, source.value, path);
      return issue.keys.map((name) => ({
        code: 'unknown-key',
        path: [...path, name],
        isKey: true,
        words: { name },
        known,
        nearest: nearestName(name, known),
      }));
    }
    case 'invalid_type':
      return [wrongType(path, value, issue.expected)];
    case 'invalid_union':
      return unionFindings(source, issue, path, value);
    case 'invalid_value':
      return [notOneOf(path, value, issue.values.map(String))];
    case 'too_small': {
      const isNumber = typeof value === 'number';
      return isNumber
        ? [{ code: 'too-small', path, words: { limit: String(issue.minimum) } }]
        : [{ code: 'empty', path }];
    }
    case 'too_big':
      return [{ code: 'too-large', path, words: { limit: String(issue.maximum) } }];
    case 'invalid_format': {
      const name = String(value);
      if (value === '') return [{ code: 'empty', path }];
      if (issue.pattern?.includes('ms|s|m') === true) {
        return [{ code: 'bad-duration', path, words: { name } }];
      }
      const rule = path.at(-1) === 'id' ? 'idRule' : 'variableRule';
      return [{ code: 'bad-name', path, words: { name, rule } }];
    }
    case 'invalid_key': {
      const rule = /^(?:schedules|webhooks)$/.test(String(path[0])) ? 'nameRule' : 'idRule';
      return [{ code: 'bad-name', path, isKey: true, words: { name: String(path.at(-1)), rule } }];
    }
    default:
      return [{ code: 'bad-value', path, words: { problem: issue.message } }];
  }
}

/** Returns the findings about the intended alternative of a union only. */
function unionFindings(
  source: Source,
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: Path,
  value: unknown,
): readonly Found[] {
  if (issue.errors.length === 0 && 'options' in issue && Array.isArray(issue.options)) {
    return [notOneOf(path, value, issue.options.map(String))];
  }
  const alternatives = issue.errors.map((issues) =>
    issues.flatMap((one) => findingsOf(source, one, path)),
  );
  // An alternative of another type was not meant; of the others, the one that knows the keys.
  const meant = alternatives
    .filter((found) => !found.some((one) => one.path.length === path.length))
    .toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length);
  const [best] = meant;
  if (best && best.length > 0) return best;
  const flat = alternatives.flat();
  const values = flat.filter(({ code }) => code === 'unknown-value' || code === 'missing-key');
  const [first] = values;
  if (first && typeof value === 'string') {
    const known = values.flatMap((one) => one.known ?? []);
    return [notOneOf(path, value, known)];
  }
  const [specific] = flat.filter(({ code }) => code !== 'wrong-type' && code !== 'unknown-value');
  if (specific) return [specific];
  if (first && flat.every(({ code }) => code === 'unknown-value')) {
    return [
      notOneOf(
        path,
        value,
        values.flatMap((one) => one.known ?? []),
      ),
    ];
  }
  const expected = flat.flatMap((one) =>
    one.code === 'unknown-value' ? ['string'] : [one.words?.['expected'] ?? ''],
  );
  return [wrongType(path, value, [...new Set(expected)].join('|'))];
}

function unknownKeys(found: readonly Found[]): number {
  return found.filter(({ code }) => code === 'unknown-key').length;
}

function notOneOf(path: Path, value: unknown, known: readonly string[]): Found {
  if (value === undefined) return missing(path);
  const name = typeof value === 'string' ? value : JSON.stringify(value);
  return { code: 'unknown-value', path, words: { name }, known, nearest: nearestName(name, known) };
}

function wrongType(path: Path, value: unknown, expected: string): Found {
  if (value === undefined && path.length > 0) return missing(path);
  return { code: 'wrong-type', path, words: { expected, given: kindOf(value) } };
}

/** Places a missing part at the part around it. */
function missing(path: Path): Found {
  const parent = path.slice(0, -1);
  return { code: 'missing-key', path: parent, isKey: true, words: { name: String(path.at(-1)) } };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns the keys that a schema knows at a place of a value. */
function knownKeys(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): readonly string[] {
  const here = chosen(schema, value);
  const [step, ...rest] = path;
  if (step === undefined) return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
  const below: unknown = Object(value)[step];
  if (here instanceof z.ZodObject) {
    const field = here.shape[String(step)];
    return field ? knownKeys(field, below, rest) : [];
  }
  if (here instanceof z.ZodArray) return knownKeys(here.element, below, rest);
  return here instanceof z.ZodRecord ? knownKeys(here.valueType, below, rest) : [];
}

/** Returns the part of a schema that counts for a value: of a union the one for its `type`, or for an object. */
function chosen(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return chosen(schema.unwrap(), value);
  if (schema instanceof z.ZodLazy) return chosen(schema.unwrap(), value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const name: unknown = Object(value)[discriminator];
    const one = schema.options.find((option) => {
      const literal = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
      return literal instanceof z.ZodLiteral && literal.value === name;
    });
    return one ?? schema;
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => chosen(option, value));
    const objects = options.filter((option) => option instanceof z.ZodObject);
    const fitting = objects.find((option) =>
      Object.keys(Object(value)).some((key) => Object.hasOwn(option.shape, key)),
    );
    return fitting ?? objects[0] ?? schema;
  }
  return schema;
}
