import { describe, expect, it } from 'vitest';
import { call, connect, NOVEL, openService, textOf } from '../../support/novel-service.ts';

const LIMIT = 60_000;

interface Text {
  readonly file: string;
  readonly text: string;
  readonly startLine: number;
  readonly nextLine?: number;
  readonly nextColumn?: number;
}

interface Data {
  readonly files: readonly Text[];
  readonly hits: readonly { readonly file: string; readonly text: string }[];
  readonly nextOffset?: number;
  readonly total: number;
}

describe('an answer of at most 60,000 characters', () => {
  it.each([
    ['𩸽', 40_000],
    ['x', 130_001],
    ['嵐\u0301👨‍👩‍👧', 8000],
  ])('reads a line of %s on where it was cut, character by character', async (unit, count) => {
    const file = `first\n${unit.repeat(count)}\r\nlast`;
    const { service } = await openService({ 灯台: { 'contents/長い.md': file } });
    const client = await connect(service);
    let read = '';
    let next: object | undefined = {};
    for (let calls = 0; next; calls++) {
      expect(calls).toBeLessThan(10);
      const args: object = { novelId: '灯台', file: '長い.md', ...next };
      const answer = await call(client, 'get_novel_content', { ...args });
      expect(answer.isError).toBeUndefined();
      expect(textOf(answer).length).toBeLessThanOrEqual(LIMIT);
      const [text] = (answer.structuredContent as Data).files;
      expect(text?.text.isWellFormed()).toBe(true);
      read += text?.text;
      const { nextLine: startLine, nextColumn: startColumn } = text ?? {};
      next =
        startLine === undefined ? undefined : { startLine, ...(startColumn && { startColumn }) };
      if (startColumn === undefined) continue;
      expect(textOf(answer)).toContain(
        `(line 2 is too long and was cut; continue with file contents/長い.md, startLine 2, startColumn ${startColumn})`,
      );
    }
    expect(read).toBe(file);
  });

  it('gives all files one after the other, and cuts no line but the first of an answer', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`contents/${at}.md`, `${at} ${'行'.repeat(25_000)}`]),
    );
    const { service } = await openService({ 灯台: files });
    const client = await connect(service);
    const read: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const answer = await call(client, 'get_novel_content', { novelId: '灯台', offset });
      expect(textOf(answer).length).toBeLessThanOrEqual(LIMIT);
      const data = answer.structuredContent as Data;
      for (const { text, nextColumn } of data.files) {
        expect(nextColumn).toBeUndefined();
        read.push(text);
      }
      offset = data.nextOffset;
    }
    expect(read).toEqual(Object.values(files));
  });

  it('holds for searches: what does not fit is on the next page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [`contents/${at}.md`, `storm ${at} `.repeat(300)]),
    );
    const { service } = await openService({ 灯台: files }, {}, { args: ['--max-tokens', '4000'] });
    const client = await connect(service);
    const found = new Set<string>();
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const args = { novelId: '灯台', query: 'storm', limit: 50, offset };
      const answer = await call(client, 'search_novel_content', args);
      expect(textOf(answer).length).toBeLessThanOrEqual(LIMIT);
      const data = answer.structuredContent as Data;
      for (const { file, text } of data.hits) {
        expect(found.has(file)).toBe(false);
        expect(text).toBe(files[file]?.trim());
        found.add(file);
      }
      offset = data.nextOffset;
    }
    expect(found.size).toBe(25);
  });

  it('holds for lists, whatever a novel.json says, and for errors', async () => {
    const long = '長'.repeat(100_000);
    const facts = JSON.stringify({ title: long, description: long, tags: [long, long] });
    const { service } = await openService({ 灯台: { ...NOVEL, 'novel.json': facts } });
    const client = await connect(service);
    const projects = await call(client, 'list_novel_projects');
    expect(JSON.stringify(projects.structuredContent).length).toBeLessThan(LIMIT);
    expect(textOf(projects)).toContain('長…');
    const refused = await call(client, 'get_novel_content', {
      novelId: '灯台',
      file: `${long}.md`,
    });
    expect(refused.isError).toBe(true);
    expect(textOf(refused).length).toBeLessThan(LIMIT);
  });

  it('says one passage, one line and a column that is not there as people do', async () => {
    const { service } = await openService({ 灯台: NOVEL });
    const client = await connect(service);
    const novelId = '灯台';
    const found = await call(client, 'search_novel_content', { novelId, query: '"舟で来た"' });
    expect(textOf(found)).toMatch(/^1 passage matches\.\n\n## contents\/第2章\.txt, lines 1-2/);
    const file = '第1章.md';
    const one = await call(client, 'get_novel_content', {
      novelId,
      file,
      startLine: 1,
      endLine: 1,
    });
    expect(textOf(one)).toContain('(line 1 of 3)');
    const beyond = await call(client, 'get_novel_content', {
      novelId,
      file,
      startLine: 9,
      endLine: 9,
    });
    expect(textOf(beyond)).toBe('contents/第1章.md has 3 lines, there is no line 9');
    const column = { novelId, file, startLine: 1, startColumn: 99 };
    expect(textOf(await call(client, 'get_novel_content', column))).toContain(
      'line 1 of contents/第1章.md has 10 characters, and none at startColumn 99',
    );
  });
});

describe('an empty page', () => {
  it.each([
    ['list_novel_projects', {}, 1],
    ['list_novel_content', {}, 3],
    ['get_novel_content', {}, 3],
    ['search_novel_content', { query: '嵐' }, 1],
  ])('say that a page begins after the last entry: %s', async (name, args, total) => {
    const client = await connect((await openService({ 灯台: NOVEL })).service);
    const answer = await call(client, name, { ...args, offset: 50 });
    expect(textOf(answer)).toBe(
      `There is nothing at this offset: there are ${total} in all, from offset 0.`,
    );
  });
});
