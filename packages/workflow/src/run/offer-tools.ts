import type { JsonObject, JsonValue, Retriever, Tool } from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { AgentCall, AgentTool } from '../definition/agent-call.ts';
import type { Timeout } from '../definition/policies.ts';
import { readToolReference } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import { equipment, namedRules, type RunServices, workflowNamed } from './execution-context.ts';

/** A tool as an agent is offered it. */
export interface OfferedTool {
  readonly described: Tool;
  readonly rules: AgentTool;
  readonly timeout: Timeout | undefined;
  /** Absent for workflows, which the run itself leads. */
  readonly run?: RunnableTool['run'];
  readonly workflow?: string;
}

type Made = Omit<OfferedTool, 'rules' | 'timeout'>;

/** The tools of an agent, after those of its step, under names that are safe for every provider and unique. */
export async function offerTools(
  services: RunServices,
  { tools = [] }: AgentCall,
  own: readonly OfferedTool[] = [],
): Promise<readonly OfferedTool[]> {
  const { timeouts } = services.definition.use;
  const taken = new Set(own.map(({ described }) => described.name));
  const offered: OfferedTool[] = [...own];
  for (const given of tools) {
    const rules = typeof given === 'string' ? { tool: given } : given;
    const timeout = namedRules('timeouts', timeouts, rules.timeout);
    for (const made of await toolsOf(services, rules.tool)) {
      const name = freeName(made.described.name, taken);
      taken.add(name);
      offered.push({ ...made, described: { ...made.described, name }, rules, timeout });
    }
  }
  return offered;
}

async function toolsOf(services: RunServices, text: string): Promise<readonly Made[]> {
  const { engine, definition, runId } = services;
  const reference = readToolReference(text);
  const { name } = reference;
  switch (reference.kind) {
    case 'engine':
      return [await ofRunnable(equipment('tool', engine.tools, name), name)];
    case 'retriever':
      return [ofRetriever(name, equipment('retriever', engine.retrievers, name), runId)];
    case 'flow':
      return [ofWorkflow(name, workflowNamed(definition, name))];
    default: {
      const server = definition.use.mcpServers?.[name];
      if (!server) throw missing(`there is no '${name}' in use.mcpServers`, name);
      const all = await engine.mcp.tools(name, server);
      const { tool } = reference;
      const chosen = tool === undefined ? all : all.filter((one) => one.name === tool);
      if (chosen.length === 0) {
        const names = all.map((one) => one.name).join(', ') || 'none';
        throw missing(`the server '${name}' has no tool '${tool ?? '*'}'; it has: ${names}`, name);
      }
      return Promise.all(chosen.map((one) => ofRunnable(one.tool, `${name}_${one.name}`)));
    }
  }
}

function missing(message: string, server: string): WorkflowError {
  return new WorkflowError('not-found', message, { context: { server } });
}

async function ofRunnable(tool: RunnableTool, name: string): Promise<Made> {
  const described = await tool.describe();
  return { described: { ...described, name }, run: (input, context) => tool.run(input, context) };
}

function ofRetriever(name: string, retriever: Retriever, conversation: string): Made {
  return {
    described: {
      name: `retrieve_${name}`,
      description: `Looks passages up in '${name}'`,
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'In natural language or keywords' },
          limit: { type: 'integer', minimum: 1, description: 'Passages at most' },
        },
        required: ['query'],
      },
    },
    async run(input, { signal }) {
      const { query, limit = 5 }: { query?: unknown; limit?: unknown } = Object(input);
      if (typeof query !== 'string' || query.trim() === '') {
        throw new TypeError("wrong input: 'query' must be a string");
      }
      const most = Number.isInteger(limit) && Number(limit) > 0 ? Number(limit) : 5;
      const options = { limit: most, k: most, conversation, ...(signal ? { signal } : {}) };
      const passages = await retriever.retrieve(query, options);
      const json: JsonValue = JSON.parse(JSON.stringify(passages));
      return json;
    },
  };
}

function ofWorkflow(
  name: string,
  { description, inputs }: { readonly description?: string; readonly inputs?: JsonObject },
): Made {
  const isObject = inputs?.['type'] === 'object';
  return {
    workflow: name,
    described: {
      name: `flow_${name}`,
      description: description ?? `Runs the workflow '${name}'`,
      parameters: isObject
        ? inputs
        : { type: 'object', properties: { input: inputs ?? {} }, required: ['input'] },
    },
  };
}

/** Characters that providers take in the names of tools, and how many. */
const UNSAFE = /[^\w-]/g;
const MAX_NAME = 64;

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replaceAll(UNSAFE, '_').slice(0, MAX_NAME) || 'tool';
  for (let number = 2, name = safe; ; number++) {
    if (!taken.has(name)) return name;
    const suffix = `_${number}`;
    name = safe.slice(0, MAX_NAME - suffix.length) + suffix;
  }
}
