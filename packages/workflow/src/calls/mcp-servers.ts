import type * as Mcp from '@modelcontextprotocol/client';
import type * as Stdio from '@modelcontextprotocol/client/stdio';
import { toPeerError } from '@vizprompt/providers/internal';
import type { RunnableTool } from '@vizprompt/providers/generate';
import { mcpTools, type McpClient, type McpTools } from '@vizprompt/providers/mcp';
import { assertTrusted, type TrustOption, type TrustUse } from '@vizprompt/providers/trust';
import type { McpServer } from '../definition/mcp-server.ts';
import { serverTrust } from '../load/workflow-trust.ts';

/** A server that answers. */
interface OpenServer {
  readonly tools: McpTools;
  close(): Promise<void>;
}

/** A client that is connected. */
interface Connection extends McpClient {
  close(): Promise<void>;
}

/** Servers of the Model Context Protocol that files name: each is started once, when it is first needed. */
export class McpServers {
  readonly #place: string | undefined;
  readonly #trust: TrustOption | undefined;
  readonly #open = new Map<string, Promise<OpenServer>>();

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
    const known = this.#open.get(key) ?? this.#connect(name, server);
    this.#open.set(key, known);
    try {
      const { tools } = await known;
      return tools.tools.map((tool) => ({ name: tools.find(tool.name)?.tool ?? tool.name, tool }));
    } catch (error) {
      // The next call may find it.
      if (this.#open.get(key) === known) this.#open.delete(key);
      throw error;
    }
  }

  /** Ends the servers that were started. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(async (one) => (await one).close()));
  }

  async #connect(name: string, server: McpServer): Promise<OpenServer> {
    const uses: readonly TrustUse[] = serverTrust(name, server);
    if (uses.length > 0) await assertTrusted({ place: this.#place, uses }, this.#trust);
    const client = await connect(server);
    try {
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
      throw error;
    }
  }
}

const PACKAGE = '@modelcontextprotocol/client';

async function connect(server: McpServer): Promise<Connection> {
  let mcp: typeof Mcp;
  let stdio: typeof Stdio;
  try {
    mcp = await import('@modelcontextprotocol/client');
    stdio = await import('@modelcontextprotocol/client/stdio');
  } catch (error) {
    throw toPeerError(error, PACKAGE);
  }
  const client = new mcp.Client({ name: 'vizprompt-workflow', version: '1.0.0' });
  if ('url' in server) {
    const headers = filledIn(server.headers);
    await client.connect(
      new mcp.StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }),
    );
  } else {
    const { command, args = [], env = {}, cwd } = server;
    await client.connect(
      new stdio.StdioClientTransport({
        command,
        args: [...args],
        env: { ...stdio.getDefaultEnvironment(), ...filledIn(env) },
        stderr: 'ignore',
        ...(cwd === undefined ? {} : { cwd }),
      }),
    );
  }
  return client;
}

/** Replaces `${NAME}` by variables of the environment. */
function filledIn(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  const filled = Object.entries(values).map(([key, value]) => [
    key,
    value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => process.env[name] ?? ''),
  ]);
  return Object.fromEntries(filled);
}
