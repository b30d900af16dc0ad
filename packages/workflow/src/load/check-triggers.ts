import type { Definitions } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { readCelError } from '../language/cel.ts';
import { parseCondition } from '../language/condition.ts';
import { cronProblem, isTimeZone } from '../language/cron.ts';
import { type Finding, type Origin, type Origins, unknownName } from '../problems/finding.ts';

/** Finds schedules and webhooks that would fail on every trigger. */
export function* checkTriggers(definitions: Definitions, origins: Origins): Generator<Finding> {
  const { schedules, webhooks } = definitions;
  for (const [name, schedule] of Object.entries(schedules)) {
    const origin = origins.schedules.get(name);
    if (!origin) continue;
    yield* checkNames(schedule, definitions, origin);
    const problem = cronProblem(schedule.cron);
    if (problem !== undefined) {
      const words = { name: schedule.cron, problem };
      yield { ...below(origin, 'cron'), code: 'bad-cron', words };
    }
    const { timeZone } = schedule;
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      yield { ...below(origin, 'timeZone'), code: 'bad-time-zone', words: { name: timeZone } };
    }
  }
  for (const [name, webhook] of Object.entries(webhooks)) {
    const origin = origins.webhooks.get(name);
    if (!origin) continue;
    yield* checkNames(webhook, definitions, origin);
    if (!/^\$\{\w+\}$/.test(webhook.secret)) {
      yield { ...below(origin, 'secret'), code: 'plain-secret' };
    }
    if (webhook.when === undefined) continue;
    try {
      parseCondition(webhook.when);
    } catch (error) {
      if (!WorkflowError.isInstance(error)) throw error;
      const { problem, offset } = readCelError(error.cause);
      const place = { ...below(origin, 'when'), within: offset };
      yield { ...place, code: 'condition-syntax', words: { problem } };
    }
  }
}

function* checkNames(
  { workflow, promptSet }: { readonly workflow: string; readonly promptSet?: string },
  { workflows, promptSets }: Definitions,
  origin: Origin,
): Generator<Finding> {
  if (!Object.hasOwn(workflows, workflow)) {
    const names = unknownName(workflow, Object.keys(workflows));
    yield { ...below(origin, 'workflow'), code: 'unknown-workflow', ...names };
  }
  if (promptSet !== undefined && !Object.hasOwn(promptSets, promptSet)) {
    const names = unknownName(promptSet, Object.keys(promptSets));
    yield { ...below(origin, 'promptSet'), code: 'unknown-set', ...names };
  }
}

function below({ source, path }: Origin, key: string): Origin {
  return { source, path: [...path, key] };
}
