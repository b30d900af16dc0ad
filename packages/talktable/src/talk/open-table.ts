import {
  checkTalkConfig,
  readTalkConfig,
  toConfigError,
  type ToConfigError,
} from '../config/load-config.ts';
import { planOf } from '../config/plan.ts';
import type { TalkConfig } from '../config/talk-config.ts';
import { defined } from '../defined.ts';
import { openLog, type OpenedLog } from '../log/open-log.ts';
import type { ConversationManagerOptions } from '../options.ts';
import { hasRule } from '../stop/stop-rule.ts';
import { seatsOf, type Table } from './seat.ts';

/** All that a manager works with. */
export interface OpenedTable {
  readonly config: TalkConfig;
  readonly table: Table;
  readonly log: OpenedLog;
}

/** Reads the config, makes the models, and opens the log at last. */
export async function openTable(
  given: string | URL | TalkConfig,
  options: ConversationManagerOptions,
): Promise<OpenedTable> {
  const { overrides = {} } = options;
  const isFile = typeof given === 'string' || given instanceof URL;
  const { config, toError } = isFile
    ? await readTalkConfig(given, { overrides })
    : {
        config: await checkTalkConfig({ ...given, ...defined(overrides) }),
        toError: toConfigError,
      };
  const table = await seatsOf(config, options.registry, toError);
  assertPrices(config, table, toError);
  if (config.order === 'custom' && !options.nextSpeaker) {
    throw toError({ path: ['order'], problem: 'custom needs the option nextSpeaker' });
  }
  const log = await openLog(options.storage, config.logPath ?? 'logs/conversation.db');
  return { config, table, log };
}

/** A limit on the cost that nothing can be held against would never be reached. */
function assertPrices(config: TalkConfig, table: Table, toError: ToConfigError): void {
  const { rules, prices } = planOf(config, {});
  if (config.budget?.costUsd === undefined && !hasRule(rules, 'costUsd')) return;
  for (const { model, name } of table.values()) {
    if (!model || Object.hasOwn(prices, model.modelId)) continue;
    const limit = config.budget?.costUsd === undefined ? ['stop'] : ['budget', 'costUsd'];
    const path = config.prices === undefined ? limit : ['prices'];
    const problem = `the talk limits the cost, and there is no price for '${model.modelId}' of '${name}' in prices`;
    throw toError({ path, problem });
  }
}
