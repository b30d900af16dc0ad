import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../../errors.ts';
import type { Cli } from '../../../frame/cli.ts';
import { readWord } from '../../../frame/read-input.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { answerValue } from '../answers.ts';
import { addDbosOptions, dbosGiven } from '../dbos-options.ts';
import { openEngine } from '../open-engine.ts';

export const examples: readonly string[] = [
  'vizprompt workflow answer 0198c7a2-0000-7000-8000-000000000000 ask true',
  'vizprompt workflow answer 0198c7a2-0000-7000-8000-000000000000 ask#1 - < answer.json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('<run>', text.run)
    .argument('<step>', text.step)
    .argument('<value>', text.value)
    .action(async (id, step, given) => {
      const word = await readWord(cli, given);
      await using opened = await openEngine(cli, {
        options: { files: [] },
        workers: dbosGiven(command),
      });
      const { engine } = opened;
      const { waiting } = await engine.run(id);
      const question = waiting.find(({ path, stepId }) => path === step || stepId === step);
      if (!question) {
        throw new CliError('not-found', text.notAsked(step), { context: { runId: id, step } });
      }
      const { path } = question;
      const value = answerValue(word, question);
      await engine.answer(id, value, { path });
      await cli.print({ runId: id, path, value }, () => `${path}  ${text.answered}`);
    });
  addDbosOptions(command, cli);
}
