import { hasRule, type StopRule } from '../stop/stop-rule.ts';
import { sameName } from '../same-name.ts';
import type { ConfigIssue } from './config-issue.ts';

/** Something of a config that has keys; what they hold is not known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value has keys. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The participants of a config that may be wrong, with their places. */
export function participantsOf(config: Fields): readonly (readonly [at: number, one: Fields])[] {
  const { participants } = config;
  const all: readonly unknown[] = Array.isArray(participants) ? participants : [];
  return [...all.entries()].flatMap(([at, one]) => (isFields(one) ? [[at, one] as const] : []));
}

/**
 * What only shows when the parts of a config are seen together. The parts may be wrong themselves: all
 * that is wrong is to be told at once.
 *
 * @param isSoundStop - Whether the stop rules are as they should be.
 */
export function checkTogether(config: Fields, isSoundStop: boolean): readonly ConfigIssue[] {
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
