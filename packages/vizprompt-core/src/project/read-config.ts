import { messageOf, StorageError, type StoredFile } from '@vizprompt/providers';
import { zodProblem } from '@vizprompt/providers/config/internal';
import { isNode } from 'yaml';
import { invalidFile } from '../errors.ts';
import { decodeFile } from '../format/foreign-bytes.ts';
import { conflictSides, refuseMergeConflict } from '../format/merge-conflict.ts';
import { withoutPrefixes } from '../format/line-prefixes.ts';
import { parseYaml } from '../format/parse-yaml.ts';
import type { ConfigFile } from './config-schema.ts';
import { CONFIG_FILE, type ProjectConfig } from './config.ts';

/** Settings that cannot be read as they are, in the form that was meant. */
export interface SettledConfig {
  readonly text: string;
  /** The line of the first mark of git, or of the first slip. */
  readonly line: number;
  /** `true`: git left both sides of a merge in them. */
  readonly isConflict: boolean;
  /** The fault of its bytes, where nothing else is wrong, such as that they are UTF-16. */
  readonly wrongBytes?: string;
}

/**
 * Settles settings as {@link settleConfig} does, also where an editor stored them in UTF-16 or Shift_JIS.
 *
 * @throws VizPromptError with the code `config-invalid` if they are no text.
 */
export async function settleStoredConfig(stored: StoredFile): Promise<SettledConfig | undefined> {
  const { text, slip: wrongBytes } = decodeConfig(stored);
  const settled = await settleConfig(text);
  if (settled || wrongBytes === undefined || !(await isSound(text))) return settled;
  return { text, line: 1, isConflict: false, wrongBytes };
}

/**
 * Returns the text of settings, also where an editor stored them in UTF-16 or Shift_JIS.
 *
 * @throws VizPromptError with the code `config-invalid` if they are no text.
 */
export function decodeConfig(stored: StoredFile): ReturnType<typeof decodeFile> {
  try {
    return decodeFile(stored);
  } catch (cause) {
    if (!StorageError.isInstance(cause) || cause.code !== 'not-text') throw cause;
    const place = { file: CONFIG_FILE, line: 1, column: 1 };
    throw invalidFile('config-invalid', place, 'it is no text: save it in UTF-8', cause);
  }
}

/**
 * Settles a conflict of git in the settings: this side's, if they can be read, with the older `created` and the newer
 * `updated` of both; otherwise the other side's.
 *
 * Without a conflict, slips of YAML are fixed: tabs, wide colons, open quotes, lines that come twice, single marks of git,
 * fences of Markdown, values that need quotes, numbers that need none, sections without settings.
 *
 * @returns `undefined` if nothing is wrong, or nothing can be read.
 */
async function settleConfig(text: string): Promise<SettledConfig | undefined> {
  const sides = conflictSides(text);
  if (!sides) return mended(text);
  const { ours, theirs, line } = sides;
  const isConflict = true;
  if (!(await isSound(ours))) {
    return (await isSound(theirs)) ? { text: theirs, line, isConflict } : undefined;
  }
  if (!(await isSound(theirs))) return { text: ours, line, isConflict };
  const created = [timeIn(ours, 'created'), timeIn(theirs, 'created')].filter(Boolean).toSorted();
  const updated = [timeIn(ours, 'updated'), timeIn(theirs, 'updated')].filter(Boolean).toSorted();
  const settled = withTime(withTime(ours, 'created', created.at(0)), 'updated', updated.at(-1));
  return { text: settled, line, isConflict };
}

/**
 * Reads settings. With a conflict of git they are read as they will be settled: only so can a project be repaired.
 *
 * @throws VizPromptError with the code `config-invalid`.
 */
export async function readSettledConfig(stored: StoredFile): Promise<ProjectConfig> {
  return parseConfig((await settleStoredConfig(stored))?.text ?? decodeConfig(stored).text);
}

async function mended(text: string): Promise<SettledConfig | undefined> {
  if (await isSound(text)) return undefined;
  const before = text.split('\n');
  const plain = withoutSlips(withoutPrefixes(text).split('\n'));
  for (const lines of [plain, plain.map(withPlainNumber), inSteps(plain.map(withPlainNumber))]) {
    const whole = lines.join('\n');
    // An empty file means defaults, which may not be what it said.
    if (!/^[a-z]\w*: *\S/m.test(whole) || !(await isSound(whole))) continue;
    const slip = before.findIndex((line, at) => line !== lines[at]);
    return { text: whole, line: slip + 1, isConflict: false };
  }
  return undefined;
}

/** Returns a line whose value is a number, where that is in quotes, or of wide digits. */
function withPlainNumber(line: string): string {
  const [, name = '', , number = ''] =
    /^(  [a-z_][a-z_]*): (["']?)([\d０-９]{1,15})\2$/.exec(line) ?? [];
  return number === '' ? line : `${name}: ${number.normalize('NFKC')}`;
}

/** Returns lines of which each is indented by two spaces for each level. */
function inSteps(lines: readonly string[]): readonly string[] {
  let above = 0;
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    const level = Math.min(Math.round(indent / 2 - 0.01), above);
    if (line.trim() !== '') above = line.endsWith(':') ? level + 1 : level;
    return `${'  '.repeat(level)}${line.trimStart()}`;
  });
}

function withoutSlips(lines: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return lines
    .map((line) =>
      line
        .replaceAll('\0', '')
        .replace(/^[ \t\u3000]+/, (indent) => indent.replaceAll(/[\t\u3000]/g, '  '))
        .replace(/^( *)([A-Za-z_]+)[ \u3000]*[:：][ \u3000]*/, '$1$2: ')
        .replace(/: "([^"]*)$|: '([^']*)$/, ': $1$2')
        .replace(/: ([%@`].*)$/, (_, value: string) => `: ${JSON.stringify(value)}`)
        .trimEnd(),
    )
    .filter((line, at, all) => {
      const isEmpty = /^[a-z_][a-z_]*: *$/.test(line) && all[at + 1]?.startsWith(' ') !== true;
      if (isEmpty || /^(?:`{3}|~{3}|\/\/)/.test(line)) return false;
      if (/^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(line)) return false;
      // The same setting twice is one; two that differ are for a person to decide.
      const isTwice = /^[A-Za-z_]+: \S/.test(line) && seen.has(line);
      seen.add(line);
      return !isTwice;
    });
}

async function isSound(text: string): Promise<boolean> {
  return parseConfig(text).then(
    () => true,
    () => false,
  );
}

function timeIn(text: string, key: string): string {
  return new RegExp(`^${key}: *(\\S+)`, 'm').exec(text)?.[1] ?? '';
}

function withTime(text: string, key: string, time = ''): string {
  return time === '' ? text : text.replace(new RegExp(`^(${key}: *)\\S+`, 'm'), `$1${time}`);
}

/**
 * Reads and checks the settings of a project.
 *
 * @throws VizPromptError with the code `config-invalid` and the line and column of the problem.
 */
export async function parseConfig(text: string): Promise<ProjectConfig> {
  const { lineCounter, document, problem: found } = parseYaml(text);
  const fail = (offset: number | undefined, problem: string, cause?: unknown): never => {
    const { line, col: column } = lineCounter.linePos(offset ?? 0);
    throw invalidFile('config-invalid', { file: CONFIG_FILE, line, column }, problem, cause);
  };
  if (found) {
    refuseMergeConflict('config-invalid', CONFIG_FILE, text);
    return fail(found.offset, found.message, found.cause);
  }

  const { configSchema } = await import('./config-schema.ts');
  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch (cause) {
    // An alias of nothing, or so many that they were meant to fill the memory.
    return fail(undefined, messageOf(cause), cause);
  }
  const result = configSchema.safeParse(content, { error: zodProblem });
  if (result.success) return toConfig(result.data);
  const [issue] = result.error.issues;
  const path = issue?.path.map(String) ?? [];
  const at = path.length > 0 ? document.getIn(path, true) : undefined;
  const offset = isNode(at) ? at.range?.[0] : undefined;
  return fail(offset, `'${path.join('.')}': ${issue?.message ?? 'not valid'}`);
}

function toConfig({ version, settings, providers }: ConfigFile): ProjectConfig {
  const { default_llm_provider: provider, default_model: model } = settings;
  const { summary_token_limit: limit } = settings;
  return {
    version,
    settings: {
      maxFilesPerFolder: settings.max_files_per_folder,
      connectionIds: settings.connection_ids ?? settings.sharing === 'git',
      sharing: settings.sharing,
      ...(provider === undefined ? {} : { defaultLlmProvider: provider }),
      ...(model === undefined ? {} : { defaultModel: model }),
      ...(limit === undefined ? {} : { summaryTokenLimit: limit }),
    },
    providers: Object.fromEntries(
      Object.entries(providers).map(([name, { api_key_env: apiKeyEnv, host }]) => [
        name,
        {
          ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
          ...(host === undefined ? {} : { host }),
        },
      ]),
    ),
  };
}
