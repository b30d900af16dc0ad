import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HOOK_FORMS, installHooks, uninstallHooks } from '../../../src/hooks/index.ts';
import { newFolder, put } from '../../support/capture/open-memory.ts';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const PLUGINS = join(ROOT, 'packages', 'cli', 'plugins');

function json(...path: readonly string[]): Record<string, unknown> {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as Record<string, unknown>;
}

describe('the plugins of agents', () => {
  it.each([
    ['claude-code', 'ptta/hooks/claude-code.json', 'ptta hook'],
    ['codex', 'ptta/hooks/codex.json', 'ptta hook --agent codex'],
    ['gemini', 'gemini/hooks/hooks.json', 'ptta hook --agent gemini'],
  ] as const)('have the hooks that setup writes: %s', (agent, file, command) => {
    const form = HOOK_FORMS[agent];
    if ('plugin' in form) throw new Error('it has settings');
    const expected = Object.fromEntries(
      form.events.map((event) => [event.name, [form.entry(command, event)]]),
    );
    expect(json(PLUGINS, file)['hooks']).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it('are listed by marketplaces at the root, and name files that there are', () => {
    for (const [market, manifest] of [
      ['.claude-plugin', '.claude-plugin'],
      ['.agents/plugins', '.codex-plugin'],
    ] as const) {
      const { plugins } = json(ROOT, market, 'marketplace.json') as {
        plugins: { name: string; source: string | { path: string } }[];
      };
      for (const { name, source } of plugins) {
        const folder = join(ROOT, typeof source === 'string' ? source : source.path);
        const facts = json(folder, manifest, 'plugin.json');
        expect(facts['name']).toBe(name);
        for (const value of Object.values(facts)) {
          if (typeof value !== 'string' || !value.startsWith('./')) continue;
          expect(statSync(join(folder, value)).size).toBeGreaterThan(0);
        }
      }
    }
  });

  it('have commands to recall, save and forget, with what the user says', () => {
    for (const [folder, words] of [
      ['ptta', '$ARGUMENTS'],
      ['gemini', '{{args}}'],
    ] as const) {
      const place = join(PLUGINS, folder, 'commands');
      const names = readdirSync(place).toSorted();
      expect(names.map((name) => name.replace(/\..*$/, ''))).toEqual(['forget', 'recall', 'save']);
      for (const name of names) expect(readFileSync(join(place, name), 'utf8')).toContain(words);
    }
  });
});

describe('the plugin of opencode', () => {
  it('is written, replaced and deleted as a file of its own', async () => {
    const folder = await newFolder();
    const settingsFile = join(folder, 'plugins', 'ptta.js');
    const options = {
      agent: 'opencode',
      command: 'ptta hook --agent opencode',
      settingsFile,
    } as const;
    expect((await installHooks({ ...options, dryRun: true })).hooks).toEqual(['plugin']);
    expect(() => statSync(settingsFile)).toThrow(/ENOENT/);
    expect((await installHooks(options)).hooks).toEqual(['plugin']);
    expect((await installHooks(options)).hooks).toEqual([]);
    const other = { ...options, command: 'ptta hook --agent opencode --data /d' };
    expect((await installHooks(other)).hooks).toEqual(['plugin']);
    expect(readFileSync(settingsFile, 'utf8')).toContain('"ptta mcp --data /d"');
    expect((await uninstallHooks({ ...options, dryRun: true })).hooks).toEqual(['plugin']);
    expect((await uninstallHooks(options)).hooks).toEqual(['plugin']);
    expect(() => statSync(settingsFile)).toThrow(/ENOENT/);
    expect((await uninstallHooks(options)).hooks).toEqual([]);
  });

  it('takes the place of no other file', async () => {
    const folder = await newFolder();
    const settingsFile = await put(folder, 'ptta.js', 'export const Mine = async () => ({});\n');
    const options = { agent: 'opencode', command: 'ptta hook', settingsFile } as const;
    await expect(installHooks(options)).rejects.toThrow(/not the memory's plugin/);
    expect((await uninstallHooks(options)).hooks).toEqual([]);
    expect(readFileSync(settingsFile, 'utf8')).toContain('Mine');
  });
});
