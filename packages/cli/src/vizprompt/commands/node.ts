import type { StoredNode } from '@vizprompt/core';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { commaList } from '../../frame/option-values.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { nodeId, nodeIds } from '../node-id.ts';
import { openProject } from '../open-project.ts';
import { readPrompt, readResponse } from '../read-texts.ts';

export const createNodeCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt create-node --prompt-file input.txt --response-file output.txt',
    'vizprompt create-node --prompt "認証はどうする？" --response "JWTを使います" --tags "認証,設計"',
    'vizprompt create-node --prompt - --after 3 --branch-name "別案" < question.txt',
  ],
  define(command, cli) {
    const { options: text } = cli.text;
    command
      .option('--prompt <text>', text.prompt)
      .option('--response <text>', text.response)
      .option('--prompt-file <file>', text.promptFile)
      .option('--response-file <file>', text.responseFile)
      .option('--tags <list>', text.nodeTags, commaList)
      .option('--model <name>', text.nodeModel)
      .option('--flow <flow>', text.flow)
      .option('--no-flow', text.noFlow)
      .option('--after <nodes>', text.after, commaList)
      .option('--root', text.root)
      .option('--branch-name <name>', text.branchName)
      .action(async (given) => {
        const { tags, model, branchName } = given;
        const flow = typeof given.flow === 'boolean' ? undefined : given.flow;
        if (given.root && given.after) {
          throw new CliError('usage', cli.frame.onlyOne('--after, --root'));
        }
        const prompt = await readPrompt(cli, given);
        const response = await readResponse(cli, given);
        if (prompt === undefined) {
          throw new CliError('usage', cli.frame.giveOne('--prompt, --prompt-file'));
        }
        await using vizprompt = await openProject(cli);
        const after = given.after && (await nodeIds(cli, { vizprompt, flow }, given.after));
        const node = await vizprompt.createNode(
          { prompt, ...defined({ response, tags, model }) },
          {
            ...defined({ flow: given.flow === false ? null : flow, branchName }),
            ...(given.root ? { after: null } : defined({ after })),
          },
        );
        await cli.print(node, () => cli.text.created(node.id));
      });
  },
};

export const getNodeCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt get-node 3',
    'vizprompt get-node 0198f2c5-6a1e-7c3b-9d2f-4e5a6b7c8d9e --json',
  ],
  define(command, cli) {
    command
      .argument('<node>', cli.text.args.node)
      .option('--flow <flow>', cli.text.options.flow)
      .option('--versions', cli.text.options.versions)
      .action(async (word, { flow, versions }) => {
        await using vizprompt = await openProject(cli, { onlyReads: true });
        const id = await nodeId(cli, { vizprompt, flow }, word);
        const node = await vizprompt.getNode(id);
        if (!versions) return cli.print(node, () => showNode(cli.text, node));
        const all = await vizprompt.getNodeVersions(id);
        return cli.print(all, () => all.map((each) => showNode(cli.text, each)).join('\n\n'));
      });
  },
};

/** Returns a node as text. */
function showNode({ labels }: VizpromptMessages, node: StoredNode): string {
  const { summary, tags, model, speaker, status } = node;
  const outdated = summary.isOutdated && summary.text !== '' ? ` (${labels.outdated})` : '';
  const facts: readonly (readonly [string, string | undefined])[] = [
    [labels.id, node.id],
    [labels.time, node.timestamp],
    [labels.model, model],
    [labels.speaker, speaker],
    [labels.status, status],
    [labels.tags, tags.join(', ')],
    [labels.summary, summary.text && `${summary.text}${outdated}`],
    [labels.file, node.file],
  ];
  return [
    ...facts.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])),
    '',
    `── ${labels.prompt}`,
    node.prompt,
    '',
    `── ${labels.response}`,
    node.response,
  ].join('\n');
}

export const updateNodeCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt update-node 3 --response-file answer.txt',
    'vizprompt update-node 3 --tags "認証,決定"',
  ],
  define(command, cli) {
    const { options: text } = cli.text;
    command
      .argument('<node>', cli.text.args.node)
      .option('--flow <flow>', text.flow)
      .option('--prompt <text>', text.prompt)
      .option('--response <text>', text.response)
      .option('--prompt-file <file>', text.promptFile)
      .option('--response-file <file>', text.responseFile)
      .option('--tags <list>', text.nodeTags, commaList)
      .option('--summary <text>', text.summary)
      .option('--model <name>', text.nodeModel)
      .option('--if-version <version>', text.ifVersion)
      .action(async (word, given) => {
        const { flow, tags, summary, model, ifVersion } = given;
        const prompt = await readPrompt(cli, given);
        const response = await readResponse(cli, given);
        const patch = defined({ prompt, response, tags, summary, model });
        if (Object.keys(patch).length === 0) {
          const names = '--prompt, --response, --tags, --summary, --model';
          throw new CliError('usage', cli.text.nothingGiven(names));
        }
        await using vizprompt = await openProject(cli);
        const id = await nodeId(cli, { vizprompt, flow }, word);
        const node = await vizprompt.updateNode(id, patch, defined({ ifVersion }));
        await cli.print(node, () => cli.text.updated(node.id));
      });
  },
};

export const deleteNodeCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt delete-node 3', 'vizprompt delete-node 3 --no-join'],
  define(command, cli) {
    command
      .argument('<node>', cli.text.args.node)
      .option('--flow <flow>', cli.text.options.flow)
      .option('--no-join', cli.text.options.noJoin)
      .action(async (word, { flow, join }) => {
        await using vizprompt = await openProject(cli);
        const id = await nodeId(cli, { vizprompt, flow }, word);
        await vizprompt.deleteNode(id, { join });
        await cli.print({ id }, () => cli.text.deleted(id));
      });
  },
};
