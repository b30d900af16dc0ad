import { textOf } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { storeTurns } from '../support/store-turns.ts';
import { openProject } from '../support/open-project.ts';

const LONG = 'Sentence about nothing in particular, which only makes this answer longer. '.repeat(
  6,
);

describe('a context that cuts turns', () => {
  it.each([
    ['What is the retention of the audit log?', 'The audit log is stored for 417 days.', 'Note '],
    ['監査ログの保存期間は？', '監査ログは417日保存する。', '項目の説明'],
  ])(
    'gives the pieces of a long turn that the prompt is about: %s',
    async (prompt, fact, other) => {
      const vizprompt = await openProject();
      const notes = (from: number): string =>
        Array.from({ length: 400 }, (_, at) => `${other}${from + at}: ${'x'.repeat(9)}。\n`).join(
          '',
        );
      const [, pasted] = await storeTurns(vizprompt, [
        ['hello', 'hi'],
        [`${notes(0)}${fact}\n${notes(400)}`, 'OK.'],
        ['thanks', LONG],
        ['one more thing', LONG],
      ]);
      const context = await vizprompt.buildContext({ prompt, budgetTokens: 1200 });
      expect(context.text).toContain(fact);
      expect(context.messages.map(textOf).join('\n')).toContain(fact);
      expect(context.report.tokens).toBeLessThanOrEqual(1200);
      const entry = context.report.entries.find(({ id }) => id === pasted?.id);
      expect(entry).toMatchObject({ form: 'cut', reason: 'relevant' });
      expect(entry?.tokens).toBeLessThanOrEqual(300);
    },
  );

  it('has room for no piece where tags take it', async () => {
    const vizprompt = await openProject();
    const tags = Array.from({ length: 40 }, (_, at) => `tag number ${at}`);
    const response = `The audit log is stored for 417 days. ${LONG.repeat(20)}`;
    await vizprompt.createNode({ prompt: 'hello', response: 'hi' });
    await vizprompt.createNode({ prompt: 'audit log', response, tags });
    for (let at = 0; at < 3; at++) await storeTurns(vizprompt, [['one more thing', LONG]]);
    const prompt = 'What is the retention of the audit log?';
    for (let budgetTokens = 400; budgetTokens <= 1600; budgetTokens += 12) {
      const { report } = await vizprompt.buildContext({ prompt, budgetTokens });
      expect(report.tokens).toBeLessThanOrEqual(budgetTokens);
    }
  });

  it('gives the piece that the prompt is about of the turn before it, with its beginning and end', async () => {
    const vizprompt = await openProject();
    const notes = Array.from({ length: 900 }, (_, at) => `Note ${at}: nothing.\n`);
    const fact = 'The audit log is stored for 417 days.\n';
    await storeTurns(vizprompt, [
      [`Read this:\n${notes.join('')}${fact}${notes.join('')}The end.`, 'OK.'],
    ]);
    const prompt = 'What is the retention of the audit log?';
    const { messages, text, report } = await vizprompt.buildContext({ prompt, budgetTokens: 900 });
    for (const said of ['Read this:', fact, 'The end.', 'OK.', 'characters left out']) {
      expect(text).toContain(said);
      expect(messages.map(textOf).join('\n')).toContain(said);
    }
    expect(report.tokens).toBeLessThanOrEqual(900);
  });
});
