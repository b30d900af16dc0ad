import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  assertTrusted,
  grantTrust,
  isTrusted,
  listTrust,
  revokeTrust,
  type TrustRequest,
} from '@vizprompt/providers/trust';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/subjects.ts';
import { trustFile } from '../../../src/trust/trust-file.ts';
import { untrustedUses } from '../../../src/trust/trust.ts';

let folder: string;
let place: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  place = join(folder, 'project');
  mkdirSync(place);
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await remove();
});

function asking(...texts: readonly string[]): TrustRequest & { readonly place: string } {
  return { place, uses: texts.map((text) => ({ kind: 'key', text, source: 'config.yaml' })) };
}

describe('consent', () => {
  it('is recorded outside of the project, for this user alone', async () => {
    expect(await isTrusted(asking('a'))).toBe(false);
    await grantTrust(asking('a', 'b'));
    expect(trustFile()).toBe(join(folder, 'config', 'vizprompt', 'trust'));
    expect(statSync(trustFile()).mode & 0o777).toBe(0o600);
    expect(await isTrusted(asking('a'))).toBe(true);
    expect(await isTrusted(asking('b', 'a'))).toBe(true);
    const real = realpathSync(place);
    expect(listTrust()).toEqual([{ place: real, uses: ['a', 'b'], time: expect.any(String) }]);
  });

  it('is asked for again where something was added or changed', async () => {
    await grantTrust(asking('a'));
    expect(await isTrusted(asking('a', 'c'))).toBe(false);
    expect(untrustedUses(asking('a', 'c')).map(({ text }) => text)).toEqual(['c']);
    await grantTrust(asking('c'));
    expect(await isTrusted(asking('a', 'c'))).toBe(true);
    expect(listTrust()).toHaveLength(1);
  });

  it('is given to a request that says more, such as the address of a model', async () => {
    const request = { ...asking('a'), address: 'http://127.0.0.1:1/v1' };
    await grantTrust(request);
    await expect(assertTrusted(request)).resolves.toBeUndefined();
    const wrong: unknown = { ...request, uses: 'a' };
    await expect(Reflect.apply(grantTrust, undefined, [wrong])).rejects.toThrow(
      "the option 'uses' of grantTrust",
    );
  });

  it('belongs to a real path', async () => {
    await grantTrust(asking('a'));
    symlinkSync(place, join(folder, 'link'));
    expect(await isTrusted({ ...asking('a'), place: join(folder, 'link') })).toBe(true);
    mkdirSync(join(folder, 'other'));
    expect(await isTrusted({ ...asking('a'), place: join(folder, 'other') })).toBe(false);
    renameSync(place, join(folder, 'moved'));
    expect(await isTrusted({ ...asking('a'), place: join(folder, 'moved') })).toBe(false);
  });

  it('is taken back', async () => {
    await grantTrust(asking('a'));
    expect(await revokeTrust(place)).toBe(true);
    expect(await revokeTrust(place)).toBe(false);
    expect(await isTrusted(asking('a'))).toBe(false);
    expect(listTrust()).toEqual([]);
  });

  it('is given by a program in place of the record', async () => {
    expect(await isTrusted(asking('a'), true)).toBe(true);
    await grantTrust(asking('a'));
    expect(await isTrusted(asking('a'), false)).toBe(false);
    const asked: TrustRequest[] = [];
    const ask = async (request: TrustRequest): Promise<boolean> => asked.push(request) > 0;
    expect(await isTrusted(asking('a'), ask)).toBe(true);
    expect(asked).toEqual([]);
    expect(await isTrusted(asking('a', 'b'), ask)).toBe(true);
    expect(asked).toMatchObject([{ uses: [{ text: 'b' }] }]);
    expect(await isTrusted({ uses: asking('a').uses })).toBe(false);
    expect(await isTrusted(asking())).toBe(true);
  });

  it('that is missing is an error that says what, where and how', async () => {
    await expect(assertTrusted(asking('the value of A goes to B'))).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringMatching(
        /project is not trusted: the value of A goes to B \(config\.yaml\).*vizprompt trust .*project/,
      ),
    });
  });

  it('of several processes at once is not lost', async () => {
    const places = Array.from({ length: 12 }, (_, at) => join(folder, `p${at}`));
    await Promise.all(places.map((one) => grantTrust({ ...asking('a'), place: one })));
    expect(listTrust()).toHaveLength(12);
  });
});

describe('a record that this user did not write', () => {
  it('counts for nothing where others may write it', async () => {
    await grantTrust(asking('a'));
    for (const mode of [0o666, 0o620, 0o602]) {
      chmodSync(trustFile(), mode);
      expect(await isTrusted(asking('a'))).toBe(false);
      await expect(grantTrust(asking('b'))).rejects.toMatchObject({ code: 'trust-unwritable' });
    }
    chmodSync(trustFile(), 0o600);
    expect(await isTrusted(asking('a'))).toBe(true);
  });

  it.each(['', 'x', '[]', '{}', '{"version":2,"trusted":[]}', '{"version":1,"trusted":{}}'])(
    'counts for nothing where it makes no sense: %s',
    async (text) => {
      mkdirSync(dirname(trustFile()), { recursive: true });
      writeFileSync(trustFile(), text, { mode: 0o600 });
      expect(await isTrusted(asking('a'))).toBe(false);
    },
  );

  it('counts for nothing through a link, and is not recorded there', async () => {
    await grantTrust(asking('a'));
    const inside = join(place, 'trust');
    renameSync(trustFile(), inside);
    symlinkSync(inside, trustFile());
    expect(listTrust()).toEqual([]);
    expect(await isTrusted(asking('a'))).toBe(false);
    await expect(grantTrust(asking('b'))).rejects.toMatchObject({ code: 'trust-unwritable' });
    expect(readFileSync(inside, 'utf8')).not.toContain('"b"');
  });

  it.each(['moved', 'replaced', 'part of another'])(
    'is asked for again when the place is %s',
    async (how) => {
      const memory = {
        kind: 'memory',
        text: 'its contents are sent to models',
        source: 'ptta.db',
      } as const;
      await grantTrust({ place, uses: [memory] });
      expect(await isTrusted({ place, uses: [memory] })).toBe(true);
      const away = join(folder, 'moved');
      if (how === 'part of another') mkdirSync(join(place, 'below'));
      else renameSync(place, away);
      if (how === 'replaced') mkdirSync(place);
      const now = { moved: away, replaced: place, 'part of another': join(place, 'below') }[how];
      expect(await isTrusted({ place: now, uses: [memory] })).toBe(false);
      expect(await isTrusted({ place: folder, uses: [memory] })).toBe(false);
      await grantTrust({ place: now ?? '', uses: [memory] });
      expect(await isTrusted({ place: now, uses: [memory] })).toBe(true);
    },
  );

  it('counts for nothing inside of what it is about', async () => {
    await grantTrust(asking('a'));
    const record = readFileSync(trustFile());
    const inside = join(place, '.config');
    mkdirSync(join(inside, 'vizprompt'), { recursive: true });
    writeFileSync(join(inside, 'vizprompt', 'trust'), record, { mode: 0o600 });
    vi.stubEnv('XDG_CONFIG_HOME', inside);
    expect(await isTrusted(asking('a'))).toBe(false);
  });

  it('is not taken from a relative folder of the environment', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', 'config');
    vi.stubEnv('HOME', folder);
    expect(trustFile()).toBe(join(folder, '.config', 'vizprompt', 'trust'));
  });

  it('is no record where the folder cannot be made', async () => {
    rmSync(join(folder, 'config'), { recursive: true, force: true });
    writeFileSync(join(folder, 'config'), '');
    await expect(grantTrust(asking('a'))).rejects.toMatchObject({ code: 'trust-unwritable' });
    expect(await isTrusted(asking('a'))).toBe(false);
  });
});
