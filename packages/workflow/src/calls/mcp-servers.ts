import type * as Mcp from '@modelcontextprotocol/client';
import type * as Stdio from '@modelcontextprotocol/client/stdio';
import { toPeerError } from '@vizprompt/providers/internal';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { McpClient, McpTools } from '@vizprompt/providers/mcp';
import { assertTrusted, type TrustOption, type TrustUse } from '@vizprompt/providers/trust';
import type { McpServer } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { unlessAborted } from './time-limit.ts';
import { serverTrust, VARIABLES } from '../load/workflow-trust.ts';

/** A server that answers. */
interface OpenServer {
  readonly tools: McpTools;
  close(): Promise<void>;
}

/** A client, and what connects it. */
interface Unconnected {
  readonly client: McpClient & { onclose?: (() => void) | undefined; close(): Promise<void> };
  readonly connect: () => Promise<void>;
}

/** Servers of the Model Context Protocol that files name: each is started once, when it is first needed. */
export class McpServers {
  readonly #place: string | undefined;
  readonly #trust: TrustOption | undefined;
  readonly #open = new Map<string, Promise<OpenServer>>();
  readonly #closing = new AbortController();

  constructor(place: string | undefined, trust: TrustOption | undefined) {
    this.#place = place;
    this.#trust = trust;
  }

  /**
   * Returns the tools of a server, under the names that it knows them by.
   *
   * @throws TrustError with the code `untrusted`; PeerError; what the server answers.
   */
  async tools(
    name: string,
    server: McpServer,
  ): Promise<readonly { readonly name: string; readonly tool: RunnableTool }[]> {
    const key = JSON.stringify(server);
    const known = this.#open.get(key) ?? this.#start(key, name, server);
    try {
      const { tools } = await known;
      return tools.tools.map((tool) => ({ name: tools.find(tool.name)?.tool ?? tool.name, tool }));
    } catch (error) {
      // The next call may find it.
      if (this.#open.get(key) === known) this.#open.delete(key);
      throw error;
    }
  }

  /** Ends the servers that were started, also those that have not answered yet. */
  async close(): Promise<void> {
    this.#closing.abort(new WorkflowError('closed', 'the engine was closed'));
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(async (one) => (await one).close()));
  }

  #start(key: string, name: string, server: McpServer): Promise<OpenServer> {
    const started = this.#connect(name, server, () => {
      // One that died is started again when it is needed.
      if (this.#open.get(key) === started) this.#open.delete(key);
    });
    this.#open.set(key, started);
    return started;
  }

  async #connect(name: string, server: McpServer, onClose: () => void): Promise<OpenServer> {
    const { signal } = this.#closing;
    const uses: readonly TrustUse[] = serverTrust(name, server);
    // A person may be asked, who may never answer.
    if (uses.length > 0)
      await unlessAborted(assertTrusted({ place: this.#place, uses }, this.#trust), signal);
    const { mcpTools } = await import('@vizprompt/providers/mcp');
    const { client, connect } = await clientFor(name, server);
    const stop = (): void => void client.close().catch(() => undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      await connect();
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client has no other way
      client.onclose = onClose;
      const tools = await mcpTools(client);
      return {
        tools,
        close: async () => {
          await tools[Symbol.asyncDispose]();
          await client.close();
        },
      };
    } catch (error) {
      await client.close();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

const PACKAGE = '@modelcontextprotocol/client';

async function clientFor(name: string, server: McpServer): Promise<Unconnected> {
  let mcp: typeof Mcp;
  let stdio: typeof Stdio;
  try {
    mcp = await import('@modelcontextprotocol/client');
    stdio = await import('@modelcontextprotocol/client/stdio');
  } catch (error) {
    throw toPeerError(error, PACKAGE);
  }
  const client = new mcp.Client({ name: 'vizprompt-workflow', version: '1.0.0' });
  const transport =
    'url' in server
      ? new mcp.StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: filledIn(name, server.headers) },
        })
      : new stdio.StdioClientTransport({
          command: server.command,
          args: [...(server.args ?? [])],
          env: { ...stdio.getDefaultEnvironment(), ...filledIn(name, server.env) },
          stderr: 'ignore',
          ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
        });
  return { client, connect: () => client.connect(transport) };
}

/**
 * Replaces `${NAME}` by variables of the environment, and `${NAME:-default}` also where one is not set or empty.
 *
 * @throws WorkflowError with the code `invalid-input` for one that is not set: a server without its secret would only
 * say that it refuses.
 */
function filledIn(
  server: string,
  values: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const filled = Object.entries(values).map(([key, value]) => [
    key,
    value.replaceAll(VARIABLES, (_, name: string, fallback: string | undefined) => {
      const given = process.env[name];
      if (given !== undefined && (given !== '' || fallback === undefined)) return given;
      if (fallback !== undefined) return fallback;
      const message = `the environment variable '${name}', which '${key}' of the MCP server '${server}' needs, is not set: set it, or write \${${name}:-} if it is optional`;
      throw new WorkflowError('invalid-input', message, { context: { server, name } });
    }),
  ]);
  return Object.fromEntries(filled);
}
