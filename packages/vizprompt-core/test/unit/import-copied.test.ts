import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlainText } from '../../src/import/plain-text.ts';
import { shapeOf, temporaryFolder, testProject } from '../support/open-project.ts';

async function nodesOf(name: string, content: string): Promise<readonly string[]> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  const { vizprompt } = await testProject();
  await vizprompt.importConversations(path);
  return (await shapeOf(vizprompt)).nodes;
}

describe('a text that was copied from a page', () => {
  it.each([
    ['with the version of the model', 'You said:\n\nWhy?\n\nChatGPT 4o said:\n\nBecause.\n'],
    ['without colons', 'You said\nWhy?\nGemini said\nBecause.\n'],
    ['in German', 'Du hast gesagt:\nWhy?\nChatGPT hat gesagt:\nBecause.\n'],
    ['in French', 'Vous avez dit :\nWhy?\nChatGPT a dit :\nBecause.\n'],
    ['in Japanese', 'あなたは言いました:\nWhy?\nChatGPTは言いました:\nBecause.\n'],
    ['with names alone', 'You\nWhy?\n\nClaude\nBecause.\n'],
    ['with names before it', 'User: Why?\nGrok: Because.\n'],
    ['with letters', 'Q: Why?\nA: Because.\n'],
    ['with wide letters', 'Ｑ：Why?\nＡ：Because.'],
    ['with Japanese names', 'ユーザー：Why?\nAI：Because.\n'],
    ['with names in bold', '**私**：Why?\n\n**ChatGPT**：Because.\n'],
    ['with names in brackets', '【質問】\nWhy?\n\n【回答】\nBecause.\n'],
    ['with squares', '■質問\nWhy?\n■回答\nBecause.\n'],
    ['with times', '[10:00] You: Why?\n[10:01] ChatGPT: Because.\n'],
    ['with dates', '2026-05-01T10:00:00Z user: Why?\n2026-05-01T10:00:04Z assistant: Because.\n'],
    ['of a terminal', '> Why?\n\n⏺ Because.\n'],
    ['with old line ends', 'Human: Why?\r\rAssistant: Because.\r'],
  ])('is a chat %s', async (_, text) => {
    expect(await nodesOf('chat.txt', text)).toEqual(['Why? / Because.']);
  });

  it('is no chat within its code', async () => {
    const text = 'Q: How?\nA: So:\n```\nQ: x\nA: y\n```\nDone.';
    expect(await nodesOf('chat.txt', text)).toEqual(['How? / So:\n```\nQ: x\nA: y\n```\nDone.']);
  });

  it('of Duck.ai has its prompts by number', async () => {
    const turn = (at: number, asked: string, answer: string): string =>
      `User prompt ${at} of 2 - 5/1/2026, 10:00:00 AM:\n${asked}\n\nGPT-4o mini:\n${answer}\n\n--------\n`;
    const text = `Generated with Duck.ai.\n\n=====\n\n${turn(1, 'Why?', 'Because.')}\n${turn(2, 'And?', 'So.')}`;
    expect(await nodesOf('duck.ai.txt', text)).toEqual(['Why? / Because.', 'And? / So.']);
  });

  it.each([
    [
      'User: solve\nAI: Steps.\nAnswer: 42\nBot: a word\nYou: know',
      ['solve / Steps.\nAnswer: 42\nBot: a word\nYou: know'],
    ],
    ['User: a FAQ\nAssistant: Sure.\nQ: What?\nA: That.', ['a FAQ / Sure.\nQ: What?\nA: That.']],
    ['User: which?\nA: x\nB: y\nAI: A: x is.', ['which?\nA: x\nB: y / A: x is.']],
    ['**You:** a\n**AI:** b\nYou: c\n**You:** d\n**AI:** e', ['a / b\nYou: c', 'd / e']],
    ['質問：a\n回答：b\nAI：c', ['a / b\nAI：c']],
    ['[9:59] You: a\n[10:00] AI: b\nYou: c\n[10:01] You: d', ['a / b\nYou: c', 'd / ']],
    ['User: a\nChatGPT: b\nUser: c\nClaude: d', ['a / b', 'c / d']],
    ['You\na\nChatGPT\nb\nYou\nc\nClaude\nd', ['a / b', 'c / d']],
    ['Me: a\nAI: b\nMe: c\nBot: d\nBot: e\nMe: f\nAI: g', ['a / b', 'c / d\n\ne', 'f / g']],
    ['ユーザー: a\nアシスタント: b\nユーザー: c\nAI: d', ['a / b', 'c / d']],
    ['User: a\nAI: b\nBot: c\nBot: d', ['a / b\nBot: c\nBot: d']],
    ['Q: x\nChatGPT: y\nA: 12\nQ: z\nChatGPT: w', ['x / y\nA: 12', 'z / w']],
    ['Q: x\nA: y\nQ: z\nAnswer: w\nQ: u\nClaude: v', ['x / y', 'z / w', 'u / v']],
    ['User: x\nAI: y\nUser: z\nA: 1', ['x / y', 'z\nA: 1 / ']],
    ['user: a\nassistant: b\nUser: c\nAssistant: d', ['a / b', 'c / d']],
    ['User : a\nAI : b\nUser: c\nAI: d', ['a / b', 'c / d']],
  ])('has only the labels that it began with: %j', async (text, nodes) => {
    expect(await nodesOf('chat.txt', text)).toEqual(nodes);
  });

  // Where the time is not linear, the limit of the runner ends these two.
  it('is split in linear time', () => {
    const text = 'User: a\nAI: b\n```\n```\n'.repeat(30_000);
    expect(readPlainText(text)?.['messages']).toHaveLength(60_000);
  });

  it('is split in linear time where the model changes in a turn of many labels', () => {
    const lines = 'Claude: b\nBot: c\n'.repeat(30_000);
    const found = readPlainText(`User: a\nAI: d\nUser: a\nAI: d\nUser: a\n${lines}`);
    expect(found?.['messages']).toHaveLength(30_005);
  });

  it.each([
    ['lines that end in a colon', 'Hi', 'Do this.\n\nStep one:\nOpen it.\n\nStep two:\nClose it.'],
    ['a prompt with such lines', 'Fix this code:\nprint(1)\n\nAnd this:\nprint(2)', 'Done.'],
    ['a prompt with the name of a maker', 'Compare.\n\nClaude:\nHi there', 'ok'],
    ['names of models', 'Hi', 'As\n\nClaude 3:\nsays.'],
  ])('of Duck.ai keeps %s', async (_, asked, answer) => {
    const text = `Made.\n\n=====\n\nUser prompt 1 of 1 - 5/1/2026:\n${asked}\n\nGPT-4o mini:\n${answer}\n\n--------\n`;
    expect(await nodesOf('duck.ai.txt', text)).toEqual([`${asked} / ${answer}`]);
  });

  it('of Duck.ai with a model of another maker has the name that all turns have', async () => {
    const turn = (at: number): string =>
      `User prompt ${at} of 2:\nRead:\n\nPart ${at}:\nx\n\nNew 1:\ny\n\nEnd ${at}:\nz\n\n-----\n`;
    expect(await nodesOf('duck.ai.txt', `Made.\n\n${turn(1)}${turn(2)}`)).toEqual(
      [1, 2].map((at) => `Read:\n\nPart ${at}:\nx / y\n\nEnd ${at}:\nz`),
    );
  });

  it('of Duck.ai with a model of another maker has a name with a digit', () => {
    const text = 'User prompt 1 of 1:\nRead:\n\nExample:\nx\n\nTulu 3 70B:\ny';
    expect(readPlainText(text)?.['messages']).toContainEqual({
      role: 'assistant',
      model: 'Tulu 3 70B',
      content: 'y',
    });
  });

  it('of Duck.ai without the name of a model loses nothing', () => {
    const { messages } = readPlainText('User prompt 1 of 1:\nHi\nNo name:\nyo\n') ?? {};
    expect(messages).toContainEqual({ role: 'user', content: 'Hi\nNo name:\nyo' });
  });

  it.each([
    'Notes\n\nMe: nothing\n',
    'The meeting\n\nA: agreed\nB: agreed\nQ: when?\n',
    'You\nare welcome.\n',
    '> quoted\n\nplain\n',
  ])('is none: %j', async (text) => {
    await expect(nodesOf('notes.txt', text)).rejects.toMatchObject({ code: 'import-unreadable' });
  });
});

describe('JSON and tables', () => {
  const list = '[{"role":"user","content":"Q"},{"role":"assistant","content":"A"}]';

  it.each([
    ['c.json', `)]}'\n${list}`],
    ['c.json', `// exported\n${list}`],
    ['c.json', `/* exported */ ${list}`],
    ['c.json', `var conversations = ${list};`],
    ['c.js', `window.data = ${list};\n`],
    ['c.tsv', 'role\tcontent\nuser\tQ\nassistant\tA\n'],
    ['c.tsv', 'role\tcontent\nuser\tQ\nassistant\t"A"\n'],
    ['c.csv', 'role;content\nuser;Q\nassistant;"A"\n'],
  ])('are read in %s: %j', async (name, text) => {
    expect(await nodesOf(name, text)).toEqual(['Q / A']);
  });

  it('are read after any number of comments', async () => {
    const comments = '// a\n'.repeat(20_000);
    expect(await nodesOf('c.json', `${comments}const chat = ${list};`)).toEqual(['Q / A']);
  });

  it.each([
    ['"Q" means what?', '"Q" means what?'],
    ['"open', '"open'],
    ['"a ""b"""', 'a "b"'],
  ])('keep the quotes of a field that is not quoted as a whole: %s', async (field, text) => {
    const table = `role\tcontent\nuser\t${field}\nassistant\tA\n`;
    expect(await nodesOf('c.tsv', table)).toEqual([`${text} / A`]);
  });
});
