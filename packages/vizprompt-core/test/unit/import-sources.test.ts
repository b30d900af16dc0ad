import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitJson } from '../../src/import/split-entries.ts';
import { DEFAULT_LIMITS } from '../../src/limits.ts';
import { branched } from '../fixtures/chatgpt.ts';
import { zip } from '../fixtures/zip.ts';
import { openProject, record, temporaryFolder, testProject } from '../support/open-project.ts';

describe('a source', () => {
  const entries = [
    branched().export(),
    { uuid: 'c', chat_messages: [{ uuid: 'm', sender: 'human', text: 'q' }] },
  ];

  it.skipIf(process.platform === 'win32').each([
    ['conversations.json', ''],
    ['conversations.json', 'nodes/00/00.xml'],
    ['nodes/00/01.xml', 'nodes/00/00.xml'],
    ['flows/00.yaml', 'nodes/00/00.xml'],
  ])(
    'has no files outside of its folder, whatever its links say: %s next to %s',
    async (name, other) => {
      const outside = await temporaryFolder();
      writeFileSync(join(outside, 'secret'), JSON.stringify(entries));
      for (const target of [join(outside, 'secret'), '/dev/zero', '..', name, 'nowhere']) {
        const folder = await temporaryFolder();
        const node =
          '<node id="01a21376-d8d3-7000-b383-be04007035ad" timestamp="2026-01-01T00:00:00Z">' +
          '<prompt>mine</prompt><response/></node>';
        for (const file of [name, other])
          mkdirSync(dirname(join(folder, file)), { recursive: true });
        if (other !== '') writeFileSync(join(folder, other), node);
        symlinkSync(target, join(folder, name));
        const test = await testProject();
        const imported = await test.vizprompt.importConversations(folder).then(
          ({ nodes }) => nodes.total,
          ({ code }: { code: string }) => code,
        );
        expect([target, imported]).toEqual([target, other === '' ? 'import-unreadable' : 1]);
      }
    },
  );

  it('may be a file, a URL, a folder of numbered files, or the zip itself', async () => {
    const folder = await temporaryFolder();
    const json = JSON.stringify(entries);
    writeFileSync(join(folder, 'export.json'), `\ufeff${json}`);
    mkdirSync(join(folder, 'data/batch-0000'), { recursive: true });
    writeFileSync(
      join(folder, 'data/batch-0000/conversations-000.json'),
      JSON.stringify([entries[0]]),
    );
    writeFileSync(
      join(folder, 'data/batch-0000/conversations-001.json'),
      JSON.stringify([entries[1]]),
    );
    writeFileSync(join(folder, 'data/user.json'), '[]');
    writeFileSync(
      join(folder, 'x.zip'),
      zip({ 'chat.html': '<p>', 'data/conversations.json': json }),
    );
    for (const source of [
      join(folder, 'export.json'),
      pathToFileURL(join(folder, 'export.json')),
      join(folder, 'data'),
      join(folder, 'x.zip'),
    ]) {
      const vizprompt = await openProject();
      const { conversations, nodes } = await vizprompt.importConversations(source);
      expect(conversations).toMatchObject({ total: 2, imported: 2 });
      expect(nodes.total).toBe(6);
    }
  });

  it.skipIf(process.platform === 'win32')('may be a folder with links in circles', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'conversations.json'), JSON.stringify(entries));
    for (const name of ['a', 'b', 'c']) symlinkSync('.', join(folder, name));
    const vizprompt = await openProject();
    const { conversations } = await vizprompt.importConversations(folder);
    expect(conversations).toMatchObject({ total: 2, imported: 2 });
  });

  it('is reported as unreadable, with its name and the fix', async () => {
    const { vizprompt, folder, write } = await testProject();
    await write('empty.json', '[]');
    await write('no.zip', 'no zip');
    await write('other.zip', zip({ 'a.txt': 'x' }).toString('latin1'));
    for (const [source, message] of [
      ['nowhere.json', /cannot read .*nowhere\.json: there is no such file/],
      ['empty.json', /the source holds no conversation/],
      ['no.zip', /no\.zip is no zip archive/],
      ['nodes', /there is no conversations\.json in .*nodes|cannot read/],
    ] as const) {
      const importing = vizprompt.importConversations(join(folder, source));
      await expect(importing).rejects.toMatchObject({ code: 'import-unreadable' });
      await expect(importing).rejects.toThrow(message);
    }
    await expect(
      vizprompt.importConversations(new URL('https://example.com/export.zip')),
    ).rejects.toThrow('https://example.com/export.zip is no file: download it first');
  });

  it('may have broken entries, which are reported and stop nothing', async () => {
    const { heard, on } = record();
    const { vizprompt, folder, write } = await testProject({ on });
    const sound = JSON.stringify(entries[1]);
    await write(
      'broken.json',
      `[{"mapping": {}}, null, {"a": nonsense}, {"x": 1}, ${sound}, {"mapping": 3, "id": "y"}, {"id": "z", "mapping": {}}]`,
    );
    const report = await vizprompt.importConversations(join(folder, 'broken.json'));
    expect(report.conversations).toMatchObject({ total: 7, imported: 1, skipped: 6 });
    expect(report.skipped.map(({ reason }) => reason)).toEqual([
      'it holds no text',
      'it is no object',
      expect.stringMatching(/^it is no JSON/),
      'it is no conversation of a known format (its keys: x)',
      'it is no conversation of a known format (its keys: mapping, id)',
      'it holds no text',
    ]);
    expect(report.skipped[2]?.entry).toBe('broken.json, entry 3');
    expect(heard.filter(([name]) => name === 'import:skipped')).toHaveLength(6);
    expect(heard.filter(([name]) => name === 'import:progress').at(-1)).toEqual([
      'import:progress',
      { done: 7, nodes: 1 },
    ]);
    const forced = vizprompt.importConversations([{ x: 1 }], { format: 'claude' });
    await expect(forced).rejects.toThrow(
      "the source holds no conversation (entry 1: it has no 'chat_messages')",
    );
    await expect(forced).rejects.toMatchObject({ code: 'import-unreadable' });
  });

  it('can be stopped between two conversations', async () => {
    const vizprompt = await openProject();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(vizprompt.importConversations(entries, { signal })).rejects.toThrow('enough');
  });
});

describe('splitting JSON', () => {
  async function split(text: string, size: number): Promise<string[]> {
    async function* chunks(): AsyncGenerator<string> {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    const found: string[] = [];
    for await (const { text: entry } of splitJson(chunks(), DEFAULT_LIMITS))
      found.push(entry ?? '');
    return found;
  }

  it('gives every entry of any document, however it is cut into chunks', async () => {
    const value = fc.array(
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
    );
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (list, size, isDeep) => {
          const document = isDeep ? { a: [{ b: ']' }], conversations: list, z: [1] } : list;
          const found = await split(JSON.stringify(document, null, size % 3), size);
          // The fields next to the list come last.
          const rest = isDeep ? [{ a: [{ b: ']' }], conversations: [], z: [1] }] : [];
          expect(found.map((entry) => JSON.parse(entry) as unknown)).toEqual([
            ...(JSON.parse(JSON.stringify(list)) as unknown[]),
            ...rest,
          ]);
        },
      ),
    );
  });

  it('takes any other document for one entry', async () => {
    const text = '{"uuid": "x", "chat_messages": [{"a": "\\\\"}, {"conversations": []}]}';
    for (const size of [1, 7, 100]) expect(await split(text, size)).toEqual([text]);
    expect(await split('', 1)).toEqual([]);
    expect(await split('[1, {"a":1}, "x"]', 3)).toEqual(['1', '{"a":1}', '"x"']);
    expect(await split('[{"a": 1}, {"b": ', 4)).toEqual(['{"a": 1}', '{"b":']);
  });
});
