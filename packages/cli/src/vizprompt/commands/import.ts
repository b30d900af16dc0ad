import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from '@commander-js/extra-typings';
import type { ImportReport } from '@vizprompt/core';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { type Cli, remark } from '../../frame/cli.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { standardInput } from '../../frame/read-input.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt import ~/Downloads/chatgpt-export.zip',
  'vizprompt import ~/.claude/projects --format claude-code',
  'curl -s https://example.com/conversations.json | vizprompt import -',
];

const FORMATS = [
  'ai-sdk',
  'big-agi',
  'chatbox',
  'character-ai',
  'chat-log',
  'chatgpt',
  'cherry-studio',
  'claude',
  'claude-code',
  'cline',
  'codex',
  'cohere',
  'copilot',
  'copilot-cli',
  'deepseek',
  'gemini',
  'gemini-cli',
  'grok',
  'langchain',
  'le-chat',
  'librechat',
  'llama-cpp',
  'llm',
  'lm-studio',
  'notes',
  'open-webui',
  'openai',
  'opencode',
  'perplexity',
  'pi',
  'sharegpt',
  'sillytavern',
  'typingmind',
  'vizprompt',
] as const;

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('<source>', cli.text.args.source)
    .addOption(new Option('--format <form>', cli.text.options.importFormat).choices(FORMATS))
    .action(async (word, { format }) => {
      await using vizprompt = await openProject(cli);
      await using input = word === '-' ? await saveInput(cli) : undefined;
      const report = await (async () => {
        using bar = new ProgressBar(cli.err, cli.text.importing);
        vizprompt.on('import:progress', ({ done, total }) => bar.update(done, total));
        const source = input?.path ?? resolve(cli.cwd, word);
        return vizprompt.importConversations(source, {
          ...defined({ format }),
          signal: cli.signal,
        });
      })();
      await cli.print(report, () => told(cli, report));
      for (const { entry, reason } of report.skipped) {
        await remark(cli, cli.text.skipped(entry, reason));
      }
      for (const { entry, reason } of report.warnings) {
        await remark(cli, cli.text.warned(entry, reason));
      }
    });
}

function told({ text }: Cli<VizpromptMessages>, report: ImportReport): string {
  const { conversations: flows, nodes } = report;
  return [
    ...report.flows.map(({ id, nodes: count, name }) => text.flowLine(id, count, name)),
    text.imported(flows.imported, flows.updated, flows.unchanged),
    text.importedNodes(nodes.created, nodes.updated, nodes.unchanged),
  ].join('\n');
}

/** A file that is gone when it is disposed of. */
interface SavedInput extends AsyncDisposable {
  readonly path: string;
}

/** Standard input as a file: an export may be larger than memory, and its reader takes files. */
async function saveInput<Messages>(cli: Cli<Messages>): Promise<SavedInput> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'standard-input');
  try {
    await pipeline(standardInput(cli), createWriteStream(path), { signal: cli.signal });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}
