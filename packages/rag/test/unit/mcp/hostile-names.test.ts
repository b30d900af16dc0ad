import { describe, expect, it } from 'vitest';
import { RagError, type NovelService } from '../../../src/index.ts';
import { call, connect, openService, textOf } from '../../support/novel-service.ts';

/** Names that no database and no file system can hold. */
const names = ['\0', 'a\0b', '\ud800', 'x\udfff'];

type Ask = (service: NovelService, name: string) => Promise<unknown>;

const projects: Readonly<Record<string, Ask>> = {
  getProject: (service, id) => service.getProject(id),
  list: (service, id) => service.list(id, 'contents'),
  read: (service, id) => service.read(id, 'settings'),
  search: (service, id) => service.search(id, '灯台'),
  index: (service, id) => service.index(id),
  watch: (service, id) => service.watch(id),
  add: (service, id) => service.add(id, 'settings', 'a.md', 'x'),
};

const files: Readonly<Record<string, Ask>> = {
  'that is read': (service, file) => service.read('灯台', 'settings', { file }),
  'that is written': (service, file) => service.add('灯台', 'settings', `${file}.md`, 'x'),
};

describe('a name that nothing holds', () => {
  it('is that of no project', async () => {
    const { service } = await openService();
    for (const [method, ask] of Object.entries(projects)) {
      for (const name of names) {
        const refused: unknown = await ask(service, name).catch((error: unknown) => error);
        expect([method, name, refused]).toEqual([
          method,
          name,
          expect.objectContaining({
            code: expect.stringMatching(/^(?:project-not-found|path-invalid)$/),
          }),
        ]);
      }
    }
  });

  it.each(Object.entries(files))('is that of no file %s', async (_, ask) => {
    const { service } = await openService();
    for (const name of names) {
      const refused: unknown = await ask(service, name).catch((error: unknown) => error);
      expect([name, RagError.isInstance(refused) && refused.code]).toEqual([
        name,
        expect.stringMatching(/^(?:path-invalid|file-not-found)$/),
      ]);
    }
  });

  it('finds nothing, as a question or as a filter', async () => {
    const { service } = await openService();
    for (const name of names) {
      expect((await service.search('灯台', name)).hits).toEqual([]);
      expect((await service.search('灯台', '灯', { files: [name] })).hits).toEqual([]);
    }
    expect((await service.search('灯台', '灯')).hits).not.toEqual([]);
  });

  it('is reported to a model in words when it calls a tool with it', async () => {
    const { service } = await openService();
    const client = await connect(service);
    const novelId = '灯台';
    const calls: readonly [string, (name: string) => Record<string, unknown>][] = [
      ['list_novel_settings', (id) => ({ novelId: id })],
      ['list_novel_content', (id) => ({ novelId: id })],
      ['get_novel_settings', (id) => ({ novelId: id })],
      ['get_novel_settings', (file) => ({ novelId, file })],
      ['get_novel_content', (file) => ({ novelId, file })],
      ['search_novel_settings', (id) => ({ novelId: id, query: '灯' })],
      ['search_novel_content', (id) => ({ novelId: id, query: '灯' })],
      ['add_novel_setting', (id) => ({ novelId: id, file: 'a.md', content: 'x' })],
      ['add_novel_setting', (file) => ({ novelId, file, content: 'x' })],
      ['add_novel_content', (file) => ({ novelId, file: `${file}.md`, content: 'x' })],
    ];
    for (const [tool, args] of calls) {
      for (const name of names) {
        const result = await call(client, tool, args(name));
        expect([tool, name, result.isError, textOf(result)]).toEqual([
          tool,
          name,
          true,
          expect.not.stringMatching(/SELECT|INSERT|parameter \d|internal/),
        ]);
      }
    }
    for (const name of names) {
      const found = await call(client, 'search_novel_settings', { novelId, query: name });
      expect([name, found.isError, Object(found.structuredContent).hits]).toEqual([
        name,
        undefined,
        [],
      ]);
    }
  });
});

it('NUL in a text is written, read and found around as it is', async () => {
  const { service } = await openService();
  const content = '# 鍵\n\n烏賊が\0光った。\n';
  await service.add('灯台', 'contents', '第3章.md', content);
  const { files: read } = await service.read('灯台', 'contents', { file: '第3章.md' });
  expect(read.map(({ text }) => text)).toEqual([content]);
  const { hits } = await service.search('灯台', '烏賊');
  expect(hits.map((hit) => hit.content)).toEqual([expect.stringContaining('烏賊が\0光った。')]);
});
