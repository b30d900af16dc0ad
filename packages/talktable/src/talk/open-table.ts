import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertTrusted } from '@vizprompt/providers/trust';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { lookAtConfig } from '../config/check-config.ts';
import { talkUses } from '../config/talk-trust.ts';
import { type ConfigIssue, type Fields, toConfigError } from '../config/config-issue.ts';
import { readTalkConfig } from '../config/load-config.ts';
import { emptyRound, planOf } from '../config/plan.ts';
import type { TalkConfig } from '../config/talk-config.ts';
import { type LedLog, openLog } from '../log/talk-log.ts';
import type { ConversationManagerOptions } from '../options.ts';
import { hasRule } from '../stop/stop-rule.ts';
import { findModels, seatsOf, type Table } from './table.ts';

/** All that a manager works with. */
export interface OpenedTable {
  readonly config: TalkConfig;
  readonly table: Table;
  readonly log: LedLog;
  /** The file of the config. */
  readonly configPath?: string;
}

/** Reads the config, makes the models, and opens the log at last. All mistakes are reported at once. */
export async function openTable(
  given: string | URL | TalkConfig,
  options: ConversationManagerOptions,
): Promise<OpenedTable> {
  const { overrides = {}, maxFileBytes } = options;
  const isFile = typeof given === 'string' || given instanceof URL;
  const { value, toError } = isFile
    ? await readTalkConfig(given, { overrides, maxFileBytes })
    : { value: { ...given, ...defined(overrides) }, toError: toConfigError };
  const { config, issues: found } = await lookAtConfig(value);
  const models = await findModels(value, options.registry);
  const known = new Set(found.map(({ path }) => path.join('.')));
  const issues = [...found, ...models.issues.filter(({ path }) => !known.has(path.join('.')))];
  if (value.order === 'custom' && !options.nextSpeaker) {
    issues.push({ path: ['order'], problem: 'custom needs the option nextSpeaker' });
  }
  if (config) issues.push(...missingTools(config, options), ...emptyRounds(config));
  const table = config ? seatsOf(config, models, options.tools) : undefined;
  if (config && table) issues.push(...missingPrices(config, table));
  if (!config || !table || issues.length > 0) throw toError(issues);
  if (isFile) await assertConsent(given, value, options);
  const log = await openLog(options.storage, config.logPath);
  return { config, table, log, ...(isFile ? { configPath: pathOf(given) } : {}) };
}

/** Checks consent for the file. Overrides and the storage of the caller, and the servers of a registry, need none. */
async function assertConsent(
  file: string | URL,
  value: Fields,
  { overrides = {}, registry, storage, trust }: ConversationManagerOptions,
): Promise<void> {
  const isOwnLog = storage !== undefined || overrides.logPath !== undefined;
  const isOwnServer = registry !== undefined || overrides.providers !== undefined;
  const asked: Fields = {
    ...(isOwnLog ? {} : { logPath: value['logPath'] }),
    ...(isOwnServer ? {} : { providers: value['providers'] }),
    ...(overrides.participants ? {} : { participants: value['participants'] }),
    ...(overrides.moderator ? {} : { moderator: value['moderator'] }),
  };
  await assertTrusted(talkUses(asked, pathOf(file)), trust);
}

function pathOf(file: string | URL): string {
  return file instanceof URL ? fileURLToPath(file) : resolve(file);
}

/** A talk needs two who speak in each of its rounds. */
function emptyRounds(config: TalkConfig): readonly ConfigIssue[] {
  const round = emptyRound(planOf(config, {}));
  if (round === undefined) return [];
  const problem = `in round ${round} fewer than two take part: see joinsAt and leavesAfter`;
  return [{ path: ['participants'], problem }];
}

/** Tools that participants name and the host did not give. */
function missingTools(
  { participants }: TalkConfig,
  { tools = [] }: ConversationManagerOptions,
): readonly ConfigIssue[] {
  const known = tools.map(({ name }) => name);
  return participants.flatMap((one, at) =>
    (one.tools ?? []).flatMap((name, index): ConfigIssue[] => {
      if (known.includes(name)) return [];
      const there = known.join(', ') || 'none';
      const problem = `there is no tool '${name}' in the option tools; there is: ${there}`;
      return [{ path: ['participants', at, 'tools', index], problem }];
    }),
  );
}

/** A limit on the cost that nothing can be held against would never be reached. */
function missingPrices(config: TalkConfig, table: Table): readonly ConfigIssue[] {
  const { rules, prices } = planOf(config, {});
  if (config.budget?.costUsd === undefined && !hasRule(rules, 'costUsd')) return [];
  const limit = config.budget?.costUsd === undefined ? ['stop'] : ['budget', 'costUsd'];
  const path = config.prices === undefined ? limit : ['prices'];
  const models = new Map([...table.values()].map(({ model, name }) => [model?.modelId, name]));
  return [...models].flatMap(([id, name]) => {
    if (id === undefined || Object.hasOwn(prices, id)) return [];
    const problem = `the talk limits the cost, and there is no price for '${id}' of '${name}' in prices`;
    return [{ path, problem }];
  });
}
