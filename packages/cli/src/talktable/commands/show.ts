import type { Command } from '@commander-js/extra-typings';
import type { TalkError, TalkTurn } from '@vizprompt/talktable';
import type { Cli } from '../../frame/cli.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openLog, whichTalk } from '../open-log.ts';

export const examples: readonly string[] = [
  'talktable show',
  'talktable show 0198c7a2-0000-7000-8000-000000000000 --prompts --json',
  'talktable show --analysis',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
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
}

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
