import { messageOf } from '@vizprompt/providers';
import { FLAG, FUNCTION, either, optional, type Kinds } from '@vizprompt/providers/config/internal';
import type { TrustOption } from '@vizprompt/providers/trust';
import { McpServers } from '../calls/mcp-servers.ts';
import { checkOptions } from '../check-options.ts';
import { allSteps, toolsOf } from '../definition/walk-steps.ts';
import { at, type WorkflowCheck } from '../load/check-definitions.ts';
import { type DefinitionSources, loadDefinitions, SOURCE_KINDS } from '../load/load-definitions.ts';
import { placeOf } from '../load/workflow-trust.ts';
import { type Finding, unknownName } from '../problems/finding.ts';

/** Tools of a server of the Model Context Protocol, as it lists them. */
export interface McpServerTools {
  /** Its name in `use.mcpServers`. */
  readonly server: string;
  readonly tools: readonly { readonly name: string; readonly description?: string }[];
  /** Reason why it cannot be asked; then there are no tools. */
  readonly problem?: string;
}

/** Options of {@link listMcpTools}. */
export interface McpToolsOptions extends DefinitionSources {
  /** Consent to the servers, as for `WorkflowEngine.open`. */
  readonly trust?: TrustOption | undefined;
}

const KINDS: Kinds<McpToolsOptions> = { ...SOURCE_KINDS, trust: optional(either(FLAG, FUNCTION)) };

/**
 * Starts each server of `use.mcpServers` and lists its tools: names for `tools` of agents, and what `lint` takes as
 * `mcpTools`. A server that does not answer is listed with its problem.
 *
 * @throws WorkflowError with the code `definition-invalid` or `invalid-input`.
 *
 * @example
 * ```ts
 * const mcpTools = await listMcpTools({ files: 'flows.yaml', trust: true });
 * const problems = await lint('flows.yaml', { mcpTools });
 * ```
 */
export async function listMcpTools(options: McpToolsOptions): Promise<readonly McpServerTools[]> {
  checkOptions('listMcpTools', options, KINDS);
  const { use } = await loadDefinitions(options);
  const servers = new McpServers(placeOf(options.files), options.trust);
  try {
    return await Promise.all(
      Object.entries(use.mcpServers ?? {}).map(async ([name, server]) => {
        try {
          const all = await servers.tools(name, server);
          const tools = await Promise.all(
            all.map(async ({ name: tool, tool: runnable }) => {
              const { description } = await runnable.describe();
              return { name: tool, ...(description === undefined ? {} : { description }) };
            }),
          );
          return { server: name, tools };
        } catch (error) {
          return { server: name, tools: [], problem: messageOf(error) };
        }
      }),
    );
  } finally {
    await servers.close();
  }
}

/** Tools that servers do not have, and servers that do not answer, where their tools are given. */
export function* checkMcpTools(
  check: WorkflowCheck,
  given: readonly McpServerTools[] | undefined,
): Generator<Finding> {
  if (!given) return;
  const servers = new Map(given.map((one) => [one.server, one]));
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { reference, path: below } of toolsOf(step)) {
      if (reference.kind !== 'mcp') continue;
      const server = servers.get(reference.name);
      if (!server) continue;
      const place = [...path, ...below];
      if (server.problem !== undefined) {
        const words = { name: server.server, problem: server.problem };
        yield at(check, place, { code: 'server-failed', words });
        continue;
      }
      const { tool } = reference;
      const names = server.tools.map(({ name }) => name);
      if (tool === undefined || names.includes(tool)) continue;
      yield at(check, place, { code: 'unknown-tool', ...unknownName(tool, names) });
    }
  }
}
