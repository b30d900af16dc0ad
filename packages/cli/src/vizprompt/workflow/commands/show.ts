import { Option } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { RunState, WorkflowEngine } from '@vizprompt/workflow';
import { CliError } from '../../../errors.ts';
import { type Cli, remark } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import type { CommandModule } from '../../../frame/tool.ts';
import type { VizpromptMessages } from '../../messages/en.ts';
import { addDbosOptions, addSources, dbosGiven, sourcesOf } from '../options.ts';
import { outputText } from '../lead-run.ts';
import { openEngine } from '../open-engine.ts';

export const listCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow list',
    'vizprompt workflow list --status waiting --limit 5 --json',
  ],
  define(command, cli) {
    const { workflow: text } = cli.text;
    const STATUSES = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const;
    command
      .addOption(new Option('--status <status>', text.status).choices(STATUSES))
      .option('--limit <n>', text.limit, wholeNumber(cli, { min: 1 }))
      .option('--after <id>', text.after)
      .action(async ({ status, limit, after }) => {
        await using opened = await openEngine(cli, {
          options: { files: [] },
          workers: dbosGiven(command),
        });
        const runs = await opened.engine.runs(defined({ status, limit, after }));
        if (cli.isJson) return await cli.out.json(runs);
        if (runs.length === 0) await remark(cli, cli.frame.nothingFound);
        for (const { id, startedAt, status: state, workflow, error, damaged } of runs) {
          const problem = damaged ?? error?.message;
          const why = problem === undefined ? '' : cli.out.style('red', `  ${problem}`);
          await cli.out.line(`${id}  ${startedAt}  ${state.padEnd(9)}  ${workflow}${why}`);
        }
      });
    addDbosOptions(command, cli);
  },
};

export const showCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow show 0198c7a2-0000-7000-8000-000000000000',
    'vizprompt workflow show 0198c7a2-0000-7000-8000-000000000000 --html > run.html',
  ],
  define(command, cli) {
    const { workflow: text } = cli.text;
    command
      .argument('<run>', text.run)
      .option('--html', text.html)
      .action(async (id, { html = false }) => {
        await using opened = await openEngine(cli, {
          options: { files: [] },
          workers: dbosGiven(command),
        });
        if (html) {
          await cli.out.write(await opened.engine.toHtml(id));
          return;
        }
        const state = await opened.engine.run(id);
        await cli.print(state, () => stateText(cli, state));
      });
    addDbosOptions(command, cli);
  },
};

function stateText({ out, text }: Cli<VizpromptMessages>, state: RunState): string {
  const { id, workflow, status, startedAt, steps, waiting, output, error, damagedRows } = state;
  return [
    `${out.style('bold', workflow)}  ${status}  ${startedAt}  ${id}`,
    ...steps.flatMap((step) => [
      `${out.style('cyan', step.path)}  ${step.model ?? step.type}`,
      indented(step.error ? out.style('red', step.error.message) : outputText(step.output)),
    ]),
    ...waiting.map((one) => `${out.style('bold', text.workflow.asks(one.path))} ${one.question}`),
    ...(output === undefined ? [] : ['', outputText(output)]),
    ...(error ? ['', out.style('red', error.message)] : []),
    ...(damagedRows ?? []).map(({ table, id: row, field, problem }) =>
      out.style('red', `${table} ${row}: ${field}: ${problem}`),
    ),
  ].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

export const drawCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow draw story --file flows.yaml > story.mmd',
    'vizprompt workflow draw --run 0198c7a2-0000-7000-8000-000000000000',
  ],
  define(command, cli) {
    const { workflow: text } = cli.text;
    command
      .argument('[workflow]', text.anyWorkflow)
      .option('--run <id>', text.drawRun)
      .action(async (given, { run }) => {
        const mermaid = await (run === undefined ? drawFile(given) : drawRun(run));
        if (cli.isJson) await cli.out.json({ mermaid });
        else await cli.out.write(mermaid.endsWith('\n') ? mermaid : `${mermaid}\n`);
      });
    addSources(command, cli);

    async function drawFile(given: string | undefined): Promise<string> {
      const { WorkflowEngine: Engine } = await import('@vizprompt/workflow');
      await using engine = await Engine.open(sourcesOf(command, cli));
      return await engine.toMermaid(given ?? onlyOne(engine));
    }

    async function drawRun(run: string): Promise<string> {
      await using opened = await openEngine(cli, { options: { files: [] } });
      const { workflow } = await opened.engine.run(run);
      return await opened.engine.toMermaid(workflow, { run });
    }

    function onlyOne({ workflows }: WorkflowEngine): string {
      const [name] = workflows;
      if (name !== undefined && workflows.length === 1) return name;
      throw new CliError('usage', text.oneWorkflow(workflows), { context: { workflows } });
    }
  },
};
