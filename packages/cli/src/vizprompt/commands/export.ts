import { Option, type Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../frame/cli.ts';
import { writeOutput } from '../../frame/write-output.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { nodeId } from '../node-id.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt export --format html --output main.html',
  'vizprompt export 設計 --format json > 設計.json',
  'vizprompt export --format openai --leaf 5',
];

const FORMATS = [
  'html',
  'markdown',
  'json',
  'chatgpt',
  'openai',
  'mermaid',
  'dot',
  'svg',
  'canvas',
  'cytoscape',
  'graphml',
] as const;

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .argument('[flow]', cli.text.args.flow)
    .addOption(new Option('--format <form>', text.exportFormat).choices(FORMATS))
    .option('-o, --output <file>', text.output)
    .option('--leaf <node>', text.leaf)
    .option('--no-attachments', text.noAttachments)
    .action(async (name = 'main', { format = 'markdown', output, leaf: word, attachments }) => {
      await using vizprompt = await openProject(cli, { onlyReads: true });
      const leaf =
        word === undefined ? undefined : await nodeId(cli, { vizprompt, flow: name }, word);
      const content = await vizprompt.exportFlow(name, {
        format,
        ...defined({ leaf }),
        attachments: attachments ? 'embed' : 'omit',
      });
      if (output === undefined && cli.isJson) return cli.out.json({ flow: name, format, content });
      const end = output === undefined && !content.endsWith('\n') ? '\n' : '';
      const file = await writeOutput(cli, output, [content, end]);
      if (file === undefined) return;
      return cli.print({ flow: name, format, file }, () => cli.text.wrote(file));
    });
}
