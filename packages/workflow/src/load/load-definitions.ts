import { messageOf, type JsonObject } from '@vizprompt/providers';
import type { Definitions } from '../definition/definitions.ts';
import type { WorkflowFile } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { prepareLanguages } from '../language/prepare.ts';
import type { WorkflowSource } from '../options.ts';
import { readFile } from 'node:fs/promises';

/** Where definitions come from. */
export interface DefinitionSources {
  readonly files: WorkflowSource | readonly WorkflowSource[];
  readonly promptSets?: Readonly<Record<string, WorkflowSource>>;
}

/**
 * Reads files, and checks and joins what they hold.
 *
 * @throws WorkflowError with the code `definition-invalid`: the first problem as `file:line:column: ...`, and all
 * of them in `context.problems`.
 */
export async function loadDefinitions({
  files,
  promptSets = {},
}: DefinitionSources): Promise<Definitions> {
  await prepareLanguages();
  const list = Array.isArray(files) ? files : [files];
  const read = await Promise.all(list.map(readSource));
  const sets: Record<string, any> = {};
  const out: any = { workflows: {}, promptSets: sets, use: {} };
  for (const file of read) {
    Object.assign(out.workflows, file.workflows);
    for (const k of ['retries', 'timeouts', 'models'] as const)
      out.use[k] = { ...out.use[k], ...file.use?.[k] };
    if (file.agent_roles || file.prompts) {
      sets['default'] ??= { agent_roles: {}, prompts: {} };
      Object.assign(sets['default'].agent_roles, file.agent_roles);
      Object.assign(sets['default'].prompts, file.prompts);
    }
  }
  for (const [name, source] of Object.entries(promptSets)) {
    const file = await readSource(source);
    sets[name] = { agent_roles: file.agent_roles ?? {}, prompts: file.prompts ?? {} };
  }
  return out;
}

async function readSource(source: WorkflowSource): Promise<WorkflowFile> {
  if (typeof source !== 'string' && !(source instanceof URL)) return source;
  const file = String(source);
  try {
    const text = await readFile(source, 'utf8');
    if (/^\s*\{/.test(text)) return JSON.parse(text) as JsonObject;
    const { parse } = await import('yaml');
    return parse(text);
  } catch (error) {
    throw new WorkflowError(
      'definition-invalid',
      `${file}:1:1: it cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        context: { problems: [] },
      },
    );
  }
}
