import type { Command } from '@commander-js/extra-typings';
import type { BuildReport, VizPrompt } from '@vizprompt/core';
import { messageOf } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { exitCodeOf } from '../../frame/report-error.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { nodeIds } from '../node-id.ts';
import { assertModel, chooseModel, openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt build',
  'vizprompt build --model ollama:qwen3',
  'vizprompt build 3 5 --model openai:gpt-5-mini',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .argument('[nodes...]', cli.text.args.outdated)
    .option('--flow <flow>', text.flow)
    .option('--model [name]', text.buildModel)
    .option('--base-url <url>', text.baseUrl)
    .option('--concurrency <n>', text.concurrency, wholeNumber(cli, { min: 1, max: 64 }))
    .action(async (words, { flow, model, baseUrl, concurrency }) => {
      const isAsked = model !== undefined || baseUrl !== undefined;
      const chosen = isAsked ? await chooseModel(cli, { model, baseUrl }) : {};
      await using vizprompt = await openProject(cli, chosen);
      if (isAsked) assertModel(cli, vizprompt);
      const ids = await nodeIds(cli, { vizprompt, flow }, words);
      const report = await (async () => {
        using bar = new ProgressBar(cli.err, cli.text.building);
        vizprompt.on('build:progress', ({ done, total }) => bar.update(done, total));
        if (ids.length > 0) return buildEach(vizprompt, ids, bar, cli.signal);
        return vizprompt.build({ ...defined({ concurrency }), signal: cli.signal });
      })();
      await tell(cli, report);
    });
}

/** Builds the nodes that were named, one after the other. */
async function buildEach(
  vizprompt: VizPrompt,
  ids: readonly string[],
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<BuildReport> {
  for (const [at, id] of ids.entries()) {
    signal.throwIfAborted();
    bar.update(at, ids.length);
    await vizprompt.buildSummary(id);
  }
  return { built: ids.length, failed: [], postponed: 0 };
}

async function tell(cli: Cli<VizpromptMessages>, report: BuildReport): Promise<void> {
  const { built, failed, postponed } = report;
  const failures = failed.map(({ id, error }) => ({ id, message: messageOf(error) }));
  await cli.print({ built, failed: failures, postponed }, () => cli.text.built(built, postponed));
  for (const { id, message } of failures) await remark(cli, cli.text.problem(id, message));
  const [first] = failed;
  if (!first) return;
  throw new CliError('failed', cli.text.buildFailed(failed.length), {
    cause: first.error,
    context: { exitCode: exitCodeOf(first.error), failed: failed.map(({ id }) => id) },
  });
}
