import { nearestName } from '@vizprompt/providers/config';
import { hasRule, type StopRule } from '../stop/stop-rule.ts';
import { sameName } from '../words.ts';
import { type ConfigIssue, type Fields, isFields } from './config-issue.ts';
import type { TalkConfig } from './talk-config.ts';
import { zodProblem } from '@vizprompt/providers/config/internal';

/** A config that was looked at. */
interface CheckedConfig {
  /** Absent where something is wrong. */
  readonly config?: TalkConfig;
  readonly issues: readonly ConfigIssue[];
}

/** Looks for all that is wrong with a config, but for what only shows with the models. */
export async function lookAtConfig(value: unknown): Promise<CheckedConfig> {
  try {
    return await look(value);
  } catch (error) {
    // A value that contains itself, by an alias or as an object, has no end.
    if (!(error instanceof RangeError)) throw error;
    return { issues: [{ path: [], problem: 'it holds itself, or is nested too deeply' }] };
  }
}

async function look(value: unknown): Promise<CheckedConfig> {
  const { talkConfigSchema } = await import('./config-schema.ts');
  const { data, error } = talkConfigSchema.safeParse(value, { error: zodProblem });
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
    const { stopIssues } = await import('./config-schema.ts');
    const rules = stopIssues(value['stop'], path);
    return rules.length > 0 ? rules : [{ path, problem: message }];
  }
  if (code !== 'unrecognized_keys') {
    const isMissing = code === 'invalid_type' && message.endsWith('got nothing');
    return [{ path, problem: isMissing ? 'it is missing' : message }];
  }
  const { keysAt } = await import('./config-schema.ts');
  const allowed = keysAt(path);
  return keys.map((key) => {
    const known = nearestKey(key, allowed);
    const hint = known === undefined ? '' : `: did you mean ${known}?`;
    return { path: [...path, key], problem: `there is no such key${hint}`, isKey: true };
  });
}

/** Returns the participants of a config that may be wrong, with their places. */
export function participantsOf(config: Fields): readonly (readonly [at: number, one: Fields])[] {
  const { participants } = config;
  const all: readonly unknown[] = Array.isArray(participants) ? participants : [];
  return [...all.entries()].flatMap(([at, one]) => (isFields(one) ? [[at, one] as const] : []));
}

/**
 * Mistakes that only show when the parts of a config are seen together. The parts may be wrong themselves: all
 * mistakes are to be reported at once.
 *
 * @param isSoundStop - True if the stop rules are as they should be.
 */
function checkTogether(config: Fields, isSoundStop: boolean): readonly ConfigIssue[] {
  const { moderator, order, stop = [] } = config;
  const issues: ConfigIssue[] = [];
  const fail = (path: readonly PropertyKey[], problem: string): void => {
    issues.push({ path, problem });
  };
  const participants = participantsOf(config);
  const names = new Map<string, string>();
  if (isFields(moderator)) {
    const { name = 'MC' } = moderator;
    if (typeof name === 'string') names.set(sameName(name), 'the moderator');
  }
  for (const [at, { name, model, person, visibleTo }] of participants) {
    const called = typeof name === 'string' ? name : `participant ${at + 1}`;
    if (typeof name === 'string') {
      const taken = names.get(sameName(name));
      if (taken !== undefined) {
        fail(['participants', at, 'name'], `'${name}' is the name of ${taken}`);
      }
      names.set(sameName(name), `participant ${at + 1}`);
    }
    if (person === true && model !== undefined) {
      fail(['participants', at, 'model'], `'${called}' is a person, and has a model`);
    } else if (person !== true && model === undefined) {
      fail(['participants', at], `'${called}' has no model: give model, or person: true`);
    }
    const audience: readonly unknown[] = Array.isArray(visibleTo) ? visibleTo : [];
    for (const [place, other] of audience.entries()) {
      if (typeof other !== 'string' || participants.some(([, one]) => one['name'] === other)) {
        continue;
      }
      fail(['participants', at, 'visibleTo', place], `'${other}' is no participant`);
    }
  }
  for (const [at, { joinsAt: from, leavesAfter: until }] of participants) {
    if (typeof from === 'number' && typeof until === 'number' && until < from) {
      fail(['participants', at, 'leavesAfter'], `it leaves before it joins, in round ${from}`);
    }
  }
  if (moderator === undefined && order === 'moderator') {
    fail(['order'], 'there is no moderator to name the next speaker');
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a sound config has
  const rules = (Array.isArray(stop) ? stop : [stop]) as readonly StopRule[];
  if (moderator === undefined && isSoundStop && hasRule(rules, 'verdict')) {
    fail(['stop'], 'there is no moderator to give a verdict');
  }
  return issues;
}

/** Returns the key that was probably meant, such as `maxTurns` for `max_turns`. */
function nearestKey(key: string, keys: readonly string[]): string | undefined {
  const plain = plainOf(key);
  const isNear = (known: string): boolean => {
    const other = plainOf(known);
    return (
      other === plain || other === `${plain}ms` || other === `${plain}s` || `${other}s` === plain
    );
  };
  return keys.find(isNear) ?? nearestName(key, keys);
}

function plainOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '');
}
