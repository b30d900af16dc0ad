import { messageOf } from '@vizprompt/providers';
import { decodeUtf8, yamlOffset } from '@vizprompt/providers/config';
import {
  exportsOf,
  isError,
  lineStarts,
  readNamedFile,
  whyUnreadable,
} from '@vizprompt/providers/internal';
import type * as Yaml from 'yaml';
import type { Document, LineCounter } from 'yaml';
import {
  guardYaml,
  placeAt,
  repeatedKey,
  TEXT,
  OBJECT,
  POSITIVE,
  optional,
  type Kinds,
} from '@vizprompt/providers/config/internal';
import type { TalkError } from '../errors.ts';
import { lookAtConfig } from './check-config.ts';
import {
  configError,
  type ConfigIssue,
  describeIssue,
  type Fields,
  type PlacedConfigIssue,
  toConfigError,
  unplaced,
} from './config-issue.ts';
import type { TalkConfig } from './talk-config.ts';
import { checkArgument, checkOptions } from '../check-input.ts';

/** The default of `maxFileBytes`. */
const MAX_FILE_BYTES: number = 1 << 22;

/** Options of {@link loadTalkConfig} and {@link parseTalkConfig}. */
export interface LoadConfigOptions {
  /** Overrides the file, as the flags of a command line do. `undefined` changes nothing. */
  readonly overrides?: Partial<TalkConfig> | undefined;
  /** The name of the file in messages. Default: its path, or `config`. */
  readonly file?: string | undefined;
  /** Bytes of the largest file that is read. Default: 4,194,304 (4 MiB). */
  readonly maxFileBytes?: number | undefined;
}

const OPTIONS: Kinds<LoadConfigOptions> = {
  overrides: optional(OBJECT),
  file: optional(TEXT),
  maxFileBytes: optional(POSITIVE),
};

/**
 * Reads a config from a YAML (or JSON) file in UTF-8.
 *
 * @throws TalkError with the code `config-invalid`: a line of its message for each problem, with file,
 * line and column, and all of them as {@link PlacedConfigIssue} in `context.issues`.
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
  return checked(await readTalkConfig(path, options));
}

/** A config that was read and not checked, and how to say what is wrong with it. */
interface ReadConfig {
  readonly value: Fields;
  readonly toError: ToConfigError;
}

/** Makes the error of all that is wrong, with the places where the config came from a file. */
type ToConfigError = (issues: readonly ConfigIssue[], cause?: unknown) => TalkError;

/** Reads a config from a file, without checking it. */
export async function readTalkConfig(
  path: string | URL,
  options: LoadConfigOptions = {},
): Promise<ReadConfig> {
  checkOptions('loadTalkConfig', options, OPTIONS);
  const file = options.file ?? String(path);
  const { maxFileBytes: maxBytes = MAX_FILE_BYTES } = options;
  const bytes = await readNamedFile(path, { maxBytes }).catch((cause: unknown) => {
    const reason = (isError(cause) && cause.cause) || cause;
    const problem = `it cannot be read: ${whyUnreadable(reason)}`;
    throw configError([{ file, path: [], problem, message: `${file}: ${problem}` }], cause);
  });
  const { text, problem } = decodeUtf8(bytes);
  if (problem === undefined) return parsed(text, { ...options, file });
  const { line, column } = placeAt(text, text.length);
  const message = `${file}:${line}:${column}: ${problem}`;
  throw configError([{ file, line, column, path: [], problem, message }]);
}

/**
 * Reads a config from the text of a YAML (or JSON) file.
 *
 * @throws TalkError as {@link loadTalkConfig}.
 */
export async function parseTalkConfig(
  text: string,
  options: LoadConfigOptions = {},
): Promise<TalkConfig> {
  checkArgument('the text of parseTalkConfig', text, TEXT);
  checkOptions('parseTalkConfig', options, OPTIONS);
  return checked(await parsed(text, options));
}

/**
 * Checks a config that is an object.
 *
 * @throws TalkError with the code `config-invalid` that names each key that is wrong.
 */
export async function checkTalkConfig(value: unknown): Promise<TalkConfig> {
  const { config, issues } = await lookAtConfig(value);
  if (!config) throw toConfigError(issues);
  return config;
}

async function checked({ value, toError }: ReadConfig): Promise<TalkConfig> {
  const { config, issues } = await lookAtConfig(value);
  if (!config) throw toError(issues);
  return config;
}

async function parsed(
  text: string,
  { overrides = {}, file = 'config', maxFileBytes = MAX_FILE_BYTES }: LoadConfigOptions,
): Promise<ReadConfig> {
  const { parseDocument, Lexer, LineCounter, visit } = exportsOf(await import('yaml'));
  const lines = new LineCounter();
  const unreadable = (offset: number, problem: string): PlacedConfigIssue =>
    placed({ file, lines }, offset, { path: [], problem });
  const tried = <T>(work: () => T, offset: () => number): T => {
    try {
      return work();
    } catch (error) {
      throw configError([unreadable(offset(), `it cannot be read: ${messageOf(error)}`)], error);
    }
  };
  const excess = guardYaml(new Lexer(), text, { maxCharacters: maxFileBytes });
  if (excess) {
    lines.lineStarts = lineStarts(text);
    throw configError([unreadable(excess.offset, `it cannot be read: ${excess.problem}`)]);
  }
  const document: Document.Parsed = tried(
    () => parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false }),
    () => 0,
  );
  const repeated = repeatedKey(document);
  if (document.errors.length === 0 && repeated !== undefined) {
    throw configError([unreadable(repeated, 'Map keys must be unique')]);
  }
  const [broken] = document.errors;
  if (broken) {
    const issues = document.errors.map(({ pos, message }) => unreadable(pos[0], message));
    throw configError(issues, broken);
  }
  const value: unknown =
    tried(
      () => document.toJS(),
      () => firstAlias(document, visit),
    ) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const problem = 'a config is a list of keys and values, such as topic: ...';
    throw configError([unreadable(0, problem)]);
  }
  const given = Object.fromEntries(
    Object.entries(overrides).filter(([, one]) => one !== undefined),
  );
  const place = (issue: ConfigIssue): PlacedConfigIssue =>
    Object.hasOwn(given, String(issue.path[0]))
      ? unplaced(issue, ` (given in addition to ${file})`)
      : placed({ file, lines }, yamlOffset(document, issue.path, issue.isKey), issue);
  return {
    value: { ...value, ...given },
    toError: (issues, cause) => configError(issues.map(place), cause),
  };
}

function placed(
  { file, lines }: { readonly file: string; readonly lines: LineCounter },
  offset: number,
  { path, problem }: ConfigIssue,
): PlacedConfigIssue {
  const { line, col: column } = lines.linePos(offset);
  const message = `${file}:${line}:${column}: ${describeIssue({ path, problem })}`;
  return { file, line, column, path, problem, message };
}

/** Finds the first alias whose anchor is missing, or else the first alias. */
function firstAlias(document: Document, visit: typeof Yaml.visit): number {
  let first: number | undefined;
  let missing: number | undefined;
  visit(document, {
    Alias(_, alias) {
      const [offset] = alias.range ?? [0];
      first ??= offset;
      if (missing === undefined && alias.resolve(document) === undefined) missing = offset;
    },
  });
  return missing ?? first ?? 0;
}
