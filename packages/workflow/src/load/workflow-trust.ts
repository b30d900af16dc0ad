import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustRequest, TrustUse } from '@vizprompt/providers/trust';
import { packageUses, serverUses } from '@vizprompt/providers/trust/internal';
import type { McpServer, WorkflowSource } from '../definition/workflow-file.ts';
import { MAX_DEPTH } from './fast-yaml.ts';
import { readSource } from './read-source.ts';
import { checkArgument } from '../check-options.ts';
import { either, having, TEXT } from '@vizprompt/providers/config/internal';

/** Returns the file of definitions that are in one file: consent belongs to it. */
export function placeOf(files: WorkflowSource | readonly WorkflowSource[]): string | undefined {
  const [only] = Array.isArray(files) && files.length === 1 ? files : [files];
  if (only instanceof URL) return fileURLToPath(only);
  return typeof only === 'string' ? resolve(only) : undefined;
}

const PATH = either<string, never>(TEXT, having('a file URL', 'href'));

/**
 * Reads what a workflow file asks its user to consent to: packages of the AI SDK that it names as models. A file that cannot be
 * read asks for nothing, as it cannot run either.
 */
export async function readWorkflowTrust(
  path: string | URL,
): Promise<TrustRequest & { readonly place: string }> {
  checkArgument('the path of readWorkflowTrust', path, PATH);
  const { source } = await readSource(path, { name: 'file', isThorough: false });
  const place = path instanceof URL ? fileURLToPath(path) : resolve(path);
  const all = [...usesIn(source.value, MAX_DEPTH), ...serversIn(source.value)];
  return { place, uses: [...new Map(all.map((use) => [use.text, use])).values()] };
}

/**
 * Returns what servers of the Model Context Protocol need consent for, as far as a file that may be broken names them.
 */
function serversIn(value: unknown): readonly TrustUse[] {
  const { mcpServers }: { mcpServers?: unknown } = Object(Object(Object(value)).use);
  return Object.entries(Object(mcpServers)).flatMap(([name, server]) => {
    const { command, url }: { command?: unknown; url?: unknown } = Object(server);
    if (typeof command !== 'string' && typeof url !== 'string') return [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has what is read of it, or less
    return serverTrust(name, server as McpServer);
  });
}

/** Variables of the environment that a text names, as `${NAME}` or `${NAME:-default}`: the name, and the default. */
export const VARIABLES: RegExp = /\$\{(\w+)(?::-([^{}]*))?\}/g;

/**
 * Returns what a server of the Model Context Protocol needs consent for: a program that is started, an address beyond this
 * machine, and each variable of the environment that either gets.
 */
export function serverTrust(name: string, server: McpServer): readonly TrustUse[] {
  const source = `use.mcpServers.${name}`;
  if ('url' in server) {
    const address = serverUses({ provider: `mcp:${name}`, address: server.url, source });
    return [...address, ...keyUses(server.headers, server.url, source)];
  }
  const { command, args = [], env = {}, cwd } = server;
  const line = [command, ...(Array.isArray(args) ? args : [])].map(shown).join(' ');
  const given = Object.entries(Object(env)).map(([key, value]) => `${key}=${shown(value)}`);
  const where = cwd === undefined ? '' : ` in ${shown(cwd)}`;
  const text = `the program ${[...given, line].join(' ')} is started${where}`;
  return [{ kind: 'command', text, source }, ...keyUses(env, command, source)];
}

function keyUses(
  values: Readonly<Record<string, string>> | undefined,
  to: string,
  source: string,
): readonly TrustUse[] {
  const names = Object.values(Object(values)).flatMap((value) =>
    Array.from(String(value).matchAll(VARIABLES), ([, name = '']) => name),
  );
  return [...new Set(names)].map((name) => {
    return { kind: 'key', text: `the value of ${name} goes to ${shown(to)}`, source };
  });
}

/** Returns a text that cannot be taken for another one, nor end a line. */
function shown(value: unknown): string {
  const text = String(value);
  return /^[\w.,:@=+/~-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Any text may become the name of a model, by an alias for one. */
function usesIn(value: unknown, depth: number): readonly TrustUse[] {
  if (typeof value === 'string') return packageUses({ model: value, source: 'model' });
  if (typeof value !== 'object' || value === null || depth <= 0) return [];
  return Object.values(value).flatMap((one: unknown) => usesIn(one, depth - 1));
}
