import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { commaList } from '../../frame/option-values.ts';
import { remark } from '../../frame/cli.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { nodeId, nodeIds } from '../node-id.ts';
import { openProject } from '../open-project.ts';
import { readPrompt, readResponse } from '../read-texts.ts';

export const listCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt flow list'],
  define(command, cli) {
    command.action(async () => {
      await using vizprompt = await openProject(cli, { onlyReads: true });
      const flows = await vizprompt.listFlows();
      if (flows.length === 0) await remark(cli, cli.frame.nothingFound);
      if (cli.isJson) return cli.out.json(flows);
      for (const { id, nodes, name, alias } of flows) {
        const title = alias === undefined || alias === name ? name : `${alias}: ${name}`;
        await cli.out.line(cli.text.flowLine(id, nodes, title));
      }
    });
  },
};

export const showCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt flow show', 'vizprompt flow show 設計 --json'],
  define(command, cli) {
    command.argument('[flow]', cli.text.args.flow).action(async (name) => {
      await using vizprompt = await openProject(cli, { onlyReads: true });
      const flow = await vizprompt.getFlow(name);
      if (cli.isJson) return cli.out.json(flow);
      const { nodes, connections } = flow;
      await cli.out.line(cli.text.flowHead(flow.name, flow.id, nodes.length, connections.length));
      const map = await vizprompt.toText(flow.id, { width: cli.out.columns });
      if (nodes.length > 0) await cli.out.line(map.trimEnd());
    });
  },
};

export const createCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt flow create 設計',
    'vizprompt flow create "API design" --alias api --description "What the API looks like"',
  ],
  define(command, cli) {
    command
      .argument('<name>', cli.text.args.flowName)
      .option('--alias <alias>', cli.text.options.alias)
      .option('--description <text>', cli.text.options.description)
      .action(async (name, { alias, description }) => {
        await using vizprompt = await openProject(cli);
        const flow = await vizprompt.createFlow({ name, ...defined({ alias, description }) });
        await cli.print(flow, () => cli.text.flowCreated(flow.name, flow.id));
      });
  },
};

export const connectCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt flow connect 2 4',
    'vizprompt flow connect 2 4 --flow 設計 --branch-name "本命"',
  ],
  define(command, cli) {
    command
      .argument('<from>', cli.text.args.from)
      .argument('<to>', cli.text.args.to)
      .option('--flow <flow>', cli.text.options.flow)
      .option('--branch-name <name>', cli.text.options.branchName)
      .action(async (fromWord, toWord, { flow, branchName }) => {
        await using vizprompt = await openProject(cli);
        const from = await nodeId(cli, { vizprompt, flow }, fromWord);
        const to = await nodeId(cli, { vizprompt, flow }, toWord);
        const connected = await vizprompt.connectNodes(from, to, defined({ flow, branchName }));
        await cli.print(connected, () => cli.text.connected(fromWord, toWord, connected.name));
      });
  },
};

export const branchCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt flow branch 2 --prompt "別の案は？" --response "セッションです" --branch-name "別案"',
  ],
  define(command, cli) {
    const { options: text } = cli.text;
    command
      .argument('<from>', cli.text.args.branchFrom)
      .option('--prompt <text>', text.prompt)
      .option('--response <text>', text.response)
      .option('--prompt-file <file>', text.promptFile)
      .option('--response-file <file>', text.responseFile)
      .option('--tags <list>', text.nodeTags, commaList)
      .option('--model <name>', text.nodeModel)
      .option('--flow <flow>', text.flow)
      .option('--branch-name <name>', text.branchName)
      .action(async (word, given) => {
        const { tags, model, flow, branchName } = given;
        const prompt = await readPrompt(cli, given);
        const response = await readResponse(cli, given);
        if (prompt === undefined) {
          throw new CliError('usage', cli.frame.giveOne('--prompt, --prompt-file'));
        }
        await using vizprompt = await openProject(cli);
        const from = await nodeId(cli, { vizprompt, flow }, word);
        const node = await vizprompt.createBranch(
          from,
          { prompt, ...defined({ response, tags, model }) },
          defined({ flow, branchName }),
        );
        await cli.print(node, () => cli.text.created(node.id));
      });
  },
};

export const rebuildCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt flow rebuild main 1 3 4'],
  define(command, cli) {
    command
      .argument('<flow>', cli.text.args.flow)
      .argument('<nodes...>', cli.text.args.nodes)
      .action(async (name, words) => {
        await using vizprompt = await openProject(cli);
        const ids = await nodeIds(cli, { vizprompt, flow: name }, words);
        const flow = await vizprompt.rebuildFlow(name, ids);
        await cli.print(flow, () => cli.text.rebuilt(flow.name, flow.nodes.length));
      });
  },
};
