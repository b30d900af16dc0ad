import type { WorkflowFile } from '../definition/workflow-file.ts';
import type { Finding, Path } from '../problems/finding.ts';
import { valueAt } from '../problems/locate.ts';
import { withKeys } from './apply-typo-fixes.ts';
import { fileSchema } from '../schema/file-schema.ts';

/** Keys of steps that say nothing of what is named and set where: without them the rest means the same. */
const BESIDE =
  'description retry timeout temperature maxOutputTokens maxConcurrency maxDelay weight fallback k top separator'.split(
    ' ',
  );

/** The parts of a file with mistakes that can still be checked. */
interface ValidParts {
  readonly file: WorkflowFile;
  /** Workflows of which only some steps are intact: their order is unknown. */
  readonly partial: ReadonlySet<string>;
}

/**
 * Returns what can still be checked in a file with mistakes. Unknown keys and settings next to the flow are removed,
 * other mistakes are replaced by empty values. Names stay known, so that a mistake is reported once and not wherever
 * the name is used.
 */
export function recoverValidParts(value: unknown, findings: readonly Finding[]): ValidParts {
  const surplus = findings.flatMap((finding) => {
    const path = surplusKey(finding);
    return path ? [{ path }] : [];
  });
  const rest = withKeys(value, surplus);
  const wrong = findings.filter((finding) => !surplusKey(finding)).map(({ path }) => path);
  const partial = new Set<string>();
  const workflows = entriesOf(rest, ['workflows']).map(([name, one]): [string, unknown] => {
    if (isValid({ workflows: { one } })) return [name, one];
    partial.add(name);
    return [name, { steps: validSteps(one) }];
  });
  const part = (path: readonly string[], substitute: unknown): object =>
    Object.fromEntries(substituted(rest, wrong, path, substitute));
  const parts = {
    use: {
      retries: part(['use', 'retries'], {}),
      timeouts: part(['use', 'timeouts'], {}),
      models: part(['use', 'models'], ''),
    },
    agent_roles: part(['agent_roles'], { system_prompt: '' }),
    prompts: part(['prompts'], ''),
    workflows: Object.fromEntries(workflows),
    schedules: intact(rest, 'schedules'),
    webhooks: intact(rest, 'webhooks'),
  };
  const own = Object.entries(parts).filter(([name]) => Object.hasOwn(Object(rest), name));
  return { file: Object.fromEntries(own), partial };
}

/** Returns the key without which the rest means the same, if a finding is about one. */
function surplusKey({ code, path }: Finding): Path | undefined {
  if (code === 'unknown-key') return path;
  // Names of workflows and of inputs are free, and may be such words.
  if (path[0] !== 'workflows' || path.includes('input_variables')) return undefined;
  const at = path.findIndex((key, depth) => depth >= 2 && BESIDE.includes(String(key)));
  return at < 0 ? undefined : path.slice(0, at + 1);
}

/** Returns the entries of a part of the file, with something else for those with mistakes. */
function substituted(
  value: unknown,
  wrong: readonly Path[],
  path: readonly string[],
  substitute: unknown,
): readonly (readonly [string, unknown])[] {
  const names = new Set(
    wrong.flatMap((place) => {
      const isBelow = path.every((key, at) => place[at] === key);
      return isBelow && place.length > path.length ? [String(place[path.length])] : [];
    }),
  );
  return entriesOf(value, path).map(([name, one]) => [name, names.has(name) ? substitute : one]);
}

/** The valid parts. */
function intact(value: unknown, key: 'schedules' | 'webhooks'): object {
  const all = entriesOf(value, [key]).filter(([, one]) => isValid({ [key]: { one } }));
  return Object.fromEntries(all);
}

function entriesOf(value: unknown, path: Path): readonly [string, unknown][] {
  const part = valueAt(value, path);
  return typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.entries(part)
    : [];
}

/** Returns the steps of a workflow or a body, with some that do nothing instead of those with mistakes. */
function validSteps(holder: unknown): readonly unknown[] {
  const { steps }: { steps?: unknown } = Object(holder);
  if (!Array.isArray(steps)) return [];
  return steps.map((step: unknown) => {
    if (isValid({ workflows: { one: { steps: [step] } } })) return step;
    const { id }: { id?: unknown } = Object(step);
    const body = validSteps(step);
    return body.length > 0
      ? { id, type: 'loop', maxRounds: 1, steps: body }
      : { id, type: 'sleep', duration: 0 };
  });
}

function isValid(value: unknown): boolean {
  return fileSchema.safeParse(value).success;
}
