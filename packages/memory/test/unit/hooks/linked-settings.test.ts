import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { HOOK_AGENTS, HOOK_FORMS, installHooks, uninstallHooks } from '../../../src/hooks/index.ts';
import { newFolder, put } from '../../support/capture/open-memory.ts';

const command = 'ptta hook';
/** The places that a link of a project may lead to, from the folder of the project. */
const TARGETS = ['.git', 'plain', 'missing', '../outside'];

async function newProject(): Promise<string> {
  const folder = await newFolder();
  for (const name of ['project/.git', 'project/plain', 'outside'])
    await put(folder, `${name}/x`, 'x');
  return join(folder, 'project');
}

/** Returns every file and link below a folder, with its content. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    content[name] = stats.isFile()
      ? await readFile(path, 'utf8')
      : stats.isDirectory()
        ? ''
        : 'link';
  }
  return content;
}

it.each(HOOK_AGENTS)('no link of a project is followed to the settings of %s', async (agent) => {
  const words = HOOK_FORMS[agent].project;
  const backup = [...words.slice(0, -1), `${words.at(-1)}.before-memory-hooks`];
  const links = words.map((_, at) => words.slice(0, at + 1));
  for (const link of [...links, backup]) {
    for (const target of TARGETS) {
      const project = await newProject();
      const settingsFile = join(project, ...words);
      const path = join(project, ...link);
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(project, target), path);
      const before = await contentOf(dirname(project));
      const options = { agent, command, settingsFile, project };
      for (const change of [installHooks, uninstallHooks]) {
        for (const dryRun of [false, true]) {
          await expect(change({ ...options, dryRun })).rejects.toMatchObject({
            name: 'MemoryError',
            code: 'path-outside',
            message: expect.stringContaining(`${path} is a link`),
            context: { link: path },
          });
        }
      }
      expect(await contentOf(dirname(project))).toEqual(before);
    }
  }
});

it.each(HOOK_AGENTS)('settings of %s in plain folders of a project come and go', async (agent) => {
  const project = await newProject();
  const settingsFile = join(project, ...HOOK_FORMS[agent].project);
  // The way to the project itself is that of the user.
  await symlink(project, `${project}-link`);
  for (const root of [project, `${project}-link`]) {
    const options = { agent, command, settingsFile: join(root, ...HOOK_FORMS[agent].project) };
    expect((await installHooks({ ...options, project: root })).hooks).not.toEqual([]);
    expect(existsSync(settingsFile)).toBe(true);
    await uninstallHooks({ ...options, project: root });
    expect(existsSync(settingsFile)).toBe(false);
  }
});

it('settings elsewhere come through a link of the user, but never into a folder of git', async () => {
  const project = await newProject();
  const home = await newFolder();
  await symlink(join(project, 'plain'), join(home, '.claude'));
  const settingsFile = join(home, '.claude', 'settings.json');
  await installHooks({ command, settingsFile, project });
  expect(await readFile(join(project, 'plain', 'settings.json'), 'utf8')).toContain(command);

  for (const name of ['.git', '.GIT', '.git.', 'git~1', '.g\u200cit']) {
    await mkdir(join(project, 'sub', name), { recursive: true });
    await symlink(join(project, 'sub', name), join(home, `to ${name}`));
    for (const file of [join(project, 'sub', name, 'a.json'), join(home, `to ${name}`, 'a.json')]) {
      for (const options of [{}, { project }]) {
        const rejected = installHooks({ command, settingsFile: file, ...options });
        await expect(rejected).rejects.toMatchObject({ code: 'path-outside' });
      }
    }
    expect(await readdir(join(project, 'sub', name))).toEqual([]);
  }
  // A work tree may be in a folder of git.
  const tree = join(project, '.git', 'trees', 'a');
  const inTree = join(tree, '.claude', 'settings.json');
  await mkdir(tree, { recursive: true });
  await writeFile(join(tree, 'git.txt'), '');
  await installHooks({ command, settingsFile: inTree, project: tree });
  expect(existsSync(inTree)).toBe(true);
});
