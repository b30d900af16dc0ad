import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { loadRagConfig, type SearchResults } from '@vizprompt/rag';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';
import { writeNovel } from '../../support/novel.ts';

describe('dialogoi', () => {
  let place: Place;
  let root = '';
  beforeEach(async () => {
    place = await Place.make();
    root = await writeNovel(place.cwd);
  });
  afterEach(() => place[Symbol.asyncDispose]());

  it('lists projects and files, and prints what is in them', async () => {
    await writeFile(join(root, 'settings/壊.md'), Buffer.from([0x93, 0x94]));
    const { stdout } = await place.run('dialogoi', ['projects']);
    expect(stdout).toBe('灯台  灯台守の娘  島 渚  海\n');
    const projects = await place.json<object[]>('dialogoi', ['projects']);
    expect(projects).toMatchObject([{ id: '灯台', author: '島 渚' }]);

    const files = await place.json<{ files: { path: string }[] }>('dialogoi', ['files']);
    expect(files.files.map(({ path }) => path)).toEqual([
      'settings/壊.md',
      'settings/人物.md',
      'contents/01.md',
      'contents/10.md',
      'DIALOGOI.md',
    ]);
    expect(await place.json('dialogoi', ['files', 'contents', '--limit', '1'])).toMatchObject({
      files: [{ path: 'contents/01.md' }],
      total: 2,
      nextOffset: 1,
    });
    const whole = await place.run('dialogoi', ['get', 'settings/人物.md']);
    expect(whole.stdout).toBe(await readFile(join(root, 'settings/人物.md'), 'utf8'));
    const lines = ['get', 'settings/人物.md', '--start-line', '6', '--end-line', '8'];
    expect((await place.run('dialogoi', lines)).stdout).toBe('## 灯\n\n灯台守の娘。十六歳。\n');
    const cut = await place.run('dialogoi', [...lines, '--max-characters', '6']);
    expect(cut).toMatchObject({ stdout: '## 灯\n\n', code: 0 });
    expect(cut.stderr).toContain('continues: --start-line 8');
    const area = await place.run('dialogoi', ['get', 'settings']);
    expect(area.stdout).toContain('── settings/人物.md\n---\ntags');
    expect(area.stderr).toMatch(/settings\/壊\.md.*UTF-8/);
    expect((await place.run('dialogoi', ['get', 'DIALOGOI.md'])).stdout).toContain('一人称');
  });

  it('indexes, searches and adds, with every way to give a text', async () => {
    const index = await place.run('dialogoi', ['index']);
    expect(index).toMatchObject({
      stdout: '灯台: 4 indexed, 0 removed, 0 unchanged, 0 failed\n',
      stderr: '',
      code: 0,
    });
    const found = await place.run('dialogoi', ['search', '箱の鍵は？', '--limit', '1']);
    expect(found.stdout).toContain('contents/10.md:1-3  第十章 箱  ');
    expect(found.stdout).toContain('祖父の埋めた箱には鍵がなかった。');
    const search = async (...args: readonly string[]): Promise<SearchResults> =>
      place.json('dialogoi', ['search', ...args]);
    expect((await search('灯', '--area', 'settings')).hits[0]).toMatchObject({
      novelId: '灯台',
      payload: { file: 'settings/人物.md' },
    });
    expect((await search('灯', '--tags', '人物,無い')).total).toBe(0);
    expect((await search('灯', '--files', '1*.md', 'contents/01.md')).total).toBe(1);
    const wide = await search('老人', '--before', '1', '--explain');
    expect(wide.hits[0]?.context?.text).toContain('十六歳');
    expect(wide.hits[0]?.explanation?.length).toBeGreaterThan(0);
    // Words need no quotes around them.
    const quoted = await place.json('dialogoi', ['search', '嵐 鍵', '--limit', '3']);
    expect(await place.json('dialogoi', ['search', '嵐', '鍵', '--limit', '3'])).toEqual(quoted);
    const piped = await place.run('dialogoi', ['search', '-', '--json'], { input: '嵐の夜' });
    expect(JSON.parse(piped.stdout)).toMatchObject({
      hits: [{ payload: { file: 'contents/01.md' } }],
    });

    await place.run('dialogoi', ['add', 'contents/02.md', '--content', '針は南を指した。'], {});
    expect((await search('針')).hits[0]?.payload.file).toBe('contents/02.md');
    const add = ['add', 'contents/02.md', '--content', '-'];
    const refused = await place.run('dialogoi', add, { input: '針は北を指した。' });
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('--overwrite');
    const again = await place.run('dialogoi', [...add, '--overwrite'], { input: '錨は北。' });
    expect(again).toMatchObject({ code: 0, stdout: 'replaced contents/02.md\n' });
    await writeFile(join(place.cwd, '下書き.txt'), '帆は白い。');
    await place.run('dialogoi', ['add', 'contents/03.md', '--content-file', '下書き.txt']);
    expect((await search('帆')).hits[0]?.payload.file).toBe('contents/03.md');
  });

  it('streams all hits, of every project that is asked', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `## ${at + 1}\n\n霧笛が鳴った。\n`);
    await writeFile(join(root, 'contents/20.md'), lines.join('\n'));
    const some = await place.json<SearchResults>('dialogoi', ['search', '霧笛']);
    expect(some.hits).toHaveLength(10);
    const all = await place.json<readonly object[]>('dialogoi', ['search', '霧笛', '--all']);
    expect(all).toHaveLength(some.total);
    expect(all.length).toBeGreaterThan(some.hits.length);
    expect(all.slice(0, 10)).toEqual(some.hits);
    const rest = ['search', '霧笛', '--all', '--offset', '4'];
    expect(await place.json('dialogoi', rest)).toEqual(all.slice(4));
    const printed = await place.run('dialogoi', ['search', '霧笛', '--all', '--limit', '3']);
    expect(printed.stdout.match(/^contents\/20\.md:/gm)).toHaveLength(all.length);
    expect(printed.stderr).toContain(String(all.length));
    expect(await place.json('dialogoi', ['search', '鯨', '--all'])).toEqual([]);
  });

  it('logs what it does to the file that the settings name, from a level on', async () => {
    const log = join(place.cwd, 'novels.log');
    const named = ['--log-file', 'novels.log'];
    await place.run('dialogoi', ['index', ...named]);
    await writeFile(join(root, 'settings/壊.md'), Buffer.from([0x93, 0x94]));
    await place.run('dialogoi', ['index'], { env: { DIALOGOI_LOG_FILE: log } });
    const read = async (): Promise<readonly Record<string, unknown>[]> =>
      (await readFile(log, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const entries = await read();
    const files = entries.filter(({ message }) => message === 'file:indexed');
    expect(files.map(({ path }) => path)).toContain('contents/10.md');
    expect(entries.every(({ level, time }) => level !== undefined && time !== undefined)).toBe(
      true,
    );
    // Only what is wrong from here on.
    await rm(log);
    await writeFile(join(root, 'contents/01.md'), '凪の朝。');
    await place.run('dialogoi', ['index', ...named, '--log-level', 'error']);
    expect((await readFile(log, 'utf8').catch(() => '')).includes('file:indexed')).toBe(false);
    // A folder that cannot be written to stops no work.
    const nowhere = await place.run('dialogoi', ['search', '凪', '--log-file', 'none/such.log']);
    expect(nowhere).toMatchObject({ code: 0 });
    expect(nowhere.stdout).toContain('contents/01.md');
  });

  it('takes the settings of the nearest folder, of variables and of arguments', async () => {
    await mkdir(join(place.cwd, 'config'));
    await writeFile(
      join(place.cwd, 'config/dialogoi.config.json'),
      '{ "projectRoot": "./novels", "search": { "defaultK": 1 } }',
    );
    const cwd = join(root, 'contents');
    expect(
      (await place.json<SearchResults>('dialogoi', ['search', '灯'], { cwd })).hits,
    ).toHaveLength(1);
    const more = await place.json<SearchResults>('dialogoi', ['search', '灯', '--default-k', '3'], {
      cwd,
    });
    expect(more.hits).toHaveLength(2);
    const wrong = await place.run('dialogoi', ['projects', '--max-tokens', '5'], { cwd });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('--max-tokens');

    const elsewhere = { cwd: place.home };
    const byData = ['projects', '--data', 'work'];
    expect(await place.json('dialogoi', byData, elsewhere)).toHaveLength(1);
    const byArgument = ['projects', '--project-root', 'work/novels'];
    expect(await place.json('dialogoi', byArgument, elsewhere)).toHaveLength(1);
    const env = { DIALOGOI_PROJECT_ROOT: 'work/novels' };
    expect(await place.json('dialogoi', ['projects'], { ...elsewhere, env })).toHaveLength(1);
    const nowhere = await place.run('dialogoi', ['projects'], elsewhere);
    expect(nowhere).toMatchObject({ code: 3, stdout: '' });
  });

  it('knows every setting that the package knows', async () => {
    const unknown = await loadRagConfig({ args: ['--?'], env: {} }).catch(messageOf);
    const known = JSON.stringify(unknown).match(/--[a-z-]+/g) ?? [];
    expect(known.length).toBeGreaterThan(10);
    const { stdout } = await place.run('dialogoi', ['search', '--help']);
    for (const flag of known) expect(stdout).toContain(`  ${flag} `);
  });

  it('finds the project that is meant, or says which there are', async () => {
    await writeNovel(place.cwd, '港');
    const several = await place.run('dialogoi', ['get', 'DIALOGOI.md']);
    expect(several).toMatchObject({ code: 2, stdout: '' });
    expect(several.stderr).toMatch(/--project with one of .*灯台/);
    const named = await place.run('dialogoi', ['get', 'DIALOGOI.md', '--project', '港']);
    expect(named.code).toBe(0);
    const here = await place.run('dialogoi', ['get', 'DIALOGOI.md', '--project-root', '..'], {
      cwd: root,
    });
    expect(here.code).toBe(0);
    const chapters = join(root, 'contents');
    const inside = await place.run('dialogoi', ['get', 'DIALOGOI.md'], { cwd: chapters });
    expect(inside).toMatchObject({ code: 0, stderr: '' });
    const unknown = await place.run('dialogoi', ['search', 'x', '--project', '山']);
    expect(unknown).toMatchObject({ code: 3, stdout: '' });
    await rm(join(place.cwd, 'novels'), { recursive: true });
    await mkdir(join(place.cwd, 'novels'));
    expect((await place.run('dialogoi', ['index'])).code).toBe(3);
  });

  it('measures itself', async () => {
    const questions = [
      { question: '嵐の夜に火を守ったのは？', relevant: ['contents/01.md'] },
      { question: '櫂を漕ぐのは誰？', relevant: ['settings/人物.md'], group: 'a' },
    ];
    const lines = questions.map((one) => JSON.stringify(one)).join('\n');
    const measured = await place.run('dialogoi', ['eval', '-', '--json'], { input: lines });
    expect(JSON.parse(measured.stdout)).toMatchObject({ questions: 2, k: 10, hitAtK: { mean: 1 } });
    await writeFile(join(place.cwd, 'q.json'), JSON.stringify(questions));
    const table = await place.run('dialogoi', ['eval', 'q.json', '--k', '3']);
    expect(table.stdout).toContain('hit@3');
    expect(table.stderr).not.toContain('dialogoi: ');
    const lost = [{ question: '火', relevant: ['contents/99.md', '01.md', 'a#b@1'] }];
    await writeFile(join(place.cwd, 'lost.json'), JSON.stringify(lost));
    const warned = await place.run('dialogoi', ['eval', 'lost.json']);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain("dialogoi: there is no contents/99.md in the project '");
    expect(warned.stderr).toContain("dialogoi: '01.md' is in no area: begin with settings/");
    expect(warned.stderr).not.toContain('a#b@1');
    const unread = [
      ['eval', '-', `${lines}\n\n{"question"`, 'standard input:4:12: '],
      ['eval', '-', `${lines}\n{"question": "？"}`, 'standard input:3:1: it must be {"question"'],
      ['eval', '-', '[\n {"question": "？", "relevant": []}\n]', 'standard input:2:2: it must be'],
      ['eval', '-', '{"question": "？", "relevant": ["a"], "k": 1}', 'standard input:1:1: it must'],
      ['eval', '-', '[]', 'there are no questions'],
      ['eval', '-', '', 'standard input is empty'],
    ] as const;
    for (const [command, file, input, message] of unread) {
      const run = await place.run('dialogoi', [command, file], { input });
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain(message);
    }
    await writeFile(join(place.cwd, 'q.jsonl'), `${lines}\nno JSON\n`);
    const named = await place.run('dialogoi', ['eval', 'q.jsonl', '--lang', 'ja']);
    expect(named.stderr).toContain('q.jsonl:3:1: ');
  });

  it('says where nothing is found, and how to name another folder', async () => {
    await rm(join(root, 'settings'), { recursive: true });
    const none = await place.run('dialogoi', ['files', 'settings']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'nothing was found\n' });
    await rm(root, { recursive: true });
    const projects = await place.run('dialogoi', ['projects', '--lang', 'ja']);
    expect(projects).toMatchObject({ code: 0, stdout: '', stderr: '見つかりませんでした\n' });
    expect(await place.json('dialogoi', ['projects'])).toEqual([]);
    const nowhere = await place.run('dialogoi', ['projects', '--project-root', 'elsewhere']);
    expect(nowhere.code).toBe(3);
    expect(nowhere.stderr).toContain('--project-root');
  });

  it.each([
    [['search'], 2],
    [['search', 'a', '--k', '0'], 2],
    [['search', 'a', '--area', '庭'], 2],
    [['search', '/(/'], 2],
    [['get', '庭/01.md'], 2],
    [['get', 'contents/99.md'], 3],
    [['get', 'contents/01.md', '--start-line', '99'], 2],
    [['get', 'contents/../../../x.md'], 2],
    [['add', 'contents/a.md'], 2],
    [['add', 'contents', '--content', 'a'], 2],
    [['add', 'contents/a.md', '--content', 'a', '--content-file', 'b'], 2],
    [['add', 'contents/../a.md', '--content', 'a'], 2],
    [['add', 'contents/a.exe', '--content', 'a'], 2],
    [['eval', 'nowhere.json'], 2],
    [['files', '庭'], 2],
    [['index', '無い'], 3],
    [['mcp', '--port', '99999'], 2],
    [['mcp', '--http', '--token', 'short'], 2],
    [['mcp', 'extra'], 2],
  ])('%j ends with %i, an error and nothing else', async (args, code) => {
    const run = await place.run('dialogoi', [...args, '--json']);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { exitCode: code } });
  });

  it('ends with 5 where files cannot be indexed, and names them', async () => {
    await writeFile(join(root, 'contents/壊.md'), Buffer.from([0x93, 0x94]));
    const run = await place.run('dialogoi', ['index', '--lang', 'ja']);
    expect(run.code).toBe(5);
    expect(run.stdout).toBe('灯台: 索引 4、削除 0、変更なし 0、失敗 1\n');
    expect(run.stderr).toContain('contents/壊.md');
    expect(run.stderr).toContain('1 個のファイルを索引にできませんでした');
  });
});
