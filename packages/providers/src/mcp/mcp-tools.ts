import { createHash } from 'node:crypto';
import { checkArgument, checkOptions } from '../adapter-kit/check-options.ts';
import { messageOf } from '../errors.ts';
import type { RunnableTool } from '../generate/tool.ts';
import {
  AMOUNT,
  either,
  FLAG,
  FUNCTION,
  having,
  type Kinds,
  listOf as listOfKind,
  optional,
  TEXT,
} from '../input/kinds.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import {
  type Fields,
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  parseJson,
  stringOf,
} from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { LLMError } from '../models/llm-error.ts';
import { callTool, hasTools, type McpClient, type McpProgress, watchTools } from './mcp-client.ts';

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

/** The longest name of a tool that every provider takes. */
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Names of tools that every provider takes (letters, digits, `_` and `-`, from a letter on, at most 64), each for one tool of
 * one server. A tool keeps its name for as long as this lives, also when the list of its server changes.
 *
 * Sources: OpenAI `^[a-zA-Z0-9_-]{1,64}$`, Anthropic `^[a-zA-Z0-9_-]{1,64}$`, Bedrock `[a-zA-Z][a-zA-Z0-9_]*`, Gemini
 * (begins with a letter or `_`, at most 64); MCP (SEP-986) allows `.` and `/`, and servers use any text.
 */
class ToolNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Returns the name for a tool; `prefix` is put before it, with `_` in between. */
  nameFor(server: string, tool: string, prefix: string): string {
    const key = JSON.stringify([server, tool]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const start = safeName(prefix).replace(/_+$/, '');
    const name = this.#freeName(start === '' ? tool : `${start}_${tool}`, key);
    this.#names.set(key, name);
    this.#taken.add(name.toLowerCase());
    return name;
  }

  /** Returns the wanted name if it is safe and free; else with a hash of what it is for. */
  #freeName(wanted: string, key: string): string {
    const safe = safeName(wanted);
    if (safe !== '' && safe.length <= MAX_LENGTH && this.#isFree(safe)) return safe;
    for (let turn = 0; ; turn++) {
      const hash = createHash('sha256')
        .update(`${key}${turn || ''}`)
        .digest('hex');
      const start = safe.slice(0, MAX_LENGTH - HASH_LENGTH - 1) || 'tool';
      const name = `${start}_${hash.slice(0, HASH_LENGTH)}`;
      if (this.#isFree(name)) return name;
    }
  }

  /** Models confuse names that differ in case only. */
  #isFree(name: string): boolean {
    return !this.#taken.has(name.toLowerCase());
  }
}

/** Empty where nothing of the name remains. */
function safeName(wanted: string): string {
  const plain = wanted
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_');
  if (!/[A-Za-z0-9]/.test(plain)) return '';
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

/**
 * Reads the result of a tool call for a model: text as a string, data unchanged, and pictures, sound and resources as
 * the list of content that the server sent. Content for users only is omitted.
 *
 * @throws Error with the text of the server for a call that failed.
 */
function readResult(result: object): JsonValue {
  const fields = fieldsOf(result);
  const { structuredContent, isError, toolResult } = fields;
  const content = listOf(fields['content']).map(fieldsOf).filter(isForModel);
  if (isError === true) throw new Error(failureOf(content, structuredContent));
  // Servers of the protocol of 2024-10 have no content.
  if (toolResult !== undefined) return jsonOf(toolResult);
  const texts = content.map((item) =>
    item['type'] === 'text' ? stringOf(item['text']) : undefined,
  );
  const text = texts.every((each) => each !== undefined) ? texts.join('\n') : undefined;
  if (structuredContent === undefined) return text ?? content.map(forModel);
  const data = jsonOf(structuredContent);
  if (content.length === 0 || (text !== undefined && isSame(text, data))) return data;
  return [...content.map(forModel), { type: 'text', text: JSON.stringify(data) }];
}

function isForModel({ annotations }: Fields): boolean {
  const { audience } = fieldsOf(annotations);
  return !Array.isArray(audience) || audience.length === 0 || audience.includes('assistant');
}

/** Servers repeat data as text for clients that read no data. */
function isSame(text: string, data: JsonValue): boolean {
  const parsed = parseJson(text);
  return parsed !== undefined && canonicalText(parsed) === canonicalText(data);
}

function canonicalText(value: JsonValue): string {
  return JSON.stringify(canonicalJson(value));
}

/** Removes fields that are for hosts and not for models: they cost tokens. */
function forModel({ _meta: _, annotations: __, icons: ___, ...item }: Fields): JsonValue {
  return jsonOf(item);
}

function failureOf(content: readonly Fields[], structuredContent: unknown): string {
  const texts = content.map((item) => stringOf(item['text']) ?? `[${String(item['type'])}]`);
  if (texts.length > 0) return texts.join('\n');
  return structuredContent === undefined
    ? 'the tool failed, and its server does not say why'
    : JSON.stringify(structuredContent);
}
