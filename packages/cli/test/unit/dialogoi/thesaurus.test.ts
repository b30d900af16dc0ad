import { createServer, type Server } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SearchResults } from '@vizprompt/rag';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';
import { writeNovel } from '../../support/novel.ts';

/** In the format of SudachiDict. */
const LIST = `000001,1,0,1,0,0,0,(),錠前,,
000001,1,0,2,0,0,0,(),鍵,,
000002,1,0,1,0,0,0,(),爺さん,,
000002,1,0,2,0,0,0,(),祖父,,
`;
const OUT = ['--out', 'thesaurus.bin'];

describe('dialogoi thesaurus', () => {
  let place: Place;
  let server: Server | undefined;
  beforeEach(async () => {
    place = await Place.make();
    await writeNovel(place.cwd);
    await writeFile(join(place.cwd, 'list.txt'), LIST);
  });
  afterEach(async () => {
    server?.close();
    server = undefined;
    await place[Symbol.asyncDispose]();
  });

  async function found(query: string, ...settings: readonly string[]): Promise<number> {
    const args = ['search', query, ...settings];
    return (await place.json<SearchResults>('dialogoi', args)).total;
  }

  it('compiles a list, which a setting names from then on', async () => {
    const args = ['thesaurus', 'list.txt', ...OUT, '--notice', 'our own'];
    expect(await place.json('dialogoi', args)).toMatchObject({
      file: 'thesaurus.bin',
      groups: 2,
      words: 4,
      notice: 'our own',
    });
    expect(await found('錠前')).toBe(0);
    expect(await found('錠前', '--thesaurus', 'thesaurus.bin')).toBeGreaterThan(0);
    await mkdir(join(place.cwd, 'config'), { recursive: true });
    const config = JSON.stringify({ thesaurus: 'thesaurus.bin' });
    await writeFile(join(place.cwd, 'config/dialogoi.config.json'), config);
    expect(await found('錠前')).toBeGreaterThan(0);
  });

  it('downloads a list', async () => {
    server = createServer((request, response) => {
      response.writeHead(request.url === '/list' ? 200 : 404).end(LIST);
    });
    await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port
    const { port } = server.address() as AddressInfo;
    const from = (path: string): readonly string[] => {
      const address = `http://127.0.0.1:${port}/${path}`;
      return ['thesaurus', address, ...OUT, '--notice', 'our own'];
    };
    const { stdout } = await place.run('dialogoi', from('list'));
    expect(stdout).toContain('thesaurus.bin is ready: 4 words in 2 groups');
    expect(await place.run('dialogoi', from('none'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('HTTP 404') as string,
    });
  });

  it('asks for the notice of a list of others, and names a line that it cannot read', async () => {
    const without = await place.run('dialogoi', ['thesaurus', 'list.txt', ...OUT]);
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('--notice');
    await writeFile(join(place.cwd, 'bad.txt'), `${LIST}犬,猫\n`);
    const bad = await place.run('dialogoi', ['thesaurus', 'bad.txt', ...OUT, '--notice', 'x']);
    expect(bad.stderr).toContain('line 5');
    expect((await place.run('dialogoi', ['search', '鍵', '--thesaurus', 'no.bin'])).stderr).toMatch(
      /cannot read the thesaurus .*no\.bin/,
    );
  });
});
