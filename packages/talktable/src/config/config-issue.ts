import { TalkError } from '../errors.ts';

/** A mistake in a config, and its place. */
export interface ConfigIssue {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
  /** True if the key itself is wrong, and not its value. */
  readonly isKey?: boolean;
}

/** A problem as the error of a config reports it: each of `context.issues`. */
export interface PlacedConfigIssue {
  /** Absent where the config is an object, or the issue is in what was given next to the file. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** The keys that lead to it; empty where the file cannot be read as YAML. */
  readonly path: readonly PropertyKey[];
  readonly problem: string;
  /** The whole sentence. */
  readonly message: string;
}

/** Lines of a message; `context.issues` has them all. */
const MOST_TOLD = 20;

/** Makes the one error of all that is wrong with a config. */
export function configError(issues: readonly PlacedConfigIssue[], cause?: unknown): TalkError {
  const sorted = issues.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  const told = sorted.slice(0, MOST_TOLD).map(({ message }) => message);
  const rest = sorted.length - told.length;
  const message = [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
  const { message: _, ...first } = sorted[0] ?? { message };
  return new TalkError('config-invalid', message, { context: { ...first, issues: sorted }, cause });
}

/** Returns the sentence of an issue, without its place. */
export function describeIssue({ path, problem }: ConfigIssue): string {
  const name = path.map((step, at) =>
    typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`,
  );
  return path.length > 0 ? `'${name.join('')}': ${problem}` : problem;
}

/** Returns the error of a config that is an object. */
export function toConfigError(issues: readonly ConfigIssue[], cause?: unknown): TalkError {
  return configError(
    issues.map((issue) => unplaced(issue)),
    cause,
  );
}

/** Returns an issue that is in no file. */
export function unplaced({ path, problem }: ConfigIssue, note = ''): PlacedConfigIssue {
  return { path, problem, message: `${describeIssue({ path, problem })}${note}` };
}

/** Something of a config that has keys; what they hold is not known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Checks whether a value has keys. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
