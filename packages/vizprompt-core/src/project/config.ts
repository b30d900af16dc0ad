import { messageOf } from '@vizprompt/providers';
import { isNode } from 'yaml';
import { invalidFile } from '../errors.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { refuseMergeConflict } from '../format/merge-conflict.ts';
import { parseYaml } from '../format/yaml.ts';
import type { ConfigFile } from './config-schema.ts';
import { zodProblem } from '@vizprompt/providers/config/internal';

/** The settings of a project, `config.yaml`. */
export interface ProjectConfig {
  /** The version of the file format. */
  readonly version: string;
  readonly settings: {
    /** 1 to 256. Default: 256. */
    readonly maxFilesPerFolder: number;
    /** Such as `openai`. */
    readonly defaultLlmProvider?: string;
    /** Such as `gpt-4`. */
    readonly defaultModel?: string;
    /** Tokens of a summary at most. */
    readonly summaryTokenLimit?: number;
    /** True if connections of new flows also name their nodes by id. Default: where it is shared. */
    readonly connectionIds: boolean;
    /** `git`: several people work on clones of it; see `docs/sharing.md`. Default: `none`. */
    readonly sharing: 'none' | 'git';
  };
  readonly providers: Readonly<
    Record<string, { readonly apiKeyEnv?: string; readonly host?: string }>
  >;
}

export const CONFIG_FILE = 'config.yaml';

/** Returns the file of a new project. */
export function defaultConfigText(now: Date): string {
  const time = formatTime(now);
  return `version: "1.0"
created: ${time}
updated: ${time}
settings:
  max_files_per_folder: 256
  default_llm_provider: openai
  default_model: gpt-4
  summary_token_limit: 50
providers:
  openai:
    api_key_env: OPENAI_API_KEY
  gemini:
    api_key_env: GEMINI_API_KEY
  ollama:
    host: http://localhost:11434
`;
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
