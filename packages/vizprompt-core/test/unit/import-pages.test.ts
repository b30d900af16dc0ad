import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ExportFormat } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { zip } from '../fixtures/zip.ts';
import {
  shapeOf,
  temporaryFolder,
  testProject,
  type TestProject,
} from '../support/open-project.ts';

async function imported(name: string, content: string | Buffer): Promise<TestProject> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  const project = await testProject();
  await project.vizprompt.importConversations(path);
  return project;
}

async function nodesOf({ vizprompt }: TestProject): Promise<readonly string[]> {
  return (await shapeOf(vizprompt)).nodes;
}

const message = (id: string, role: string, text: string): object => ({
  id,
  author: { role },
  content: { content_type: 'text', parts: [text] },
});

const shared = {
  title: 'a title',
  conversation_id: 'c',
  mapping: {
    q: { id: 'q', parent: null, children: ['a'], message: message('q', 'user', 'Q') },
    a: { id: 'a', parent: 'q', children: [], message: message('a', 'assistant', 'A') },
  },
};

/** Writes a value as the pages of shared links do: each member is named by its place in a list. */
function flatten(root: unknown): string {
  const flat: unknown[] = [];
  const put = (value: unknown): number => {
    if (value === null || value === undefined) return -5;
    const place = flat.push(value) - 1;
    if (Array.isArray(value)) flat[place] = value.map(put);
    else if (typeof value === 'object') {
      const members = Object.entries(value).map(([key, each]) => [`_${put(key)}`, put(each)]);
      flat[place] = Object.fromEntries(members);
    }
    return place;
  };
  put(root);
  return JSON.stringify(flat);
}

const activity = (product: string, title: string, date: string, html: string): string =>
  `<html><body><div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell">` +
  `<p class="mdl-typography--title">${product}<br></p></div>` +
  `<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${title}<br>${date}<br>${html}</div>` +
  `<div class="content-cell mdl-typography--text-right"></div></div></div></body></html>`;

describe('a page', () => {
  it.each([
    [
      'chat.html',
      `<html><script>var jsonData = ${JSON.stringify([shared])};\nvar more = {};</script></html>`,
    ],
    [
      'a link with its data',
      `<!DOCTYPE html><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ data: shared })}</script>`,
    ],
    [
      'a link with a stream',
      `<!DOCTYPE html><script>window.x.streamController.enqueue(${JSON.stringify(flatten({ data: shared }))});</script>`,
    ],
  ])('of ChatGPT holds its conversations: %s', async (_, page) => {
    const project = await imported('page.html', page);
    expect(await nodesOf(project)).toEqual(['Q / A']);
    expect((await project.vizprompt.listFlows())[0]?.name).toBe('a title');
  });

  it('that names one object without end is refused, and soon', async () => {
    const flat = Array.from({ length: 99 }, (_, at) => ({
      [`_${at}`]: at + 1,
      [`_${at + 1}`]: at + 1,
    }));
    const page = `<!DOCTYPE html><script>x.streamController.enqueue(${JSON.stringify(JSON.stringify(flat))});</script>`;
    await expect(imported('page.html', page)).rejects.toMatchObject({ code: 'import-unreadable' });
  });

  it.each([
    [
      'Gemini Apps',
      'Prompted\u00a0Cats?',
      'May 1, 2026, 10:00:05\u202fAM UTC',
      '2026-05-01T10:00:05.000Z',
    ],
    [
      'Gemini-Apps',
      'Eingegebener Prompt: Cats?',
      '01.05.2026, 12:00:05 MESZ',
      '2026-05-01T10:00:05.000Z',
    ],
    [
      'Gemini アプリ',
      '送信したメッセージ: Cats?',
      '2026/05/01 19:00:05 JST',
      '2026-05-01T10:00:05.000Z',
    ],
  ])('of the activity of %s is a question with its answer', async (product, title, date, time) => {
    const code = '<pre><code>  a()\n    b()</code></pre>';
    const page = activity(product, title, date, `<p>They <b>purr</b>.</p>${code}`);
    const project = await imported('activity.html', page);
    expect(await nodesOf(project)).toEqual(['Cats? / They purr.\n\n```\n  a()\n    b()\n```']);
    const { vizprompt } = project;
    const [flow] = await vizprompt.listFlows();
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    const { timestamp } = await vizprompt.getNode(nodes[0]?.id ?? '');
    expect(new Date(timestamp).toISOString()).toBe(time);
  });

  it.each([
    ['of something else', '<html><body><p>Hello</p></body></html>'],
    [
      'of another product',
      activity('YouTube', 'Watched a film', 'May 1, 2026, 10:00:05 AM UTC', ''),
    ],
  ])('%s is refused', async (_, page) => {
    await expect(imported('page.html', page)).rejects.toMatchObject({ code: 'import-unreadable' });
  });
});

describe('a text', () => {
  it.each([
    [
      'Aider',
      '# aider chat started at 2026-05-01 10:00:00\n\n> Aider v0.86\n\n#### Q\n#### q\n\nA\n\nB\n',
      ['Q\nq / A\n\nB'],
    ],
    [
      'Markdown with headings',
      '# a title\n\n## User:\nQ\n\n## Assistant (gpt-5):\nA\n\n### Why\nB\n',
      ['Q / A\n\n### Why\nB'],
    ],
    [
      'ChatGPT Exporter',
      '# a title\n\n## Prompt:\nQ\n\n## Response:\nA\n\n**Answer:** none\n',
      ['Q / A\n\n**Answer:** none'],
    ],
    ['Windsurf', '# Chat\n\n### User Input\n\nQ\n\n### Planner Response\n\nA\n', ['Q / A']],
    ['Cursor', '**User**\n\nQ\n\n---\n\n**Cursor**\n\nA\n', ['Q / A']],
    ['roles', '# role: user\nQ\n\n# role: assistant\nA\n', ['Q / A']],
    ['Japanese headings', '## あなた\n\nQ\n\n## Claude\n\nA\n', ['Q / A']],
    [
      'the page of a chat',
      'You said:\nQ\n\nChatGPT said:\nA\n\nClaude: B\n',
      ['Q / A\n\nClaude: B'],
    ],
    [
      'the page of a chat with a template in an answer',
      'You said:\nQ\n\nChatGPT said:\nLike this:\n\nYou:\n do this\nClaude:\n do that\n\nbye\n',
      ['Q / Like this:\n\nYou:\n do this\nClaude:\n do that\n\nbye'],
    ],
    ['a page where only prompts are said', '\nYou said:\nQ\n\nChatGPT:\nA\n', ['Q / A']],
    ['a page in Japanese', 'あなた:\nQ\n\nChatGPT:\nA\n', ['Q / A']],
    ['Markdown in bold', '**You:**\n\nQ\n\n**ChatGPT:**\n\nA\n', ['Q / A']],
    [
      'WhatsApp',
      '01/05/2026, 10:00 - Kim: Q\n13/05/2026, 10:01 - Lee: A\nB\n',
      ['Q / ', 'A\nB / '],
    ],
    [
      'WhatsApp of iOS',
      '[5/14/26, 10:00:00\u202fPM] Kim: Q\n[5/14/26, 10:01:00\u202fPM] Lee: A: B\n',
      ['Q / ', 'A: B / '],
    ],
    [
      'LINE',
      '[LINE] 花子とのトーク履歴\n保存日時：2026/05/01 10:00\n\n2026/05/01(金)\n10:00\t花子\tQ\n午後1:05\t太郎\t"A\n\nB"\n',
      ['Q / ', 'A\n\nB / '],
    ],
    [
      'KakaoTalk',
      '영희 님과 카카오톡 대화\n저장한 날짜 : 2026-05-01 11:00:00\n\n--------------- 2026년 5월 1일 금요일 ---------------\n[영희] [오전 10:00] Q\n[철수] [오후 1:05] A\nB\n',
      ['Q / ', 'A\nB / '],
    ],
    [
      'KakaoTalk of a phone',
      '영희 님과 카카오톡 대화\n2026년 5월 1일 오전 10:00\n2026년 5월 1일 오전 10:00, 영희 : Q\n2026년 5월 1일 오후 1:05, 철수 : A\n',
      ['Q / ', 'A / '],
    ],
    [
      'Markdown with times after bold names',
      '**Human** (5/1/2026, 10:00:00 AM)\n\nQ\n\n---\n\n**Claude** (5/1/2026, 10:00:05 AM)\n\nA\n',
      ['Q / A'],
    ],
    [
      'Markdown with texts in parentheses after bold names',
      '**User:** (waves)\n**Assistant:** (waves 2 times)\n**User:** (at 10:00)\nhow are you?\n**Assistant:** (10:00)\nFine.\n',
      ['(waves) / (waves 2 times)', '(at 10:00)\nhow are you? / (10:00)\nFine.'],
    ],
    [
      'Markdown with notes in parentheses after names',
      '**User** (waves)\n\n**User:**\n\nQ\n\n**Assistant:**\n\n**User** (me)\n\nA\n',
      ['Q / **User** (me)\n\nA'],
    ],
    [
      'a template of a model',
      '<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\nA<|im_end|>',
      ['Q / A'],
    ],
  ])('of %s is a conversation', async (_, text, nodes) => {
    expect(await nodesOf(await imported('chat.txt', text))).toEqual(nodes);
  });

  it.each([
    [
      'a manual',
      '# A project\n\n## Install\n\nnpm i\n\n## User guide\n\nRead.\n\n## Response codes\n\n200\n',
    ],
    ['a log', '2026-05-01 10:00:00 INFO: started\n2026-05-01 10:00:01 ERROR: failed\n'],
    ['a page of help', '## ユーザー管理\n\nA\n\n## アシスタントの設定\n\nB\n\n## Prompts\n\nC\n'],
    ['a mail', 'Hi Bob,\n\nYou:\nwrite the text.\n\nGemini:\nchecks it.\n'],
    ['of a database', '# Words\n\n## User\n\nOne who logs in.\n\n## Cursor\n\nA position.\n'],
    ['a note', 'Buy milk\nCall Kim: 10:00\n'],
  ])('that is %s is refused', async (_, text) => {
    await expect(imported('a.md', text)).rejects.toMatchObject({ code: 'import-unreadable' });
  });

  it.each([
    ['a list', '- First item\n- second'],
    ['a table', '| a | b |\n| - | - |'],
    ['a link', '[Docs](http://example.org) are here'],
    ['a bracket', '(see below)'],
    ['a dash', '— he said'],
    ['a dot', '· one'],
  ])('keeps the first line of what was said, where it begins with %s', async (_, said) => {
    for (const [user, assistant] of [
      ['## User', '## Assistant'],
      ['**User**', '**Assistant:**'],
      ['## User - 10:00', '## Assistant (gpt-5)'],
    ]) {
      for (const gap of ['\n', '\n\n', ' \n \n', '\r\n', '\r']) {
        const text = `${user}${gap}${said}\n\n${assistant}${gap}${said}\n`;
        expect(await nodesOf(await imported('a.md', text))).toEqual([`${said} / ${said}`]);
      }
    }
  });

  it.each(['You ChatGPT', 'Human Claude', 'Prompt Response', 'user AI', 'あなた アシスタント'])(
    'of %s is the same conversation as before: its id is by the words of its speakers',
    async (words) => {
      const [asks = '', answers = ''] = words.split(' ');
      const project = await imported('a.md', `## ${asks}\n\nQ\n\n## ${answers}\n\nA\n`);
      const report = await project.vizprompt.importConversations({
        messages: [
          { role: asks.toLowerCase(), content: 'Q' },
          { role: answers.toLowerCase(), content: 'A' },
        ],
      });
      expect(report.conversations).toMatchObject({ unchanged: 1 });
      expect(await project.vizprompt.listFlows()).toHaveLength(1);
    },
  );

  it('may be compressed, and may be JSON', async () => {
    const messages = [
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: 'A' },
    ];
    expect(await nodesOf(await imported('a.json.gz', gzipSync(JSON.stringify(messages))))).toEqual([
      'Q / A',
    ]);
    expect(await nodesOf(await imported('a.txt', JSON.stringify(messages)))).toEqual(['Q / A']);
  });
});

it('a list with the newest message first is in the order of its times', async () => {
  const rows = ['3,AI,A2', '3,Human,Q2', '1,AI,A1', '1,Human,Q1'];
  const table = rows.map((row) => `Cats,2026-05-01T10:00:0${row}`).join('\n');
  const project = await imported('a.csv', `Conversation,Time,Author,Message\n${table}\n`);
  expect(await nodesOf(project)).toEqual(['Q1 / A1', 'Q2 / A2']);
});

it.each([
  ['marks without an end', 'a.txt', '<|im_start|>'],
  ['empty lines', 'a.md', '\n'],
  ['code without an end', 'a.html', '<html><pre>'],
])('many %s take no longer each than a few', async (_, name, piece) => {
  // Quadratic time would run into the time limit of a test.
  expect(await imported(name, piece.repeat(100_000)).catch(() => 'refused')).toBeDefined();
});

describe('a file of a message', () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const url = `data:image/png;base64,${png}`;

  it.each([
    [
      'a data URL',
      [
        { type: 'text', text: 'Q' },
        { type: 'image_url', image_url: { url } },
      ],
      {},
    ],
    [
      'Base64',
      [
        { type: 'text', text: 'Q' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      ],
      {},
    ],
    ['Base64 alone', 'Q', { images: [png, png] }],
  ])('that is %s is stored once, and comes back from exports', async (_, content, more) => {
    const { vizprompt } = await testProject();
    const messages = [
      { role: 'user', content, ...more },
      { role: 'assistant', content: 'A' },
    ];
    await vizprompt.importConversations({ id: 'c', messages });
    const files = await attachedIn(vizprompt);
    expect(new Set(files).size).toBe(1);
    await expectBack(vizprompt, files, ['chatgpt', 'json']);
    if (!('images' in more)) await expectBack(vizprompt, files, ['openai']);
  });

  it('of an archive comes back from an export', async () => {
    const pointer = {
      content_type: 'image_asset_pointer',
      asset_pointer: 'file-service://file-A1',
      size_bytes: 70,
    };
    const asked = {
      ...message('q', 'user', ''),
      content: { content_type: 'multimodal_text', parts: [pointer, 'Q'] },
    };
    const conversation = {
      ...shared,
      mapping: { ...shared.mapping, q: { ...shared.mapping.q, message: asked } },
    };
    const archive = zip({
      'conversations.json': JSON.stringify([conversation]),
      'file-A1-cat.png': Buffer.from(png, 'base64'),
    });
    const { vizprompt } = await imported('export.zip', archive);
    const files = await attachedIn(vizprompt);
    expect(files).toHaveLength(1);
    await expectBack(vizprompt, files, ['chatgpt', 'openai', 'json']);
  });

  type VizPrompt = TestProject['vizprompt'];

  async function attachedIn(vizprompt: VizPrompt): Promise<string[]> {
    const paths: string[] = [];
    for (const { id } of await vizprompt.listFlows())
      for (const { id: nodeId } of (await vizprompt.getFlow(id)).nodes) {
        const { promptParts } = await vizprompt.getNode(nodeId);
        paths.push(
          ...promptParts.flatMap((part) => (part.type === 'file' ? [part.path ?? ''] : [])),
        );
      }
    return paths;
  }

  async function expectBack(
    vizprompt: VizPrompt,
    files: readonly string[],
    formats: readonly ExportFormat[],
  ): Promise<void> {
    const [flow] = await vizprompt.listFlows();
    for (const format of formats) {
      const exported = await vizprompt.exportFlow(flow?.id ?? '', { format });
      const parsed: unknown = JSON.parse(exported);
      const other = await testProject();
      await other.vizprompt.importConversations(Object(parsed));
      expect(await attachedIn(other.vizprompt)).toEqual(files);
    }
  }
});

it.each(['constructor', '__proto__', 'toString'])(
  'a speaker or a kind %s is a name',
  async (name) => {
    const turns = [
      ['user', 'Q'],
      ['assistant', 'A'],
      [name, 'B'],
    ];
    const row = turns.map(([role, said]) => `<|im_start|>${role}\n${said}<|im_end|>`).join('\n');
    const shown = [
      { ts: 1_777_629_600_000, type: 'say', say: 'text', text: 'Q' },
      { ts: 1_777_629_600_001, type: 'say', say: name, text: 'A' },
    ];
    const typesIn = async (file: string, content: string): Promise<readonly string[]> => {
      const { vizprompt } = await imported(file, content);
      const [flow] = await vizprompt.listFlows();
      const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
      const all = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
      const parts = all.flatMap((node) => [...node.promptParts, ...node.responseParts]);
      return parts.map(({ type }) => type);
    };
    expect(await typesIn('ui_messages.json', JSON.stringify(shown))).toEqual(['text', 'data']);
    expect(await typesIn('row.txt', row)).toEqual(['text', 'text', 'data']);
  },
);

it('a task of Cline is read once, from what it sends', async () => {
  const task = [
    { role: 'user', content: [{ type: 'text', text: '<task>\nQ\n</task>' }] },
    { role: 'assistant', content: 'A' },
  ];
  const shown = [
    { ts: 1_777_629_600_000, type: 'say', say: 'text', text: 'Q' },
    { ts: 1_777_629_600_001, type: 'say', say: 'text', text: 'A' },
  ];
  const archive = zip({
    'tasks/1/api_conversation_history.json': JSON.stringify(task),
    'tasks/1/ui_messages.json': JSON.stringify(shown),
    'tasks/1/task_metadata.json': '{"files_in_context":[]}',
  });
  expect(await nodesOf(await imported('tasks.zip', archive))).toEqual(['Q / A']);
});
