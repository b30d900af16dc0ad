import { CliError } from '../../errors.ts';
import { type Cli, remark, warn } from '../../frame/cli.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { DialogoiMessages } from '../messages/en.ts';
import { type OpenedNovels, openNovels } from '../open-novels.ts';
import { addSettings } from '../settings.ts';

export const projectsCommand: CommandModule<DialogoiMessages> = {
  examples: ['dialogoi projects', 'dialogoi projects --project-root ./my-novels --json'],
  define(command, cli) {
    command.action(async () => {
      await using opened = await openNovels(cli, command);
      const projects = await opened.novels.listProjects();
      if (cli.isJson) return await cli.out.json(projects);
      if (projects.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const { id, title, author = '', tags, problem } of projects) {
        const facts = [title === id ? '' : title, author, tags.join(', ')];
        await cli.out.line([cli.out.style('bold', id), ...facts].filter(Boolean).join('  '));
        if (problem !== undefined) await warn(cli, `${id}: ${problem}`);
      }
    });
    addSettings(command, cli);
  },
};

export const indexCommand: CommandModule<DialogoiMessages> = {
  examples: [
    'dialogoi index',
    'dialogoi index 灯台 --watch',
    'dialogoi index --project-root ./my-novels --max-tokens 300',
  ],
  define(command, cli) {
    command
      .argument('[projects...]', cli.text.projects)
      .option('--watch', cli.text.index.watch)
      .option('--polling', cli.text.index.polling)
      .action(async (given, { watch = false, polling: usePolling = false }) => {
        await using opened = await openNovels(cli, command, { usePolling });
        const ids = given.length > 0 ? given : await allProjects(cli, opened);
        let failed = 0;
        for (const id of ids) {
          const report = await opened.novels.index(id, { signal: cli.signal });
          failed += report.failed;
          await cli.print({ project: id, ...report }, () => cli.text.index.done(id, report));
        }
        if (watch) return await watchAll(cli, opened, ids);
        if (failed > 0) {
          throw new CliError('found-problems', cli.text.index.failed(failed), {
            context: { failed },
          });
        }
      });
    addSettings(command, cli);
  },
};

async function allProjects(
  cli: Cli<DialogoiMessages>,
  { novels, projectRoot }: OpenedNovels,
): Promise<readonly string[]> {
  const ids = (await novels.listProjects()).map(({ id }) => id);
  if (ids.length === 0) throw new CliError('not-found', cli.text.noProjects(projectRoot));
  return ids;
}

/** Until Ctrl+C, which is the end that is meant. */
async function watchAll(
  cli: Cli<DialogoiMessages>,
  { novels }: OpenedNovels,
  ids: readonly string[],
): Promise<void> {
  const tell = (change: 'indexed' | 'removed', project: string, path: string): void => {
    const text = (): string => cli.text.index[change](`${project}/${path}`);
    void cli.print({ event: change, project, path }, text).catch(() => {});
  };
  novels.events.on('file:indexed', ({ novelId, path }) => tell('indexed', novelId, path));
  novels.events.on('file:removed', ({ novelId, path }) => tell('removed', novelId, path));
  const watching = ids.map((id) => novels.watch(id, { signal: cli.signal }));
  await cli.print({ event: 'watching', projects: ids }, () => cli.text.index.watching);
  await Promise.all(watching).catch((error: unknown) => {
    if (!cli.signal.aborted) throw error;
  });
}
