import { readFile } from 'node:fs/promises';
import { messageOf } from '@vizprompt/providers';
import type { Document, LineCounter } from 'yaml';
import { TalkError } from '../errors.ts';
import { nearestKey, type ConfigIssue } from './config-issue.ts';
import { offsetOf } from './offset-of.ts';
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
  const file = options.file ?? String(path);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid(`${file}: it cannot be read: ${messageOf(cause)}`, { file }, cause);
  });
  return parseTalkConfig(text, { ...options, file });
}

/**
 * Reads a config from the text of a YAML (or JSON) file.
 *
 * @throws TalkError with the code `config-invalid` and the place of the first problem.
 */
export async function parseTalkConfig(
  text: string,
  { overrides = {}, file = 'config' }: LoadConfigOptions = {},
): Promise<TalkConfig> {
  const { parseDocument, LineCounter } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw placed(file, lines, broken.pos[0], broken.message, broken);
  const value: unknown = document.toJS() ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw placed(file, lines, 0, 'a config is a list of keys and values, such as topic: ...');
  }
  const given = Object.fromEntries(
    Object.entries(overrides).filter(([, one]) => one !== undefined),
  );
  return checkTalkConfig({ ...value, ...given }, (issue) => {
    const isOverridden = String(issue.path[0]) in given;
    if (isOverridden) return invalid(`${describe(issue)} (given beside ${file})`, { ...issue });
    return placed(file, lines, offsetIn(document, issue), describe(issue));
  });
}

/**
 * Checks a config that is an object.
 *
 * @throws TalkError with the code `config-invalid` that names the key.
 */
export async function checkTalkConfig(
  value: unknown,
  toError: (issue: ConfigIssue) => TalkError = (issue) => invalid(describe(issue), { ...issue }),
): Promise<TalkConfig> {
  const { talkConfigSchema } = await import('./config-schema.ts');
  const result = talkConfigSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  if (issue?.code !== 'unrecognized_keys') {
    throw toError({ path, problem: issue?.message ?? 'not valid' });
  }
  const [key = ''] = issue.keys;
  const known = nearestKey(key);
  const problem = `there is no such key${known === undefined ? '' : `: did you mean ${known}?`}`;
  throw toError({ path: [...path, key], problem });
}

function describe({ path, problem }: ConfigIssue): string {
  const name = path.map((step, at) =>
    typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`,
  );
  return path.length > 0 ? `'${name.join('')}': ${problem}` : problem;
}

function offsetIn(document: Document, { path }: ConfigIssue): number {
  return offsetOf(document, path);
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
