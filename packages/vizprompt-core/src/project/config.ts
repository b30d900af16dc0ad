import { formatTime, isTimestamp } from '../format/ids-and-times.ts';

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
  return configTextAt(formatTime(now));
}

function configTextAt(time: string): string {
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

/** The settings of {@link defaultConfigText}. */
const DEFAULT_CONFIG: ProjectConfig = {
  version: '1.0',
  settings: {
    maxFilesPerFolder: 256,
    connectionIds: false,
    sharing: 'none',
    defaultLlmProvider: 'openai',
    defaultModel: 'gpt-4',
    summaryTokenLimit: 50,
  },
  providers: {
    openai: { apiKeyEnv: 'OPENAI_API_KEY' },
    gemini: { apiKeyEnv: 'GEMINI_API_KEY' },
    ollama: { host: 'http://localhost:11434' },
  },
};

/**
 * Returns the settings of a file that is still as {@link defaultConfigText} made it: neither the YAML parser nor the
 * schema is loaded for it.
 */
export function readDefaultConfig(text: string): ProjectConfig | undefined {
  const [, time] = /^created: (\S+)$/m.exec(text) ?? [];
  const isDefault = time !== undefined && isTimestamp(time) && text === configTextAt(time);
  return isDefault ? DEFAULT_CONFIG : undefined;
}
