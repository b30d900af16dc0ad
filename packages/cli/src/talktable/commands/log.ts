import { existsSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import type { TalkError, TalkTurn } from '@vizprompt/talktable';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import { defineErase } from '../../frame/erase-command.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { writeOutput } from '../../frame/write-output.ts';
import type { TalktableMessages } from '../messages/en.ts';
import { logPathGiven, logPathHere, openLog, whichTalk } from '../open-log.ts';

export const listCommand: CommandModule<TalktableMessages> = {
  examples: ['talktable list', 'talktable list --status paused --limit 5 --json'],
  define(command, cli) {
    const { text } = cli;
    const STATUSES = ['running', 'paused', 'stopped', 'failed', 'done'] as const;
    command
      .addOption(new Option('--status <status>', text.status).choices(STATUSES))
      .option('--limit <n>', text.limit, wholeNumber(cli, { min: 1 }))
      .option('--log-path <file>', text.logPath)
      .action(async ({ status, limit = 100, logPath }) => {
        await using log = await openLog(cli, logPath);
        const talks = await log.conversations(status === undefined ? limit : undefined);
        const shown = talks.filter((talk) => status === undefined || talk.status === status);
        if (cli.isJson) return await cli.out.json(shown.slice(0, limit));
        if (shown.length === 0) await remark(cli, cli.frame.nothingFound);
        for (const { id, startedAt, status: state, topic, damaged } of shown.slice(0, limit)) {
          const why = damaged === undefined ? '' : cli.out.style('red', `  ${oneLine(damaged)}`);
          await cli.out.line(`${id}  ${startedAt}  ${state.padEnd(7)}  ${oneLine(topic)}${why}`);
        }
      });
  },
};

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

export const showCommand: CommandModule<TalktableMessages> = {
  examples: [
    'talktable show',
    'talktable show 0198c7a2-0000-7000-8000-000000000000 --prompts --json',
    'talktable show --analysis',
  ],
  define(command, cli) {
    const { text } = cli;
    command
      .argument('[id]', text.conversation)
      .option('--prompts', text.prompts)
      .option('--analysis', text.analysis)
      .option('--log-path <file>', text.logPath)
      .action(async (given, { prompts = false, analysis = false, logPath }) => {
        await using log = await openLog(cli, logPath);
        const talk = await whichTalk(cli, log, given, logPath);
        if (analysis) {
          const { speakers, ...total } = await log.analyze(talk.id);
          await cli.print({ speakers, ...total }, () => tableOf([...speakers]));
          return;
        }
        const turns: TalkTurn[] = [];
        let damage: TalkError | undefined;
        try {
          for await (const turn of log.turns(talk.id)) {
            turns.push(prompts ? turn : { ...turn, prompt: '' });
          }
        } catch (error) {
          const { TalkError: Coded } = await import('@vizprompt/talktable');
          if (!Coded.isInstance(error) || error.code !== 'corrupt') throw error;
          damage = error;
        }
        if (cli.isJson) {
          const { damaged } = damage?.context ?? {};
          await cli.out.json({ ...talk, turns, ...(damage ? { damaged } : {}) });
        } else {
          await cli.out.line(`${cli.out.style('bold', talk.topic)}\n${talk.id}  ${talk.status}`);
          for (const turn of turns) await cli.out.line(turnText(cli, turn));
        }
        if (damage) throw damage;
      });
  },
};

function turnText({ out }: Cli<TalktableMessages>, turn: TalkTurn): string {
  const { number, speaker, status, kind, text, prompt, error } = turn;
  const state = [status === 'done' ? '' : status, kind === 'turn' ? '' : kind].filter(Boolean);
  const head = `\n${number}. ${out.style('bold', speaker)}${state.length > 0 ? ` (${state.join(', ')})` : ''}`;
  return [
    head,
    prompt === '' ? '' : out.style('dim', prompt),
    text,
    error === undefined ? '' : out.style('red', error.message),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Figures of the same kind below each other. */
function tableOf(rows: readonly object[]): string {
  const [first] = rows;
  if (!first) return '';
  const round = (value: unknown): string =>
    typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value);
  const cells = [
    Object.keys(first),
    ...rows.map((row) => Object.values(row).map((value: unknown) => round(value))),
  ];
  const widths = Object.keys(first).map((_, at) =>
    Math.max(...cells.map((row) => row[at]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const eraseCommand: CommandModule<TalktableMessages> = {
  examples: [
    'talktable erase --speaker Alice --dry-run',
    'talktable erase --speaker Alice --log-path logs/conversation.db',
  ],
  define(command, cli) {
    const own = command.option('--log-path <file>', cli.text.logPath);
    defineErase(command, cli, async (options) => {
      const { logPath } = own.opts();
      const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
      if (!existsSync(path)) {
        throw new CliError('not-found', cli.text.noTalk(path), { context: { path } });
      }
      const { eraseSpeaker } = await import('@vizprompt/talktable');
      return [await eraseSpeaker(path, options)];
    });
  },
};

export const exportCommand: CommandModule<TalktableMessages> = {
  examples: [
    'talktable export > talk.md',
    'talktable export 0198c7a2-0000-7000-8000-000000000000 --format html --output talk.html',
  ],
  define(command, cli) {
    const { text } = cli;
    const FORMATS = ['markdown', 'json', 'html'] as const;
    command
      .argument('[id]', text.conversation)
      .addOption(new Option('--format <format>', text.format).choices(FORMATS).default('markdown'))
      .option('--output <file>', text.output)
      .option('--log-path <file>', text.logPath)
      .action(async (given, { format, output, logPath }) => {
        await using log = await openLog(cli, logPath);
        const { id } = await whichTalk(cli, log, given, logPath);
        const content = await log.exportConversation(id, formatOf(format));
        if (output === undefined && cli.isJson) {
          return await cli.out.json({ conversationId: id, format, content });
        }
        const file = await writeOutput(cli, output, [content]);
        if (file === undefined) return;
        await cli.print({ conversationId: id, format, file }, () => text.saved(file));
      });
  },
};

function formatOf(given: string): 'markdown' | 'json' | 'html' {
  return given === 'json' || given === 'html' ? given : 'markdown';
}
