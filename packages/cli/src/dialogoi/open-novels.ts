import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createLogger, messageOf, type Logger } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import type { NovelService, NovelServiceOptions, RagConfig } from '@vizprompt/rag';
import { type Cli, warn } from '../frame/cli.ts';
import { consentOf } from '../frame/consent.ts';
import { ProgressBar } from '../frame/progress-bar.ts';
import { nearestFolder } from '../frame/paths.ts';
import type { DialogoiMessages } from './messages/en.ts';
import { settingsGiven } from './settings.ts';

/** The novels of a project root. */
export interface OpenedNovels extends AsyncDisposable {
  readonly novels: NovelService;
  readonly projectRoot: string;
  /** Writes to the file that the settings name; to none by default. */
  readonly logger: Logger;
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
    envFile: true,
    trust: consentOf(cli),
  });
  const logger = await loggerOf(cli, config.log);
  // One that is called once looks for changes itself.
  const novels = await Service.open({ config, watch: false, logger, ...options });
  tellOf(novels, cli);
  logChanges(novels, logger);
  return {
    novels,
    projectRoot: config.projectRoot,
    logger,
    [Symbol.asyncDispose]: () => novels.close(),
  };
}

/** Where there are no settings, the folder that has `novels`, so that one may be inside of a project. */
function settingsFolder(cli: Cli<DialogoiMessages>): string {
  if (cli.data !== undefined) return resolve(cli.cwd, cli.data);
  const nearest = (mark: string): string | undefined => nearestFolder(cli.cwd, [mark]);
  return nearest('config/dialogoi.config.json') ?? nearest('novels') ?? cli.cwd;
}

/** Opens the log that the settings name. Like every log, it stops no work: on a full disk, lines are missing. */
async function loggerOf(cli: Cli<DialogoiMessages>, log: RagConfig['log']): Promise<Logger> {
  if (!log) return silentLogger;
  const { fileSink } = await import('@vizprompt/providers/node');
  try {
    return createLogger({ level: log.level, sinks: [fileSink(log.file)] });
  } catch (error) {
    await warn(cli, messageOf(error));
    return silentLogger;
  }
}

/** The service logs what fails; and these are what it does. */
function logChanges(novels: NovelService, logger: Logger): void {
  for (const name of ['file:indexed', 'file:removed', 'file:written'] as const) {
    novels.events.on(name, (fields) => logger.info(name, { ...fields }));
  }
  novels.events.on('index:failed', ({ novelId, error }) => {
    logger.error('index:failed', { novelId, error: messageOf(error) });
  });
  novels.events.on('search:degraded', ({ novelId, error }) => {
    logger.warn('search:degraded', { novelId, error: messageOf(error) });
  });
}

/** A path in a variable is one of the current folder, wherever the settings lie. */
function environmentHere({
  env,
  cwd,
}: Cli<DialogoiMessages>): Readonly<Record<string, string | undefined>> {
  const names = ['DIALOGOI_PROJECT_ROOT', 'DIALOGOI_LOG_FILE', 'DIALOGOI_THESAURUS'];
  const paths = names.flatMap((name) => {
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
  let dictionary: ProgressBar | undefined;
  novels.events.on('dictionary:progress', ({ done, total = 100 }) => {
    dictionary ??= new ProgressBar(cli.err, cli.text.dictionary.compiling);
    dictionary.update(done, total);
    if (done < total) return;
    dictionary.close();
    dictionary = undefined;
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
