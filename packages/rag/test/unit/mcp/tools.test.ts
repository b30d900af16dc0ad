import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, connect, NOVEL, openService, textOf } from '../../support/novel-service.ts';

describe('the tools', () => {
  it('are eleven, with schemas and annotations', async () => {
    const client = await connect((await openService()).service);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'add_novel_content',
      'add_novel_setting',
      'get_novel_content',
      'get_novel_instructions',
      'get_novel_settings',
      'list_novel_content',
      'list_novel_instructions',
      'list_novel_projects',
      'list_novel_settings',
      'search_novel_content',
      'search_novel_settings',
    ]);
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema?.type).toBe('object');
      expect(description?.length).toBeGreaterThan(20);
      const writes = name.startsWith('add_');
      expect(annotations).toMatchObject({ readOnlyHint: !writes, destructiveHint: writes });
    }
    expect(client.getInstructions()).toContain('list_novel_projects');
  });

  it('list projects and files, with previews and pages', async () => {
    const { service } = await openService({
      灯台: NOVEL,
      空: {},
      壊: { 'novel.json': '{\n"title": 3}' },
    });
    const client = await connect(service);
    const projects = await call(client, 'list_novel_projects');
    expect(projects.structuredContent).toEqual({
      projects: [
        {
          novelId: '壊',
          title: '壊',
          tags: [],
          problem: "novel.json:2:10: 'title' must be a string",
        },
        { novelId: '空', title: '空', tags: [] },
        { novelId: '灯台', title: '灯台守の娘', author: '島 渚', tags: ['海'] },
      ].toSorted((a, b) => new Intl.Collator('ja').compare(a.novelId, b.novelId)),
      total: 3,
    });
    expect(textOf(projects)).toContain('- 灯台: 灯台守の娘');

    const first = await call(client, 'list_novel_content', { novelId: '灯台', limit: 2 });
    expect(first.structuredContent).toMatchObject({
      files: [
        {
          file: 'contents/第1章.md',
          preview: '# 第一章 嵐の夜 嵐の夜、灯は一人で灯台の火を守った。',
        },
        { file: 'contents/第2章.txt', bytes: Buffer.byteLength(NOVEL['contents/第2章.txt'] ?? '') },
      ],
      total: 3,
      nextOffset: 2,
    });
    const rest = await call(client, 'list_novel_content', { novelId: '灯台', limit: 2, offset: 2 });
    expect(rest.structuredContent).toMatchObject({
      files: [{ file: 'contents/第10章.md' }],
      total: 3,
    });
    expect(rest.structuredContent).not.toHaveProperty('nextOffset');
    const settings = await call(client, 'list_novel_settings', { novelId: '灯台' });
    expect(textOf(settings)).toMatch(/- settings\/人物\.md \(\d+ bytes\): # 人物 ## 灯/);
    const none = await call(client, 'list_novel_settings', { novelId: '空' });
    expect(none.structuredContent).toEqual({ files: [], total: 0 });
    const instructions = await call(client, 'list_novel_instructions', { novelId: '灯台' });
    expect(instructions.structuredContent).toMatchObject({
      files: [{ file: 'DIALOGOI.md' }],
      total: 1,
    });
  });

  it('give texts: of a file, of lines, of all files', async () => {
    const client = await connect((await openService()).service);
    const novelId = '灯台';
    const lines = await call(client, 'get_novel_settings', {
      novelId,
      file: '人物.md',
      startLine: 6,
      endLine: 8,
    });
    expect(lines.structuredContent).toEqual({
      files: [
        {
          file: 'settings/人物.md',
          startLine: 6,
          endLine: 8,
          totalLines: 12,
          text: '## 灯\n\n灯台守の娘。十六歳。\n',
        },
      ],
      total: 1,
    });
    const all = await call(client, 'get_novel_content', { novelId });
    expect(all.structuredContent).toMatchObject({
      files: ['第1章.md', '第2章.txt', '第10章.md'].map((name) => {
        return { file: `contents/${name}`, text: NOVEL[`contents/${name}`] };
      }),
      total: 3,
    });
    const instructions = await call(client, 'get_novel_instructions', { novelId });
    expect(textOf(instructions)).toContain('一人称で書く。');
  });

  it('cut long texts at lines, and say where to continue', async () => {
    const long = Array.from({ length: 3000 }, (_, at) => `${at + 1}行目${'あ'.repeat(30)}`).join(
      '\n',
    );
    const { service } = await openService({ 長: { 'contents/a.md': long, 'contents/b.md': 'b' } });
    const client = await connect(service);
    let read = '';
    let startLine = 1;
    for (;;) {
      const { structuredContent } = await call(client, 'get_novel_content', {
        novelId: '長',
        file: 'a.md',
        startLine,
      });
      const { files } = structuredContent as { files: { text: string; nextLine?: number }[] };
      read += files[0]?.text;
      expect(files[0]?.text.length).toBeLessThanOrEqual(60_000);
      if (files[0]?.nextLine === undefined) break;
      startLine = files[0].nextLine;
    }
    expect(read).toBe(long);
    const all = await call(client, 'get_novel_content', { novelId: '長' });
    expect(all.structuredContent).toMatchObject({
      files: [{ nextLine: expect.any(Number) }],
      nextOffset: 1,
    });
    const next = await call(client, 'get_novel_content', { novelId: '長', offset: 1 });
    expect(next.structuredContent).toMatchObject({ files: [{ text: 'b' }], total: 2 });
  });

  it('search, and cite lines that hold what was found', async () => {
    const client = await connect((await openService()).service);
    const found = await call(client, 'search_novel_content', {
      novelId: '灯台',
      query: '嵐の夜に灯台の火を守ったのは誰？',
      limit: 1,
    });
    const { hits } = found.structuredContent as {
      hits: { file: string; startLine: number; endLine: number; text: string }[];
    };
    expect(hits[0]).toMatchObject({ file: 'contents/第1章.md', headings: ['第一章 嵐の夜'] });
    const { file, startLine, endLine, text } = hits[0] ?? {
      file: '',
      startLine: 0,
      endLine: 0,
      text: '',
    };
    const again = await call(client, 'get_novel_content', {
      novelId: '灯台',
      file,
      startLine,
      endLine,
    });
    expect(textOf(again)).toContain(text);
    const settings = await call(client, 'search_novel_settings', { novelId: '灯台', query: '灯' });
    const { hits: inSettings } = settings.structuredContent as { hits: { file: string }[] };
    expect(inSettings.every((hit) => hit.file.startsWith('settings/'))).toBe(true);
    const byFolder = await call(client, 'search_novel_settings', {
      novelId: '灯台',
      query: '灯 島',
      files: ['世界/'],
    });
    expect(byFolder.structuredContent).toMatchObject({
      hits: [{ file: 'settings/世界/島.md' }],
      total: 1,
    });
    const byGlob = await call(client, 'search_novel_content', {
      novelId: '灯台',
      query: '/./',
      files: ['*.txt'],
    });
    expect(byGlob.structuredContent).toMatchObject({
      hits: [{ file: 'contents/第2章.txt' }],
      total: 1,
    });
  });

  it('say what to try when nothing is found', async () => {
    const client = await connect((await openService()).service);
    const none = await call(client, 'search_novel_content', {
      novelId: '灯台',
      query: 'xylophone',
    });
    expect(none.isError).not.toBe(true);
    expect(none.structuredContent).toMatchObject({
      hits: [],
      total: 0,
      hint: expect.stringContaining('search_novel_settings'),
    });
    expect(textOf(none)).toContain('list_novel_content');
    // The manuscript is not a filter that the model could leave away; the files that it names are.
    expect(textOf(none)).not.toContain('filter');
    const filtered = await call(client, 'search_novel_content', {
      novelId: '灯台',
      query: 'xylophone',
      files: ['第1章.md'],
    });
    expect(textOf(filtered)).toContain('filter');
  });

  it('say what is wrong with their arguments, and which there are', async () => {
    const { service } = await openService({ 灯台: NOVEL });
    const client = await connect(service);
    const wrong = async (given: Record<string, unknown>): Promise<string> => {
      const answer = await call(client, 'search_novel_content', given);
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain('there are novelId, query, files, offset, limit');
      return textOf(answer);
    };
    expect(await wrong({ novelId: '灯台' })).toContain('query: it is missing (A question or words');
    const misspelt = await wrong({ novelId: '灯台', querry: '嵐' });
    expect(misspelt).toContain("there is no 'querry': is 'query' meant?");
    expect(misspelt).toContain('query: it is missing (A question or words in natural language');
    expect(await wrong({ novelId: '灯台', query: '嵐', tags: [] })).toContain(
      "there is no 'tags': there are novelId",
    );
    const many = await wrong({ novelId: '灯台', query: '嵐', limit: 1000 });
    expect(many).toMatch(/limit: .*50.*\(How many entries at most\)/);
    expect(await wrong({ novelId: '灯台', query: '嵐', files: 'contents' })).toContain('files: ');
  });

  it('write files, which are found at once', async () => {
    const { service, root } = await openService();
    const client = await connect(service);
    const novelId = '灯台';
    await call(client, 'search_novel_content', { novelId, query: '鯨' });
    const args = { novelId, file: '第二部/第11章.md', content: '# 鯨\n\n鯨が沖で歌った。\n' };
    const added = await call(client, 'add_novel_content', args);
    expect(added.structuredContent).toEqual({
      file: 'contents/第二部/第11章.md',
      bytes: Buffer.byteLength(args.content),
      created: true,
    });
    const found = await call(client, 'search_novel_content', { novelId, query: '歌ったのは鯨' });
    const { hits } = found.structuredContent as { hits: { file: string }[] };
    expect(hits[0]?.file).toBe('contents/第二部/第11章.md');

    const again = await call(client, 'add_novel_content', { ...args, content: 'x' });
    expect(again.isError).toBe(true);
    expect(textOf(again)).toMatch(/第11章\.md is there already[^]*overwrite: true/);
    const replaced = await call(client, 'add_novel_content', {
      ...args,
      content: '烏賊が光った。',
      overwrite: true,
    });
    expect(replaced.structuredContent).toMatchObject({ created: false });
    const after = await call(client, 'search_novel_content', { novelId, query: '烏賊' });
    expect(after.structuredContent).toMatchObject({ total: 1 });
    await call(client, 'add_novel_setting', { novelId, file: '鯨.txt', content: '白い鯨。' });
    expect(readdirSync(join(root, novelId, 'settings')).toSorted()).toContain('鯨.txt');
  });

  it('report the progress of the first index', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`contents/${at}.md`, `# ${at}\n\n${at}番目の章。`]),
    );
    const client = await connect((await openService({ 多: files })).service);
    const told: { readonly progress: number; readonly total?: number | undefined }[] = [];
    await client.callTool(
      { name: 'search_novel_content', arguments: { novelId: '多', query: '五十番目' } },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(told.length).toBeGreaterThan(0);
    const steps = told.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
    expect(told.at(-1)).toMatchObject({ progress: 60, total: 60 });
    // At once, before the dictionary is there and the files are counted.
    expect(told[0]).toMatchObject({ progress: 0, message: 'opening 多' });
  });
});

describe('a call that names no project', () => {
  const CALLS = [
    ['list_novel_content', {}],
    ['get_novel_settings', { file: '人物.md' }],
    ['search_novel_content', { query: '箱の鍵' }],
    ['add_novel_setting', { file: '新.md', content: '新しい。' }],
  ] as const;

  it.each(CALLS)('means the only one: %s', async (name, args) => {
    const client = await connect((await openService({ 灯台: NOVEL })).service);
    // The second of two calls that write replaces a file, as both of these do.
    const given = { ...args, ...OVERWRITE[name] };
    await call(client, name, given);
    const named = await call(client, name, { novelId: '灯台', ...given });
    const left = await call(client, name, given);
    expect(left.isError ?? false).toBe(false);
    expect(left.structuredContent).toEqual(named.structuredContent);
  });

  it.each(CALLS)('gets the list of projects where there are several: %s', async (name, args) => {
    const client = await connect((await openService({ 灯台: NOVEL, 海: NOVEL })).service);
    const refused = await call(client, name, args);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/2 projects: [^]*灯台/);
    const empty = await connect((await openService({})).service);
    expect(textOf(await call(empty, name, args))).toContain('there are no projects yet');
  });
});

const OVERWRITE: Readonly<Record<string, object>> = { add_novel_setting: { overwrite: true } };

describe('an error helps to do better', () => {
  it.each([
    ['get_novel_settings', { novelId: '燈台' }, /no project '燈台'[^]*灯台[^]*list_novel_projects/],
    ['get_novel_settings', { novelId: '../x' }, /not allowed as a path/],
    [
      'get_novel_settings',
      { novelId: '灯台', file: '人仏.md' },
      /is 'settings\/人物\.md' meant\?[^]*There are: [^]*list_novel_settings/,
    ],
    [
      'get_novel_settings',
      { novelId: '灯台', file: 'contents/第1章.md' },
      /is in contents\/, not in settings\//,
    ],
    [
      'get_novel_content',
      { novelId: '灯台', file: '../../secret.md' },
      /'\.\.'[^]*list_novel_content/,
    ],
    ['get_novel_content', { novelId: '灯台', file: '第1章.md', startLine: 9 }, /has 3 lines/],
    [
      'get_novel_content',
      { novelId: '灯台', startLine: 1 },
      /startLine, endLine, startColumn and endColumn are about one file/,
    ],
    [
      'get_novel_instructions',
      { novelId: '灯台', file: 'novel.json' },
      /instructions of a project are DIALOGOI\.md/,
    ],
    [
      'add_novel_setting',
      { novelId: '灯台', file: '実行.exe', content: '' },
      /neither in \.md nor in \.txt[^]*settings\/名前\.md/,
    ],
    ['add_novel_setting', { novelId: '無', file: 'a.md', content: '' }, /there is no project '無'/],
    ['search_novel_content', { novelId: '灯台', query: '/(/' }, /plain words/],
    [
      'search_novel_content',
      { novelId: '灯台', query: 'a', limit: 500 },
      /limit[^]*50|50[^]*limit/,
    ],
    [
      'search_novel_content',
      { novel_id: '灯台', query: 'a' },
      /novelId[^]*novel_id|novel_id[^]*novelId/,
    ],
    ['search_novel_content', { novelId: '灯台' }, /query/],
  ])('%s %j', async (name, args, expected) => {
    const client = await connect((await openService()).service);
    const result = await call(client, name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
  });
});

describe('files as resources', () => {
  it('are listed in pages, and read', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`contents/${at}.md`, `${at}`]),
    );
    const client = await connect((await openService({ 灯台: NOVEL, 多: many })).service);
    const first = await client.request({ method: 'resources/list', params: {} });
    expect(first.resources).toHaveLength(100);
    const second = await client.request({
      method: 'resources/list',
      params: { cursor: String(first.nextCursor) },
    });
    const all = [...first.resources, ...second.resources];
    expect(all).toHaveLength(126);
    expect(second.nextCursor).toBeUndefined();
    const people = all.find(({ name }) => name === 'settings/人物.md');
    expect(people).toMatchObject({
      mimeType: 'text/markdown',
      title: '灯台守の娘: settings/人物.md',
    });
    const { contents } = await client.readResource({ uri: people?.uri ?? '' });
    expect(contents).toEqual([
      { uri: people?.uri, mimeType: 'text/markdown', text: NOVEL['settings/人物.md'] },
    ]);
    for (const uri of [
      'dialogoi://novels/%E7%81%AF%E5%8F%B0/settings/none.md',
      'dialogoi://novels/%E7%81%AF%E5%8F%B0/settings/..%2F..%2Fx.md',
      'dialogoi://novels/%E7%81%AF%E5%8F%B0/novel.json',
      'file:///etc/passwd',
    ]) {
      await expect(client.readResource({ uri })).rejects.toThrow(
        /esource|there is no|cannot be used|not allowed/,
      );
    }
    await expect(
      client.request({ method: 'resources/list', params: { cursor: 'x' } }),
    ).rejects.toThrow(/cursor/);
  });
});
