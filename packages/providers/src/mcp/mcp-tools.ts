import { messageOf } from '../errors.ts';
import type { RunnableTool } from '../generate/tool.ts';
import { fieldsOf, isRecord, jsonOf, listOf, stringOf } from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { LLMError } from '../models/llm-error.ts';
import { callTool, hasTools, watchTools, type McpClient, type McpProgress } from './mcp-client.ts';
import { ToolNames } from './tool-names.ts';
import { readResult } from './tool-result.ts';
import { checkOptions, checkArgument } from '../adapter-kit/check-options.ts';
import {
  AMOUNT,
  FLAG,
  FUNCTION,
  TEXT,
  either,
  optional,
  type Kinds,
  having,
  listOf as listOfKind,
} from '../input/kinds.ts';

/** A tool as its server names it. */
export interface McpToolInfo {
  /** The name of the server, as it introduced itself. */
  readonly server: string;
  /** The name that the server knows it by. */
  readonly tool: string;
}

/** A report on a call that has not ended. */
export interface McpToolProgress extends McpToolInfo, McpProgress {
  /** The id of the call. */
  readonly id: string;
}

/** Options of {@link mcpTools}. */
export interface McpToolsOptions {
  /**
   * Begins the names of all tools, followed by `_`; a function gives one for each tool. Default: none, and the name of the
   * server where two servers have a tool of the same name.
   */
  readonly prefix?: string | ((tool: McpToolInfo) => string) | undefined;
  /** Chooses the tools. Default: all of them. */
  readonly filter?: ((tool: McpToolInfo) => boolean) | undefined;
  /** Milliseconds that a call may take without a report of progress. Default: that of the client, a minute. */
  readonly timeoutMs?: number | undefined;
  /** Receives what a server reports on a call. */
  readonly onProgress?: ((progress: McpToolProgress) => void) | undefined;
  /**
   * True if the tools are listed again when a server reports a change. It sets the client's handler of that
   * notification. Default: `true`; clients of version 1 call `refresh` in their option `listChanged` instead.
   */
  readonly watch?: boolean | undefined;
  /** Receives the tools each time they have changed. */
  readonly onChange?: ((tools: readonly RunnableTool[]) => void) | undefined;
  /** Receives why tools could not be listed again; the former list remains. */
  readonly onError?: ((error: LLMError) => void) | undefined;
}

/** The tools of MCP servers. */
export interface McpTools {
  /** The tools as of now, for `runTools`. A list that was taken before a change does not change. */
  readonly tools: readonly RunnableTool[];
  /** Returns the tool and the server that a name refers to. */
  find(name: string): McpToolInfo | undefined;
  /** Lists the tools again. */
  refresh(): Promise<void>;
  /** Stops watching. The clients remain connected. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A page of tools more than this is not a list. */
const MAX_PAGES = 1000;

const CLIENT = having(
  'a connected Client of an SDK of the Model Context Protocol',
  'listTools',
  'callTool',
);
/** None, too: the servers of a program may be configured. */
const CLIENTS = either(CLIENT, listOfKind('clients', CLIENT));

const KINDS: Kinds<McpToolsOptions> = {
  prefix: optional(either<string, never>(TEXT, FUNCTION)),
  filter: optional(FUNCTION),
  timeoutMs: optional(AMOUNT),
  onProgress: optional(FUNCTION),
  watch: optional(FLAG),
  onChange: optional(FUNCTION),
  onError: optional(FUNCTION),
};

/**
 * Gives the tools of MCP servers to models, over connected clients of the official SDK. Names are made safe for every
 * provider and unique among all servers; schemas are passed on as they are, and the server validates the input. A call
 * that fails becomes an error of the tool, which the model sees; the `signal` of a run cancels its calls on the server.
 *
 * @param clients - A client, or one for each server.
 * @throws LLMError with the code `server` if a server cannot list its tools.
 *
 * @example
 * ```ts
 * const client = new Client({ name: 'app', version: '1.0.0' });
 * await client.connect(new StdioClientTransport({ command: 'my-server' }));
 * await using mcp = await mcpTools(client);
 * const { text } = await runTools(model, request, mcp.tools);
 * ```
 */
export async function mcpTools(
  clients: McpClient | readonly McpClient[],
  options: McpToolsOptions = {},
): Promise<McpTools> {
  checkArgument('the clients of mcpTools', clients, CLIENTS);
  checkOptions('mcpTools', options, KINDS);
  const list: readonly McpClient[] = isList(clients) ? clients : [clients];
  const set = new ToolSet(list, options);
  await set.refresh();
  if (options.watch ?? true) await set.watch();
  return set;
}

function isList(clients: McpClient | readonly McpClient[]): clients is readonly McpClient[] {
  return Array.isArray(clients);
}

/** A tool of a server, before it has a name. */
interface Listed {
  readonly client: McpClient;
  readonly place: number;
  readonly info: McpToolInfo;
  readonly description: string | undefined;
  readonly parameters: JsonObject;
}

class ToolSet implements McpTools {
  readonly #clients: readonly McpClient[];
  readonly #options: McpToolsOptions;
  readonly #names = new ToolNames();
  #tools: readonly RunnableTool[] = [];
  #infos: ReadonlyMap<string, McpToolInfo> = new Map();
  #listing: Promise<void> | undefined;
  /** A change came while the tools were listed. */
  #isStale = false;
  #stops: readonly (() => Promise<void>)[] = [];

  constructor(clients: readonly McpClient[], options: McpToolsOptions) {
    this.#clients = clients;
    this.#options = options;
  }

  get tools(): readonly RunnableTool[] {
    return this.#tools;
  }

  find(name: string): McpToolInfo | undefined {
    return this.#infos.get(name);
  }

  /** Lists once at a time, and once more for what changed meanwhile. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#listing ??= this.#listUntilFresh().finally(() => (this.#listing = undefined));
    await this.#listing;
  }

  async #listUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const listed = await Promise.all(
        this.#clients.map((client, place) => listTools(client, place)),
      );
      this.#take(listed.flat());
    }
  }

  async watch(): Promise<void> {
    this.#stops = await Promise.all(
      this.#clients.map((client) => watchTools(client, () => void this.#onChange())),
    );
  }

  async #onChange(): Promise<void> {
    try {
      await this.refresh();
      this.#options.onChange?.(this.#tools);
    } catch (error) {
      if (!LLMError.isInstance(error)) throw error;
      this.#options.onError?.(error);
    }
  }

  async close(): Promise<void> {
    const stops = this.#stops;
    this.#stops = [];
    await Promise.all(stops.map((stop) => stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #take(listed: readonly Listed[]): void {
    const { filter = () => true } = this.#options;
    const chosen = listed.filter(({ info }) => filter(info));
    const servers = new Map<string, Set<number>>();
    for (const { info, place } of chosen) {
      servers.set(info.tool, (servers.get(info.tool) ?? new Set()).add(place));
    }
    const named = chosen.map((tool) => {
      const { server, tool: own } = tool.info;
      const prefix = this.#prefixOf(tool.info, (servers.get(own)?.size ?? 0) > 1);
      return { tool, name: this.#names.nameFor(`${tool.place} ${server}`, own, prefix) };
    });
    this.#infos = new Map(named.map(({ tool, name }) => [name, tool.info]));
    this.#tools = named.map(({ tool, name }) => runnable(tool, name, this.#options));
  }

  #prefixOf(info: McpToolInfo, isShared: boolean): string {
    const { prefix } = this.#options;
    if (typeof prefix === 'function') return prefix(info);
    return prefix ?? (isShared ? info.server : '');
  }
}

/** All pages of the tools of a server. */
async function listTools(client: McpClient, place: number): Promise<Listed[]> {
  if (!hasTools(client)) return [];
  const server = client.getServerVersion()?.name ?? `server ${place + 1}`;
  const found: Listed[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? undefined : { cursor };
      const answer = fieldsOf(await client.listTools(params, { cacheMode: 'refresh' }));
      for (const tool of listOf(answer['tools'])) found.push(readTool(client, place, server, tool));
      cursor = stringOf(answer['nextCursor']);
      if (cursor === undefined || cursor === '') return found;
      if (seen.has(cursor)) throw new Error(`the cursor '${cursor}' comes again`);
      seen.add(cursor);
    }
    throw new Error(`there are more than ${MAX_PAGES} pages`);
  } catch (cause) {
    const message = `cannot list the tools of the MCP server '${server}': ${messageOf(cause)}`;
    throw new LLMError('server', message, { cause, context: { server } });
  }
}

function readTool(client: McpClient, place: number, server: string, tool: unknown): Listed {
  const { name, title, description, inputSchema } = fieldsOf(tool);
  const schema = isRecord(inputSchema) ? jsonOf(inputSchema) : {};
  const parameters = isJsonObject(schema) ? schema : {};
  return {
    client,
    place,
    info: { server, tool: stringOf(name) ?? '' },
    description: stringOf(description) ?? stringOf(title),
    // Some providers refuse an object without a list of its properties.
    parameters: { type: 'object', properties: {}, ...parameters },
  };
}

function runnable(
  { client, info, description, parameters }: Listed,
  name: string,
  { timeoutMs, onProgress }: McpToolsOptions,
): RunnableTool {
  return {
    name,
    async describe() {
      return { name, parameters, ...(description === undefined ? {} : { description }) };
    },
    async run(input, { id, signal }) {
      const result = await callTool(client, info.tool, argumentsOf(input), {
        ...(signal && { signal }),
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
        ...(onProgress && {
          onprogress: (progress) => onProgress({ ...info, id, ...progress }),
          resetTimeoutOnProgress: true,
        }),
      });
      return readResult(result);
    },
  };
}

/** Models send nothing, or `null`, to tools that take nothing. */
function argumentsOf(input: JsonValue): Record<string, unknown> {
  if (input === null || input === '') return {};
  if (isJsonObject(input)) return { ...input };
  throw new TypeError(`wrong input: expected an object, got ${JSON.stringify(input).slice(0, 80)}`);
}
