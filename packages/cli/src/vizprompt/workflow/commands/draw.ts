import type { Command } from '@commander-js/extra-typings';
import type { WorkflowEngine } from '@vizprompt/workflow';
import { CliError } from '../../../errors.ts';
import type { Cli } from '../../../frame/cli.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { openEngine } from '../open-engine.ts';
import { addSources, sourcesOf } from '../sources.ts';

export const examples: readonly string[] = [
  'vizprompt workflow draw story --file flows.yaml > story.mmd',
  'vizprompt workflow draw --run 0198c7a2-0000-7000-8000-000000000000',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
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
}
