import { messageOf } from '@vizprompt/providers';
import { zodProblem } from '@vizprompt/providers/config/internal';
import { isNode } from 'yaml';
import { invalidFile } from '../errors.ts';
import { refuseMergeConflict } from '../format/merge-conflict.ts';
import { parseYaml } from '../format/parse-yaml.ts';
import type { ConfigFile } from './config-schema.ts';
import { CONFIG_FILE, type ProjectConfig } from './config.ts';

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
