import type { McpServer, Resource } from '@modelcontextprotocol/server';
import { Semaphore } from '@vizprompt/providers/internal';
import { loopTurns } from '@vizprompt/providers/serving/internal';
import { RagError } from '../errors.ts';
import { FILE_AREAS, type FileArea } from '../files/file-area.ts';
import type { Place } from '../project/file-in-area.ts';
import { loadMcpServer } from './load-mcp.ts';
import type { ToolHost } from './tool-input.ts';

const SCHEME = 'dialogoi://novels/';
/** Whole files that are read at a time, and turns of the event loop until an answer has been passed on. */
const READS = new Semaphore(2);
const READ_TURNS = 16;
/** Resources of a page. */
const PAGE = 100;
/** As many files as a list can have. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Files as resources, `dialogoi://novels/灯台/settings/人物.md` with everything percent-encoded. */
export async function addResources(server: McpServer, { service }: ToolHost): Promise<void> {
  const { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, ResourceTemplate } =
    await loadMcpServer();
  const template = new ResourceTemplate(`${SCHEME}{novelId}/{+file}`, {
    list: undefined,
    complete: {
      novelId: async (value) => {
        const projects = await service.listProjects();
        return projects.map(({ id }) => id).filter((id) => id.startsWith(value));
      },
    },
  });
  const about = { title: 'A file of a novel project', description: 'Its whole text' };
  server.registerResource('novel-file', template, about, async (uri) => {
    const { novelId, place, file } = addressOf(uri.href) ?? missing(uri.href);
    const release = await READS.acquire();
    try {
      const texts = await service.read(novelId, place, { file, maxCharacters: ALL });
      const text = texts.files[0]?.text ?? '';
      return { contents: [{ uri: uri.href, mimeType: mimeTypeOf(file), text }] };
    } catch (error) {
      if (RagError.isInstance(error)) throw new ResourceNotFoundError(uri.href, error.message);
      throw error;
    } finally {
      // Its answer is serialized, several times its size, before the next one is read.
      void loopTurns(READ_TURNS).then(release);
    }
  });

  // The list of the server has no pages.
  server.server.setRequestHandler('resources/list', async ({ params }) => {
    const offset = Number(params?.cursor ?? 0);
    if (!Number.isSafeInteger(offset) || offset < 0) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no such cursor: ${params?.cursor}`);
    }
    const all = await resourcesOf(service);
    const resources = all.slice(offset, offset + PAGE);
    const next = offset + PAGE;
    return next < all.length ? { resources, nextCursor: String(next) } : { resources };
  });

  function missing(uri: string): never {
    throw new ResourceNotFoundError(uri);
  }
}

async function resourcesOf(service: ToolHost['service']): Promise<Resource[]> {
  const resources: Resource[] = [];
  for (const { id, title } of await service.listProjects()) {
    for (const place of [...FILE_AREAS, 'instructions'] as const) {
      const { files } = await service.list(id, place, { limit: ALL });
      for (const { path, bytes, modified } of files) {
        // A folder that cannot be read.
        if (path.endsWith('/')) continue;
        resources.push({
          uri: uriOf(id, path),
          name: path,
          title: `${title}: ${path}`,
          mimeType: mimeTypeOf(path),
          size: bytes,
          annotations: { lastModified: modified },
        });
      }
    }
  }
  return resources;
}

/** Returns the address of a file as a resource. */
function uriOf(novelId: string, file: string): string {
  return SCHEME + [novelId, ...file.split('/')].map(encodeURIComponent).join('/');
}

function addressOf(
  uri: string,
): { readonly novelId: string; readonly place: Place; readonly file: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  let parts: readonly string[];
  try {
    parts = uri.slice(SCHEME.length).split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const [novelId, ...rest] = parts;
  if (novelId === undefined || rest.length === 0) return undefined;
  const file = rest.join('/');
  const area = FILE_AREAS.find((known): known is FileArea => known === rest[0]);
  return { novelId, place: area ?? 'instructions', file };
}

function mimeTypeOf(file: string): string {
  return file.toLowerCase().endsWith('.md') ? 'text/markdown' : 'text/plain';
}
