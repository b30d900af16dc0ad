import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    ['c.csv', 'role;content\nuser;Q\nassistant;"A"\n'],
  ])('are read in %s: %j', async (name, text) => {
    expect(await nodesOf(name, text)).toEqual(['Q / A']);
  });

  it('are read after any number of comments', async () => {
    const comments = '// a\n'.repeat(20_000);
    expect(await nodesOf('c.json', `${comments}const chat = ${list};`)).toEqual(['Q / A']);
  });
});
