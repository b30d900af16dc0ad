import { readFile } from 'node:fs/promises';
import { messageOf, yamlOffset } from '@vizprompt/providers';
import type { LineCounter } from 'yaml';
import type { ZodSafeParseResult, ZodType } from 'zod';
import { TalkError } from '../errors.ts';
import { nearestKey, type ConfigIssue } from './config-issue.ts';
import { firstAlias } from './first-alias.ts';
import type { TalkConfig } from './talk-config.ts';

/** Options of {@link loadTalkConfig} and {@link parseTalkConfig}. */
export interface LoadConfigOptions {
  /** What stands above the file, such as the flags of a command line. `undefined` changes nothing. */
  readonly overrides?: Partial<TalkConfig>;
  /** The name of the file in messages. Default: its path, or `config`. */
  readonly file?: string;
}

/**
 * Reads a config from a YAML (or JSON) file.
 *
 * @throws TalkError with the code `config-invalid` and file, line and column of the first problem.
 *
 * @example
 * ```ts
 * const config = await loadTalkConfig('talk.yaml', { overrides: { topic: '猫と犬' } });
 * ```
 */
export async function loadTalkConfig(
  path: string | URL,
  options: LoadConfigOptions = {},
): Promise<TalkConfig> {
  return (await readTalkConfig(path, options)).config;
}

/** A config, and how to say what is wrong with it: with the place where it came from a file. */
export interface ReadConfig {
  readonly config: TalkConfig;
  readonly toError: ToConfigError;
}

/** Makes the error of an issue. */
export type ToConfigError = (issue: ConfigIssue, cause?: unknown) => TalkError;

/** As {@link loadTalkConfig}, for whoever looks at the config further. */
export async function readTalkConfig(
  path: string | URL,
  options: LoadConfigOptions = {},
): Promise<ReadConfig> {
  const file = options.file ?? String(path);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid(`${file}: it cannot be read: ${messageOf(cause)}`, { file }, cause);
  });
  return parsed(text, { ...options, file });
}

/**
 * Reads a config from the text of a YAML (or JSON) file.
 *
 * @throws TalkError with the code `config-invalid` and the place of the first problem.
 */
export async function parseTalkConfig(
  text: string,
  options: LoadConfigOptions = {},
): Promise<TalkConfig> {
  return (await parsed(text, options)).config;
}

async function parsed(
  text: string,
  { overrides = {}, file = 'config' }: LoadConfigOptions,
): Promise<ReadConfig> {
  const { parseDocument, LineCounter } = await import('yaml');
  const lines = new LineCounter();
  const tried = <T>(work: () => T, offset: () => number): T => {
    try {
      return work();
    } catch (error) {
      throw placed(file, lines, offset(), `it cannot be read: ${messageOf(error)}`, error);
    }
  };
  const document = tried(
    () => parseDocument(text, { lineCounter: lines, prettyErrors: false }),
    () => 0,
  );
  const [broken] = document.errors;
  if (broken) throw placed(file, lines, broken.pos[0], broken.message, broken);
  const value: unknown =
    tried(
      () => document.toJS(),
      () => firstAlias(document),
    ) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw placed(file, lines, 0, 'a config is a list of keys and values, such as topic: ...');
  }
  const given = Object.fromEntries(
    Object.entries(overrides).filter(([, one]) => one !== undefined),
  );
  const toError: ToConfigError = (issue, cause) => {
    const isOverridden = Object.hasOwn(given, String(issue.path[0]));
    if (isOverridden) {
      return invalid(`${describe(issue)} (given beside ${file})`, { ...issue }, cause);
    }
    return placed(
      file,
      lines,
      yamlOffset(document, issue.path, issue.isKey),
      describe(issue),
      cause,
    );
  };
  return { config: await checkTalkConfig({ ...value, ...given }, toError), toError };
}

/**
 * Checks a config that is an object.
 *
 * @throws TalkError with the code `config-invalid` that names the key.
 */
export async function checkTalkConfig(
  value: unknown,
  toError: ToConfigError = toConfigError,
): Promise<TalkConfig> {
  const { talkConfigSchema } = await import('./config-schema.ts');
  const result = checked(talkConfigSchema, value, toError);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  if (path[0] === 'stop' && path.length === 1 && issue?.code === 'invalid_union') {
    const { stopIssue } = await import('./stop-schema.ts');
    const stop = Object.entries(Object(value)).find(([key]) => key === 'stop')?.[1];
    throw toError(stopIssue(stop, path) ?? { path, problem: issue.message });
  }
  if (issue?.code !== 'unrecognized_keys') {
    throw toError({ path, problem: issue?.message ?? 'not valid' });
  }
  const [key = ''] = issue.keys;
  const known = nearestKey(key);
  const problem = `there is no such key${known === undefined ? '' : `: did you mean ${known}?`}`;
  throw toError({ path: [...path, key], problem, isKey: true });
}

function describe({ path, problem }: ConfigIssue): string {
  const name = path.map((step, at) =>
    typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`,
  );
  return path.length > 0 ? `'${name.join('')}': ${problem}` : problem;
}

/** The error of an issue of a config that is an object. */
export function toConfigError(issue: ConfigIssue, cause?: unknown): TalkError {
  return invalid(describe(issue), { ...issue }, cause);
}

/** What holds itself, by an alias or as an object, has no end. */
function checked(
  schema: ZodType<TalkConfig>,
  value: unknown,
  toError: ToConfigError,
): ZodSafeParseResult<TalkConfig> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw toError({ path: [], problem: 'it holds itself, or is nested too deeply' }, error);
  }
}

function placed(
  file: string,
  lines: LineCounter,
  offset: number,
  problem: string,
  cause?: unknown,
): TalkError {
  const { line, col: column } = lines.linePos(offset);
  return invalid(`${file}:${line}:${column}: ${problem}`, { file, line, column, problem }, cause);
}

function invalid(message: string, context: Record<string, unknown>, cause?: unknown): TalkError {
  return new TalkError('config-invalid', message, { context, cause });
}
