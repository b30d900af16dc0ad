import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { FileStore, StoredFile } from '@vizprompt/providers';
import {
  flagsOfPackages,
  isError,
  isSingleExecutable,
  programOnPath,
} from '@vizprompt/providers/internal';
import { isMap, parseDocument } from 'yaml';
import { invalidFile } from '../errors.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { isProjectPlace } from '../format/layout.ts';
import { IGNORE_FILE } from '../node/attachments.ts';
import { CONFIG_FILE, defaultConfigText } from '../project/config.ts';
import { decodeConfig, parseConfig } from '../project/read-config.ts';
import type { InitOptions } from '../method-options.ts';

/** The result of `VizPrompt.init`. */
export interface InitReport {
  /** The files that were written, all of them to be committed. */
  readonly written: readonly string[];
  /** Absent unless it was asked for. */
  readonly mergeDriver?: MergeDriver;
}

const ATTRIBUTES_FILE = '.gitattributes';
const ATTRIBUTES = `# VizPrompt: see "sharing" in config.yaml
nodes/** text eol=lf merge=vizprompt-node
flows/** text eol=lf merge=vizprompt-flow
metadata/** text eol=lf
metadata/*.tsv merge=union
metadata/*.yaml merge=vizprompt-metadata
config.yaml text eol=lf
attachments/** -text
lost+found/** -text
`;
const ATTACHMENTS = '# Attachments are shared by git.\n';

/** Makes the settings of a project, and with `git` what git needs to know. */
async function initFiles(
  files: FileStore,
  now: Date,
  { git = false }: InitOptions,
): Promise<string[]> {
  const config = await files.read(CONFIG_FILE);
  const text = config && git ? wholeText(config) : defaultConfigText(now);
  const shares = git
    ? [
        { key: CONFIG_FILE, content: await shared(text, now) },
        { key: IGNORE_FILE, content: ATTACHMENTS },
        { key: ATTRIBUTES_FILE, content: await attributes(files) },
      ]
    : [];
  const changes = git || config ? shares : [{ key: CONFIG_FILE, content: text }];
  const written: string[] = [];
  for (const { key, content } of changes) {
    const stored = await files.read(key);
    if (stored && Buffer.from(content).equals(stored.data)) continue;
    await files.write(key, content, { ifVersion: stored?.version ?? null });
    written.push(key);
  }
  return written;
}

/**
 * Returns the text of settings that are written again, also where they are in UTF-16 or Shift_JIS.
 *
 * @throws VizPromptError with the code `config-invalid` if writing them would lose bytes.
 */
function wholeText(stored: StoredFile): string {
  const { text, slip } = decodeConfig(stored);
  if (slip === undefined || !text.includes('\ufffd')) return text;
  throw invalidFile('config-invalid', { file: CONFIG_FILE }, `${slip}: repair the project first`);
}

async function attributes(files: FileStore): Promise<string> {
  const text = (await files.read(ATTRIBUTES_FILE))?.text ?? '';
  if (text.includes(ATTRIBUTES)) return text;
  return text === '' || text.endsWith('\n') ? text + ATTRIBUTES : `${text}\n${ATTRIBUTES}`;
}

/** Returns the settings with `sharing: git`; comments and all else stay. */
async function shared(text: string, now: Date): Promise<string> {
  if ((await parseConfig(text)).settings.sharing === 'git') return text;
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.contents !== null && !isMap(document.contents)) {
    throw invalidFile('config-invalid', { file: CONFIG_FILE }, 'it is no map');
  }
  document.setIn(['settings', 'sharing'], 'git');
  document.set('updated', formatTime(now));
  return document.toString({ lineWidth: 0 });
}

/**
 * Initialises a project.
 *
 * @param addMain - Makes the main flow and gives its file back. A shared project has it from the
 * beginning: two clones that each made one would have two.
 */
export async function initProject(
  folder: string,
  options: InitOptions,
  addMain: () => Promise<string | undefined>,
): Promise<InitReport> {
  const { openStorage } = await import('@vizprompt/providers/node');
  const storage = await openStorage(folder, { isWritable: isProjectPlace });
  let written: readonly string[];
  try {
    written = await initFiles(storage.files, new Date(), options);
  } finally {
    await storage.close();
  }
  if (!options.git) return { written };
  const main = await addMain();
  return {
    written: main === undefined ? written : [...written, main],
    mergeDriver: await registerMergeDriver(folder),
  };
}

const run = promisify(execFile);

/** True if git will merge nodes and flows by what they mean. */
type MergeDriver =
  /** It is in the configuration of the repository. */
  | 'registered'
  /** The folder is in no repository: initialise again when it is. */
  | 'no-repository'
  /** There is no git on this machine. */
  | 'no-git';

const DRIVERS = {
  'vizprompt-node': ['VizPrompt: merges nodes by their fields', 'node'],
  'vizprompt-flow': ['VizPrompt: merges flows by what they mean', 'flow'],
  'vizprompt-metadata': ['VizPrompt: merges tags.yaml and index.yaml', 'metadata'],
} as const;

/** Registers in the repository of a folder, if it is in one, how flows and metadata are merged. */
async function registerMergeDriver(folder: string): Promise<MergeDriver> {
  const git = (...args: string[]): Promise<unknown> =>
    run(programOnPath('git'), ['-C', folder, ...args]);
  try {
    await git('rev-parse', '--git-dir');
  } catch (error) {
    const isMissing = isError(error) && 'code' in error && error.code === 'ENOENT';
    return isMissing ? 'no-git' : 'no-repository';
  }
  const program = programPath();
  for (const [driver, [name, kind]] of Object.entries(DRIVERS)) {
    await git('config', '--local', `merge.${driver}.name`, name);
    await git('config', '--local', `merge.${driver}.driver`, `${program} ${kind} %O %A %B %P`);
  }
  return 'registered';
}

/** Returns the program of this package as git's shell calls it: by its place, as it is in no `PATH`. */
function programPath(): string {
  // The path of a single executable is that of the program itself.
  if (isSingleExecutable()) return 'vizprompt-merge';
  try {
    const manifest = createRequire(import.meta.url).resolve('@vizprompt/core/package.json');
    const program = join(dirname(manifest), 'dist', 'vizprompt-merge.js');
    return [process.execPath, ...flagsOfPackages(import.meta.url), program].map(quoted).join(' ');
  } catch {
    // A bundle has it elsewhere.
    return 'vizprompt-merge';
  }
}

/** For the shell that git brings along, on Windows too, where it takes `/` for `\`. */
function quoted(path: string): string {
  const portable = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return `'${portable.replaceAll("'", String.raw`'\''`)}'`;
}
