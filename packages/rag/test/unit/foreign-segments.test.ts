import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { SectionFile, writeSections } from '../../src/binary/section-file.ts';
import { SECTIONS, SEGMENT_FORM } from '../../src/segment/format/index-layout.ts';
import { openBackend, temporaryFolder } from '../support/search-index.ts';

const QUERIES = ['灯台', '"夜の海"', '*台*', 'よみ:とうだい', '/第[0-9]+の鍵/'];
const DOCUMENTS = Array.from({ length: 40 }, (_, at) => ({
  novelId: '灯台',
  filePath: `${at}.md`,
  text: [`灯台${at}の朝`, `嵐の猫が第${at}の鍵を見た`, `夜の海と${'カモメ'.repeat(at)}`].join(
    '\n\n',
  ),
  tags: [`章${at}`],
}));

/** Contents that a stranger may write instead of a section, with their checksums. */
const CONTENTS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  nothing: () => new Uint8Array(),
  'other bytes': (bytes) => Uint8Array.from(bytes, (_, at) => (at * 131 + 7) & 0xff),
  'large numbers': (bytes) => new Uint8Array(bytes.length).fill(0xff),
  zeros: (bytes) => new Uint8Array(bytes.length),
  'other JSON': () => Buffer.from('{}'),
  'half of it': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'packed zeros': () => deflateRawSync(Buffer.alloc(1 << 20)),
};

it.each(Object.keys(CONTENTS))(
  'a segment of a stranger with %s in a section harms nothing else',
  async (kind) => {
    const sound = temporaryFolder();
    const backend = await openBackend({ folder: sound });
    await backend.index(DOCUMENTS);
    await backend.compact();
    await backend.close();
    const [file = ''] = readdirSync(sound).filter((name) => name.endsWith('.bin'));
    const segment = new SectionFile(join(sound, file), SEGMENT_FORM);
    const sections = Object.values(SECTIONS).map((name) => ({
      name,
      bytes: Uint8Array.from(segment.section(name)),
      isResident: false,
    }));
    segment.close();
    for (const { name } of sections) {
      const folder = temporaryFolder();
      cpSync(sound, folder, { recursive: true });
      rmSync(join(folder, file));
      writeSections(
        join(folder, file),
        SEGMENT_FORM,
        sections.map((each) =>
          each.name === name
            ? { ...each, bytes: CONTENTS[kind]?.(each.bytes) ?? each.bytes }
            : each,
        ),
      );
      const opened = await openBackend({ folder });
      const failures: unknown[] = [];
      const run = async (work: Promise<unknown>): Promise<void> => {
        await work.catch((error: unknown) => failures.push(error));
      };
      for (const query of QUERIES) await run(opened.search(query, { k: 50 }));
      await run(opened.stats());
      await run(opened.index([]));
      await run(opened.index(DOCUMENTS));
      await run(opened.compact());
      const codes = failures.map((error) =>
        error instanceof Object && 'code' in error ? error.code : error,
      );
      expect([name, codes.filter((code) => code !== 'index-corrupt')]).toEqual([name, []]);
      await opened.close();
    }
  },
);

it('a wrong byte in a section of a segment costs no document of others', async () => {
  const sound = temporaryFolder();
  const backend = await openBackend({ folder: sound });
  await backend.index(DOCUMENTS);
  await backend.compact();
  const [file = ''] = readdirSync(sound).filter((name) => name.endsWith('.bin'));
  await backend.updateFile({ novelId: '灯台', filePath: 'new.md', text: '凪' });
  await backend.close();
  const whole = readFileSync(join(sound, file));
  const segment = new SectionFile(join(sound, file), SEGMENT_FORM);
  const sections = Object.values(SECTIONS).map((name) => Buffer.from(segment.section(name)));
  segment.close();
  for (const section of sections.filter(({ length }) => length > 0)) {
    const folder = temporaryFolder();
    cpSync(sound, folder, { recursive: true });
    const bytes = Buffer.from(whole);
    const at = bytes.indexOf(section) + (section.length >> 1);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(folder, file), bytes);
    const opened = await openBackend({ folder });
    await opened.search('灯台').catch(() => undefined);
    await opened.updateFile({ novelId: '灯台', filePath: 'next.md', text: '凪' });
    const { hits } = await opened.search('凪');
    expect(hits.map(({ payload }) => payload.file).toSorted()).toEqual(['new.md', 'next.md']);
    await opened.close();
  }
});
