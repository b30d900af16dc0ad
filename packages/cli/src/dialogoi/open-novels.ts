import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { messageOf } from '@vizprompt/providers';
import type { NovelService, NovelServiceOptions } from '@vizprompt/rag';
import type { Cli } from '../frame/cli.ts';
import { consentOf } from '../frame/consent.ts';
import { ProgressBar } from '../frame/progress-bar.ts';
import { nearestFolder } from '../frame/project-folder.ts';
import { warn } from '../frame/warn.ts';
import type { DialogoiMessages } from './messages/dialogoi-messages.ts';
import { settingsGiven } from './settings-options.ts';

/** The novels of a project root. */
export interface OpenedNovels extends AsyncDisposable {
  readonly novels: NovelService;
  readonly projectRoot: string;
}

/** Opens the projects that the settings name; files that cannot be indexed are reported on standard error. */
export async function openNovels(
  cli: Cli<DialogoiMessages>,
  command: CommandUnknownOpts,
  options: Pick<NovelServiceOptions, 'usePolling' | 'watch'> = {},
): Promise<OpenedNovels> {
  const { loadRagConfig, NovelService: Service } = await import('@vizprompt/rag');
  const config = await loadRagConfig({
    args: settingsGiven(command, cli),
    env: environmentHere(cli),
    cwd: settingsFolder(cli),
    trust: consentOf(cli),
  });
  // One that is called once looks for changes itself.
  const novels = await Service.open({ config, watch: false, ...options });
  tellOf(novels, cli);
  return {
    novels,
    projectRoot: config.projectRoot,
    [Symbol.asyncDispose]: () => novels.close(),
  };
}

/** Where there are no settings, the folder that has `novels`, so that one may be inside of a project. */
function settingsFolder(cli: Cli<DialogoiMessages>): string {
  if (cli.data !== undefined) return resolve(cli.cwd, cli.data);
  const nearest = (mark: string): string | undefined => nearestFolder(cli.cwd, [mark]);
  return nearest('config/dialogoi.config.json') ?? nearest('novels') ?? cli.cwd;
}

/** A path in a variable is one of the current folder, wherever the settings lie. */
function environmentHere({
  env,
  cwd,
}: Cli<DialogoiMessages>): Readonly<Record<string, string | undefined>> {
  const paths = ['DIALOGOI_PROJECT_ROOT', 'DIALOGOI_THESAURUS'].flatMap((name) => {
    const path = env[name];
    return path ? [[name, resolve(cwd, path)]] : [];
  });
  return { ...env, ...Object.fromEntries(paths) };
}

function tellOf(novels: NovelService, cli: Cli<DialogoiMessages>): void {
  let bar: ProgressBar | undefined;
  novels.events.on('project:progress', ({ novelId, done, total = 0 }) => {
    bar ??= new ProgressBar(cli.err, novelId);
    bar.update(done, total);
    if (done < total) return;
    bar.close();
    bar = undefined;
  });
  const tell = (message: string): void => void warn(cli, message).catch(() => {});
  novels.events.on('file:failed', ({ novelId, error }) => tell(`${novelId}: ${messageOf(error)}`));
  novels.events.on('index:failed', ({ novelId, error }) => tell(`${novelId}: ${messageOf(error)}`));
  novels.events.on('search:degraded', ({ error }) => tell(cli.text.degraded(messageOf(error))));
  novels.events.on('vectors:weak', ({ questions, agreed }) =>
    tell(cli.text.weak(agreed, questions)),
  );
  novels.events.on('vectors:queued', ({ chunks, error }) =>
    tell(cli.text.queued(chunks, messageOf(error))),
  );
}
