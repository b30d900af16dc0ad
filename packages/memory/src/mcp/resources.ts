import type * as Mcp from '@modelcontextprotocol/server';
import type { ListResourcesResult, McpServer } from '@modelcontextprotocol/server';
import { cutMiddle } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { placedPath } from '../model/paths.ts';
import { framedText } from '../recall/recalled-text.ts';
import { sessionLine } from './session-tools.ts';
import { briefEvent, cutName, errorText, fitting, refresh, type ToolHost } from './tool-host.ts';

const SESSIONS = 'ptta://sessions/';
const FILES = 'ptta://files/';
/** Resources of a page, and events of a session that its resource lists, the last ones. */
const PAGE = 100;
const LAST_EVENTS = 100;
/** Pages of sessions, and of files: clients read all of them, and some give up after 64. Addresses of others work, too. */
const MOST_PAGES = 20;
/** Characters of a title. */
const MAX_TITLE = 120;

/** Adds sessions, as timelines, and files, as they were recorded last. */
export function addResources(server: McpServer, host: ToolHost, mcp: typeof Mcp): void {
  const { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, ResourceTemplate } = mcp;
  const notFound = (uri: string) => (error: unknown) => {
    const isWrong = MemoryError.isInstance(error) || error instanceof URIError;
    throw isWrong ? new ResourceNotFoundError(cutName(uri), errorText(error)) : error;
  };
  server.registerResource(
    'session',
    new ResourceTemplate(`${SESSIONS}{id}`, { list: undefined }),
    { title: 'A session', description: 'Its last events, a line for each' },
    async (uri) => {
      await refresh(host);
      const read = async () => sessionText(host, named(uri.href, SESSIONS));
      const text = await read().catch(notFound(uri.href));
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
    },
  );
  server.registerResource(
    'file',
    new ResourceTemplate(`${FILES}{+path}`, { list: undefined }),
    { title: 'A file', description: 'Its text as it was recorded last' },
    async (uri) => {
      const { store, workspace } = host;
      await refresh(host);
      const read = async () => store.fileAt(named(uri.href, FILES), { workspace });
      const { content } = await read().catch(notFound(uri.href));
      if (content === null)
        throw new ResourceNotFoundError(cutName(uri.href), 'the file was deleted');
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: content }] };
    },
  );
  // The list of the server has no pages.
  server.server.setRequestHandler('resources/list', async ({ params }) => {
    const { page, cursor } = placeOf(params?.cursor ?? SESSIONS);
    if (!cursor.startsWith(SESSIONS) && !cursor.startsWith(FILES)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `no such cursor: ${cutName(cursor)}`,
      );
    }
    await refresh(host);
    return cursor.startsWith(SESSIONS)
      ? listSessions(host, cursor.slice(SESSIONS.length), page)
      : listFiles(host, cursor.slice(FILES.length), page);
  });
}

/** Returns the number of the page that a cursor leads to, from 1, and after what it begins. */
function placeOf(cursor: string): { readonly page: number; readonly cursor: string } {
  const [head = '', page] = /^(\d{1,3}) /.exec(cursor) ?? [];
  return { page: Number(page ?? 1), cursor: cursor.slice(head.length) };
}

/** Returns the name in an address, whose segments are percent-encoded. */
function named(uri: string, scheme: string): string {
  return uri.slice(scheme.length).split('/').map(decodeURIComponent).join('/');
}

async function sessionText({ store }: ToolHost, id: string): Promise<string> {
  const session = await store.getSession(id);
  const after = Math.max(0, session.event_count - LAST_EVENTS);
  const { events } = await store.events(id, { after, limit: LAST_EVENTS, contents: 'omit' }).page();
  const lines = events.map((event) => {
    return `${event.sequence}. ${event.type} [${event.id}]: ${briefEvent(event, session.workspace_path)}`;
  });
  // The last ones that have room.
  const shown = fitting(lines.toReversed(), (line) => line).toReversed();
  const text = [sessionLine(session), ...shown].join('\n');
  return framedText(text, { workspace: session.workspace_path });
}

async function listSessions(
  { store, workspace }: ToolHost,
  before: string,
  page: number,
): Promise<ListResourcesResult> {
  const place = { workspace, limit: PAGE, ...(before === '' ? {} : { before }) };
  const sessions = await store.listSessions(place);
  const resources = sessions.map(({ id, started_at: started, updated_at: updated, metadata }) => {
    const { title } = metadata;
    return {
      uri: `${SESSIONS}${encodeURIComponent(id)}`,
      name: id,
      title: typeof title === 'string' ? shortTitle(title) : `Session of ${started}`,
      mimeType: 'text/plain',
      annotations: { lastModified: updated },
    };
  });
  const shown = fitting(resources, (resource) => resource);
  const last = lastOf(shown.length, sessions);
  return {
    resources: [...shown],
    nextCursor:
      last === undefined || page >= MOST_PAGES ? FILES : `${page + 1} ${SESSIONS}${last.id}`,
  };
}

async function listFiles(
  { store, workspace }: ToolHost,
  after: string,
  page: number,
): Promise<ListResourcesResult> {
  const place = { workspace, limit: PAGE, ...(after === '' ? {} : { after }) };
  const files = await store.files(place);
  const resources = files.map(({ file_path: path, updated_at: updated }) => ({
    uri: FILES + path.split('/').map(encodeURIComponent).join('/'),
    name: placedPath(path, workspace),
    mimeType: 'text/plain',
    annotations: { lastModified: updated },
  }));
  const shown = fitting(resources, (resource) => resource);
  const last = lastOf(shown.length, files);
  return {
    resources: [...shown],
    ...(last === undefined || page >= MOST_PAGES
      ? {}
      : { nextCursor: `${page + 1} ${FILES}${last.file_path}` }),
  };
}

/** Returns the last one of a page that is shown, if there are more after it. */
function lastOf<Item>(count: number, page: readonly Item[]): Item | undefined {
  const hasMore = count < page.length || page.length === PAGE;
  return hasMore ? page[count - 1] : undefined;
}

function shortTitle(title: string): string {
  const isShort = (text: string): boolean => text.length <= MAX_TITLE;
  return cutMiddle(title, isShort, () => ' … ');
}
