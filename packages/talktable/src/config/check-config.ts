import { checkTogether, isFields } from './check-together.ts';
import type { ConfigIssue } from './config-issue.ts';
import { nearestKey } from './nearest-key.ts';
import type { TalkConfig } from './talk-config.ts';

/** A config that was looked at. */
export interface CheckedConfig {
  /** Absent where something is wrong. */
  readonly config?: TalkConfig;
  readonly issues: readonly ConfigIssue[];
}

/** Looks for all that is wrong with a config, but for what only shows with the models. */
export async function lookAtConfig(value: unknown): Promise<CheckedConfig> {
  try {
    return await look(value);
  } catch (error) {
    // What holds itself, by an alias or as an object, has no end.
    if (!(error instanceof RangeError)) throw error;
    return { issues: [{ path: [], problem: 'it holds itself, or is nested too deeply' }] };
  }
}

async function look(value: unknown): Promise<CheckedConfig> {
  const { talkConfigSchema } = await import('./config-schema.ts');
  const { data, error } = talkConfigSchema.safeParse(value);
  const found = await Promise.all((error?.issues ?? []).map((one) => issuesOf(one, value)));
  const shape = found.flat();
  const isSoundStop = !shape.some(({ path }) => path[0] === 'stop');
  const issues = [...shape, ...(isFields(value) ? checkTogether(value, isSoundStop) : [])];
  return data && issues.length === 0 ? { config: data, issues } : { issues };
}

interface FoundIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

async function issuesOf(issue: FoundIssue, value: unknown): Promise<readonly ConfigIssue[]> {
  const { path, code, message, keys = [] } = issue;
  if (path[0] === 'stop' && path.length === 1 && code === 'invalid_union' && isFields(value)) {
    const { stopIssues } = await import('./stop-schema.ts');
    const rules = stopIssues(value['stop'], path);
    return rules.length > 0 ? rules : [{ path, problem: message }];
  }
  if (code !== 'unrecognized_keys') {
    const isMissing = code === 'invalid_type' && message.endsWith('received undefined');
    return [{ path, problem: isMissing ? 'it is missing' : message }];
  }
  return keys.map((key) => {
    const known = nearestKey(key);
    const hint = known === undefined ? '' : `: did you mean ${known}?`;
    return { path: [...path, key], problem: `there is no such key${hint}`, isKey: true };
  });
}
