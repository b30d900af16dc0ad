import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { zip } from '../fixtures/zip.ts';
import { openProject, shapeOf, temporaryFolder } from '../support/open-project.ts';

const chat = (uuid: string): object => ({
  uuid,
  name: uuid,
  chat_messages: [{ uuid: `${uuid}-q`, sender: 'human', text: `the question of ${uuid}` }],
});

const withPicture = {
  id: 'c',
  title: 'a picture',
  mapping: {
    q: {
      id: 'q',
      parent: null,
      message: {
        author: { role: 'user' },
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00aa' },
            'the question',
          ],
        },
        metadata: { attachments: [{ id: 'file_00aa', name: 'rose.png', mimeType: 'image/png' }] },
      },
    },
  },
};

describe('an archive', () => {
  it.each([
    [
      'of single conversations',
      { 'a.json': JSON.stringify(chat('a')), 'b.json': JSON.stringify(chat('b')) },
    ],
    [
      'with an archive',
      {
        'in/conversations-000.zip': zip({
          'conversations.json': JSON.stringify([chat('a'), chat('b')]),
        }),
      },
    ],
  ])('%s is read', async (_what, files) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'x.zip'), zip(files));
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(join(folder, 'x.zip'));
    expect(report).toMatchObject({ conversations: { total: 2, imported: 2 }, skipped: [] });
  });

  it('may be in a folder', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in/x.zip'), zip({ 'a.json': JSON.stringify(chat('a')) }));
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(folder);
    expect(report.texts.map(({ file }) => file)).toEqual(['in/x.zip/a.json']);
  });

  it('gives its files with their names, by their ids or by the list of ChatGPT', async () => {
    const folder = await temporaryFolder();
    for (const [at, files] of [
      { 'file_00aa-rose.png': '\u0089PNG the picture' },
      {
        'file_00aa.dat': 'the picture',
        'conversation_asset_file_names.json': '{"file_00aa.dat":"rose.png"}',
      },
    ].entries()) {
      const path = join(folder, `${at}.zip`);
      writeFileSync(path, zip({ 'conversations.json': JSON.stringify([withPicture]), ...files }));
      const vizprompt = await openProject();
      await vizprompt.importConversations(path);
      const [hit] = await vizprompt.searchNodes({});
      const [file] = (await vizprompt.getNode(hit?.id ?? '')).promptParts;
      expect(file).toMatchObject({ type: 'file', fileName: 'rose.png', mediaType: 'image/png' });
      expect(file).toHaveProperty('path', expect.stringMatching(/^attachments\//));
    }
  });

  it('counts what is next to its conversations, and reads projects and memories', async () => {
    const folder = await temporaryFolder();
    const project = {
      uuid: 'p',
      name: 'a project',
      prompt_template: 'be brief',
      docs: [{ uuid: 'd', filename: 'a.txt', content: 'a document' }],
    };
    writeFileSync(
      join(folder, 'x.zip'),
      zip({
        'conversations.json': JSON.stringify([chat('a')]),
        'projects.json': JSON.stringify([project]),
        'memories.json': JSON.stringify([
          { conversations_memory: 'likes cats', account_uuid: 'u' },
        ]),
        'users.json': JSON.stringify([{ uuid: 'u', full_name: 'A Name' }]),
      }),
    );
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(join(folder, 'x.zip'));
    expect(report).toMatchObject({ conversations: { imported: 3 }, skipped: [] });
    expect((await vizprompt.searchNodes({ text: 'document' })).length).toBe(1);
    expect(report.texts.find(({ file }) => file === 'users.json')).toEqual({
      file: 'users.json',
      total: 1,
      kept: 0,
      leftOut: { full_name: 1 },
    });
  });
});

describe('a file', () => {
  const json = JSON.stringify([chat('猫')]);

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(json, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le').swap16()],
    ['JSON with NaN', Buffer.from(json.replace('"name"', '"score":NaN,"name"'))],
  ])('may be %s', async (_what, bytes) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'x.json'), bytes);
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(join(folder, 'x.json'));
    expect(report.warnings).toEqual([]);
    expect((await shapeOf(vizprompt)).nodes).toEqual(['the question of 猫 / ']);
  });

  it('may be a table of messages', async () => {
    const folder = await temporaryFolder();
    writeFileSync(
      join(folder, 'copilot-activity-history.csv'),
      '\ufeffConversation,Time,Author,Message\r\nCats,2026-05-01T10:00:00,Human,"the ""question"",\nin two lines"\r\nCats,2026-05-01T10:00:01,AI,the answer\r\nDogs,2026-05-02T10:00:00,Human,another question\r\n',
    );
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(folder);
    expect(report.flows.map(({ name, nodes }) => [name, nodes])).toEqual([
      ['Cats', 1],
      ['Dogs', 1],
    ]);
    const [cats] = (await vizprompt.getFlow('Cats')).nodes;
    expect(await vizprompt.getNode(cats?.id ?? '')).toMatchObject({
      prompt: 'the "question",\nin two lines',
      response: 'the answer',
    });
  });

  it.each([
    [
      'of KakaoTalk is a chat between people',
      'chat.csv',
      '\ufeffDate,User,Message\r\n2026-05-01 10:00:00,"영희","Q"\r\n2026-05-01 10:00:05,"철수","A, B"\r\n',
      ['Q / ', 'A, B / '],
    ],
    [
      'of questions and answers may say when and by whom',
      'log.csv',
      'timestamp,user,message,response\n2026-05-01 10:00,u1,Q1,A1\n2026-05-01 10:01,u1,Q2,A2\n',
      ['Q1 / A1', 'Q2 / A2'],
    ],
    [
      'of messages may name the user next to who speaks',
      'log.csv',
      'date,user,role,message\n2026-05-01 10:00,u1,user,Q1\n2026-05-01 10:01,u1,assistant,A1\n',
      ['Q1 / A1'],
    ],
    [
      'of messages may name the user next to their type',
      'log.csv',
      'timestamp,user,type,text\n2026-05-01 10:00,u1,human,Q1\n2026-05-01 10:01,u1,ai,A1\n',
      ['Q1 / A1'],
    ],
    [
      'of prompts and texts may say when and by whom',
      'log.csv',
      'date,user,prompt,text\n2026-05-01 10:00,u1,Q1,A1\n',
      ['Q1 / A1'],
    ],
    [
      'of messages may be next to a list of those that are pinned',
      'pinned.json',
      JSON.stringify({
        pinned: [{ id: 'm3', role: 'user' }],
        messages: {
          m1: { id: 'm1', role: 'user', content: 'Q1' },
          m2: { id: 'm2', role: 'assistant', content: 'A1' },
          m3: { id: 'm3', role: 'user', content: 'Q2' },
          m4: { id: 'm4', role: 'assistant', content: 'A2' },
        },
      }),
      ['Q1 / A1', 'Q2 / A2'],
    ],
    [
      'of lines may begin with what describes them',
      'chat.jsonl',
      '{"title":"Cats","model":"m"}\n{"role":"user","content":"Q"}\n{"role":"assistant","content":"A"}\n',
      ['Q / A'],
    ],
  ])('%s', async (_, name, text, expected) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, name), text);
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(join(folder, name));
    expect(report).toMatchObject({ skipped: [], warnings: [] });
    expect((await shapeOf(vizprompt)).nodes).toEqual(expected);
  });

  it('that is cut off gives its whole messages, and the rest when it is whole', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.json');
    const messages = [
      { id: 'q', role: 'user', content: [{ type: 'text', text: 'the question' }] },
      { id: 'a', role: 'assistant', content: [{ type: 'text', text: 'the answer' }] },
    ];
    const text = JSON.stringify({ id: 'c', messages });
    const vizprompt = await openProject();
    writeFileSync(path, text.slice(0, text.indexOf('answer') + 3));
    const cut = await vizprompt.importConversations(path);
    expect(cut.warnings[0]?.reason).toMatch(
      /^it is cut off: its last \d+ characters were not read$/,
    );
    expect((await shapeOf(vizprompt)).nodes).toEqual(['the question / ']);
    writeFileSync(path, text);
    await vizprompt.importConversations(path);
    expect((await shapeOf(vizprompt)).nodes).toEqual(['the question / the answer']);
  });

  it('may be the database of llm', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'logs.db');
    const logs = sqliteDatabase({ path });
    await logs.transaction(async (sql) => {
      await sql.execute('CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT)');
      await sql.execute(
        'CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, response TEXT, conversation_id TEXT, datetime_utc TEXT)',
      );
      await sql.execute('CREATE TABLE attachments (id TEXT, url TEXT)');
      await sql.execute("INSERT INTO conversations VALUES ('x', 'Cats')");
      await sql.execute("INSERT INTO attachments VALUES ('a', 'https://a.example/')");
      for (const [id, prompt] of [
        ['1', 'the question'],
        ['2', 'and then?'],
      ] as const) {
        await sql.execute('INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?)', [
          id,
          'm',
          prompt,
          'be brief',
          'the answer',
          'x',
          '2026-05-01T10:00:00',
        ]);
      }
    });
    await logs.close();
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(path);
    expect(report.flows).toMatchObject([{ name: 'Cats', nodes: 2, connections: 1 }]);
    expect(report.texts.map(({ leftOut }) => leftOut)).toEqual([{}]);
    const [flow] = await vizprompt.listFlows();
    const exported = await vizprompt.exportFlow(flow?.id ?? '', { format: 'json' });
    expect(exported).toContain('https://a.example/');
  });

  it('without times is before none', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations([{ role: 'user', content: 'the question' }]);
    expect(await vizprompt.searchNodes({ before: '2000-01-01' })).toEqual([]);
    const [flow] = await vizprompt.listFlows();
    for (const format of ['markdown', 'html', 'graphml', 'cytoscape'] as const) {
      expect(await vizprompt.exportFlow(flow?.id ?? '', { format })).not.toContain('1970');
    }
  });
});

async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

describe('a folder', () => {
  it('is read where an archive in it is truncated: that one is skipped', async () => {
    await using vizprompt = await openProject();
    const whole = zip({ 'a.json': JSON.stringify(chat('a')) });
    const report = await vizprompt.importConversations(
      await folderOf({
        'whole.zip': whole,
        'truncated.zip': whole.subarray(0, 40),
        'b.json': JSON.stringify(chat('b')),
      }),
    );
    expect(report.conversations).toMatchObject({ imported: 2, skipped: 1 });
    expect(report.skipped).toMatchObject([
      { entry: 'truncated.zip', reason: expect.stringContaining('is no zip archive') },
    ]);
  });

  it('of Jan gives its threads their titles and instructions', async () => {
    await using vizprompt = await openProject();
    const message = (id: string, role: string, value: string): object => ({
      id,
      object: 'thread.message',
      thread_id: 't',
      role,
      content: [{ type: 'text', text: { value, annotations: [] } }],
      created_at: 1_777_000_000_000,
    });
    const report = await vizprompt.importConversations(
      await folderOf({
        'threads/t/thread.json': JSON.stringify({
          id: 't',
          object: 'thread',
          title: 'the title',
          assistants: [{ assistant_name: 'Jan', instructions: 'be brief, please' }],
        }),
        'threads/t/messages.jsonl': [
          message('1', 'user', 'the question'),
          message('2', 'assistant', 'the answer'),
        ]
          .map((each) => JSON.stringify(each))
          .join('\n'),
      }),
    );
    expect(report.flows).toMatchObject([{ name: 'the title', nodes: 1 }]);
    const [node] = (await vizprompt.getFlow(report.flows[0]?.id ?? '')).nodes;
    const held = await vizprompt.getNode(node?.id ?? '');
    expect(held).toMatchObject({ prompt: 'the question', response: 'the answer' });
    expect(JSON.stringify(held)).toContain('be brief, please');
  });

  it('with nothing but texts is read from them', async () => {
    await using vizprompt = await openProject();
    const report = await vizprompt.importConversations(
      await folderOf({
        'cats.md': '**You:** Do cats dream?\n\n**Claude:** Yes.\n\nOf mice.\n',
        'notes.md': '# Notes\n\nNo chat.\n',
      }),
    );
    expect((await shapeOf(vizprompt)).nodes).toEqual(['Do cats dream? / Yes.\n\nOf mice.']);
    expect(report.skipped).toMatchObject([{ entry: 'notes.md' }]);
  });
});
