import { isMap, parseDocument } from 'yaml';
import type { FileStore } from '@vizprompt/providers';
import { invalidFile } from '../errors.ts';
import { IGNORE_FILE } from '../node/attachments.ts';
import { CONFIG_FILE, defaultConfigText, parseConfig } from '../project/config.ts';
import { formatTime } from '../project/time.ts';
import type { MergeDriver } from './git.ts';

/** Options of `VizPrompt.init`. */
export interface InitOptions {
  /**
   * Sets the project up for several people who share it by git: each clone numbers new files in a
   * folder of its own, and git merges flows by what they mean. What a clone needs in its
   * configuration is not cloned, so everybody calls it once; again does no harm. Default: `false`,
   * which leaves the setting of a project as it is.
   */
  readonly git?: boolean;
}

/** What `VizPrompt.init` did. */
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
export async function initFiles(
  files: FileStore,
  now: Date,
  { git = false }: InitOptions,
): Promise<string[]> {
  const config = await files.read(CONFIG_FILE);
  const text = config?.text ?? defaultConfigText(now);
  const changes = [
    { key: CONFIG_FILE, content: git ? await shared(text, now) : text },
    ...(git ? [{ key: IGNORE_FILE, content: ATTACHMENTS }] : []),
    ...(git ? [{ key: ATTRIBUTES_FILE, content: await attributes(files) }] : []),
  ];
  const written: string[] = [];
  for (const { key, content } of changes) {
    const stored = await files.read(key);
    if (stored?.text === content) continue;
    await files.write(key, content, { ifVersion: stored?.version ?? null });
    written.push(key);
  }
  return written;
}

async function attributes(files: FileStore): Promise<string> {
  const text = (await files.read(ATTRIBUTES_FILE))?.text ?? '';
  if (text.includes(ATTRIBUTES)) return text;
  return text === '' || text.endsWith('\n') ? text + ATTRIBUTES : `${text}\n${ATTRIBUTES}`;
}

/** The settings with `sharing: git`; comments and all else stay. */
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
