import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { zodProblem } from '@vizprompt/providers/config/internal';
import { isJsonObject } from '@vizprompt/providers/internal';
import { z } from 'zod';
import {
  CHAT_ACCESS,
  ChatAccess,
  type ChatAccessOptions,
  chatNotFound,
} from '../bridge/chat-access.ts';
import { ChatError, refusalOf } from '../bridge/chat-error.ts';
import { CHAT_ID, MAX_BYTES, MESSAGE_ID, readJsonBody } from '../bridge/read-body.ts';
import { type AnyUIMessage, fromThread, toJson, toThread } from '../bridge/ui-message.ts';
import { VizPromptError } from '../errors.ts';
import type { StoredFlow } from '../flow/flow.ts';
import { uuidFromName } from '../format/ids-and-times.ts';
import type { FlowSummary } from '../graph/flow-service.ts';
import { checkOptions } from '../input-kinds.ts';
import {
  newestLeaf,
  type ThreadChange,
  type ThreadItem,
  type ThreadMessage,
  type ThreadOutline,
  type ThreadPlace,
} from '../thread/thread.ts';
import type { VizPrompt } from '../vizprompt.ts';

/** A handler of requests, for Next.js, Hono, Deno, Bun and Node. */
type ThreadHandler = (request: Request) => Promise<Response>;

/** The same handler for each method, as Next.js wants it. */
export interface ThreadRoutes {
  readonly GET: ThreadHandler;
  readonly POST: ThreadHandler;
  readonly PUT: ThreadHandler;
  readonly PATCH: ThreadHandler;
  readonly DELETE: ThreadHandler;
}

const json = z.record(z.string(), z.json());
const newThread = z.object({
  id: CHAT_ID,
  custom: json.optional(),
  externalId: CHAT_ID.optional(),
});
const threadPatch = z.object({
  title: z.string().min(1).max(1000).optional(),
  status: z.enum(['regular', 'archived']).optional(),
  custom: json.nullable().optional(),
});
const storedEntry = z.object({
  id: MESSAGE_ID,
  parent_id: MESSAGE_ID.nullable(),
  format: z.string().min(1),
  content: json,
});
const deletion = z.object({ ids: z.array(MESSAGE_ID).max(10_000) });
const position = z.object({ file: z.string(), updated: z.string() });

/** How many threads a page has. */
const PAGE = 50;
const PLACE = /\/threads(?:\/([^/]+))?(?:\/(messages))?\/?$/;

/**
 * Serves the threads of assistant-ui and their messages: each thread is a flow with all its branches. The client is
 * `vizPromptThreads` of `@vizprompt/core/assistant-ui/client`. The path may have any prefix before `/threads`.
 *
 * @example
 * ```ts
 * // app/api/threads/[[...path]]/route.ts
 * export const { GET, POST, PUT, PATCH, DELETE } = threadRoutes(vizprompt, { owner });
 * ```
 */
export function threadRoutes(vizprompt: VizPrompt, options: ChatAccessOptions = {}): ThreadRoutes {
  checkOptions<object>('threadRoutes', options, CHAT_ACCESS);
  const routes = new Routes(vizprompt, options);
  const handle: ThreadHandler = async (request) => {
    try {
      return await routes.answer(request);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused) return refused.toResponse();
      throw error;
    }
  };
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}

class Routes {
  readonly #vizprompt: VizPrompt;
  readonly #access: ChatAccess;
  readonly #maxBytes: number;

  constructor(vizprompt: VizPrompt, options: ChatAccessOptions) {
    this.#vizprompt = vizprompt;
    this.#access = new ChatAccess(options);
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  async answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [found, thread, messages] = PLACE.exec(url.pathname) ?? [];
    if (found === undefined) throw new ChatError('chat-not-found', 'the path has no threads');
    if (thread === undefined) {
      if (request.method === 'GET') return this.#list(request, url.searchParams.get('after'));
      if (request.method === 'POST') return this.#create(request);
      return notAllowed('GET, POST');
    }
    const flow = await this.#flow(request, decoded(thread));
    return messages === undefined
      ? this.#thread(request, flow)
      : this.#messages(request, { id: flow.id });
  }

  async #flow(request: Request, name: string): Promise<StoredFlow> {
    let flow: StoredFlow;
    try {
      flow = await this.#vizprompt.getFlow({ id: name });
    } catch (error) {
      if (VizPromptError.isInstance(error) && error.code === 'flow-not-found')
        throw chatNotFound(name);
      throw error;
    }
    await this.#access.assert(request, name, flow);
    return flow;
  }

  async #list(request: Request, cursor: string | null): Promise<Response> {
    const after = cursor === null ? undefined : readCursor(cursor);
    const { flows, next } = await this.#access.list(this.#vizprompt, {
      request,
      limit: PAGE,
      after,
      idOf: (flow) => flow.id,
    });
    return Response.json({
      threads: flows.map(listedThread),
      ...(next ? { nextCursor: JSON.stringify([next.updated, next.file]) } : {}),
    });
  }

  /** A thread that is created twice by the same name of its client is one. */
  async #create(request: Request): Promise<Response> {
    const { id: local, custom, externalId } = read(newThread, await this.#body(request));
    const owner = await this.#access.ownerOf(request);
    const flow = uuidFromName('flow', 'assistant-ui', owner ?? '', local);
    await this.#access.assert(request, local, undefined);
    const created = await this.#vizprompt.ensureFlow({
      id: flow,
      name: 'New Chat',
      owner,
      ...(externalId === undefined ? {} : { source: `assistant-ui:${externalId}` }),
      meta: { untitled: true, ...(custom ? { custom } : {}) },
    });
    await this.#access.assert(request, local, created);
    return Response.json({
      remoteId: created.id,
      ...(externalId === undefined ? {} : { externalId }),
    });
  }

  async #thread(request: Request, flow: StoredFlow): Promise<Response> {
    const { id: name } = flow;
    switch (request.method) {
      case 'GET':
        return Response.json(listedThread(flow));
      case 'PATCH': {
        const patch = read(threadPatch, await this.#body(request));
        return Response.json(listedThread(await this.#patch(flow, patch)));
      }
      case 'DELETE':
        // Its messages go, too, but for those that another flow has.
        await this.#vizprompt.editThread({ id: name }, ({ messages }) =>
          messages.toReversed().map((place) => ({ type: 'delete', id: place.id })),
        );
        await this.#vizprompt.deleteFlow(name);
        return Response.json({});
      default:
        return notAllowed('GET, PATCH, DELETE');
    }
  }

  async #patch(flow: StoredFlow, patch: z.infer<typeof threadPatch>): Promise<StoredFlow> {
    const { title, status, custom } = patch;
    const { untitled, custom: before, archived, ...meta } = flow.meta ?? {};
    const isArchived = status === undefined ? archived === true : status === 'archived';
    const own = custom === undefined ? before : (custom ?? undefined);
    const next = {
      ...meta,
      ...(untitled === true && title === undefined ? { untitled } : {}),
      ...(isArchived ? { archived: true } : {}),
      ...(own === undefined ? {} : { custom: own }),
    };
    try {
      const fields = { name: title, meta: next };
      return await this.#vizprompt.updateFlow(flow.id, fields, { ifVersion: flow });
    } catch (error) {
      if (!VizPromptError.isInstance(error) || error.code !== 'conflict') throw error;
      // Another request changed the thread in the meantime, such as its title.
      return this.#patch(await this.#vizprompt.getFlow({ id: flow.id }), patch);
    }
  }

  async #messages(request: Request, flow: { readonly id: string }): Promise<Response> {
    switch (request.method) {
      case 'GET': {
        const { headId, messages } = await this.#vizprompt.readThread(flow);
        return Response.json({ headId, messages: messages.map(toEntry) });
      }
      case 'PUT': {
        const given = read(storedEntry, await this.#body(request));
        const message = fromEntry(given);
        await this.#vizprompt.editThread(flow, [
          { type: 'append', parentId: given.parent_id, message },
        ]);
        return Response.json({});
      }
      case 'DELETE': {
        const { ids } = read(deletion, await this.#body(request));
        await this.#vizprompt.editThread(flow, (thread) => deletionOf(thread, new Set(ids)));
        return Response.json({});
      }
      default:
        return notAllowed('GET, PUT, DELETE');
    }
  }

  #body(request: Request): Promise<unknown> {
    return readJsonBody(request, this.#maxBytes);
  }
}

/** Where the message on the screen is deleted, the newest branch after the one before it is shown, as assistant-ui does. */
function deletionOf(thread: ThreadOutline, ids: ReadonlySet<string>): readonly ThreadChange[] {
  const { headId, messages } = thread;
  const parents = new Map(messages.map((place) => [place.id, place.parentId]));
  const stillThere = (start: string | null): string | null => {
    let place = start;
    while (place !== null && ids.has(place)) place = parents.get(place) ?? null;
    return place;
  };
  const known = messages.filter((place) => ids.has(place.id));
  const deletions = known.map((place): ThreadChange => ({ type: 'delete', id: place.id }));
  if (headId === null || !ids.has(headId)) return deletions;
  const left = messages.filter((place) => !ids.has(place.id));
  const isMoved = (place: ThreadPlace): boolean => ids.has(place.parentId ?? '');
  const after = [...left.filter((place) => !isMoved(place)), ...left.filter(isMoved)].map(
    (place) => ({ ...place, parentId: stillThere(place.parentId) }),
  );
  return [...deletions, { type: 'head', id: newestLeaf(after, stillThere(headId)) }];
}

/** A name that is not encoded as it should be is that of no thread. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw chatNotFound(name);
  }
}

function notAllowed(allow: string): Response {
  const init = { status: 405, headers: { allow } };
  return Response.json({ error: { code: 'method-not-allowed' } }, init);
}

function read<Type>(schema: z.ZodType<Type>, value: unknown): Type {
  const result = schema.safeParse(value, { error: zodProblem });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new ChatError('invalid-request', `the body: ${place}: ${issue?.message ?? ''}`);
}

function readCursor(cursor: string): { readonly updated: string; readonly file: string } {
  try {
    const [updated, file]: unknown[] = JSON.parse(cursor);
    return position.parse({ updated, file });
  } catch (cause) {
    throw new ChatError('invalid-request', `'${cursor}' is no cursor of a list`, { cause });
  }
}

/** A thread as assistant-ui lists it. */
function listedThread({
  id: remoteId,
  name,
  updated,
  meta = {},
  source,
}: StoredFlow | FlowSummary): object {
  const { custom, archived, untitled } = meta;
  const externalId = source?.startsWith('assistant-ui:') === true ? source.slice(13) : undefined;
  return {
    remoteId,
    status: archived === true ? 'archived' : 'regular',
    ...(untitled === true ? {} : { title: name }),
    ...(externalId === undefined ? {} : { externalId }),
    lastMessageAt: updated,
    ...(isJsonObject(custom) ? { custom } : {}),
  };
}

/** A message as assistant-ui stores it: in a format of its own (`aui/v0`), of the AI SDK (`ai-sdk/v6`) or of others. */
interface StoredEntry {
  readonly id: string;
  readonly parent_id: string | null;
  readonly format: string;
  readonly content: JsonObject;
}

/** The key under which the format of an entry is stored with its message. */
const FORMAT = 'entryFormat';
const PARTS = { 'ai-sdk': 'parts', other: 'content' } as const;

/** The key of the list of parts in the content of a format. */
function partsKey(format: string): 'parts' | 'content' {
  return format.startsWith('ai-sdk') ? PARTS['ai-sdk'] : PARTS.other;
}

/** Converts an entry to a message; {@link toEntry} returns the same. */
function fromEntry(entry: StoredEntry): ThreadMessage {
  const { id, parent_id: parentId, format, content } = entry;
  const toStored = (message: AnyUIMessage): ThreadMessage => {
    const thread = toThread(message);
    return { ...thread, meta: { ...thread.meta, [FORMAT]: format } };
  };
  const { role, [partsKey(format)]: parts, ...rest } = content;
  if (isRole(role) && isParts(parts)) {
    const named = parts.map((part) => renameTool(part, format));
    const message = toStored({ ...rest, id, role, parts: named });
    if (isDeepStrictEqual(toEntry({ parentId, message }).content, content)) return message;
  }
  const whole = { type: WHOLE, content };
  return toStored({ id, role: isRole(role) ? role : 'assistant', parts: [whole] });
}

/** The type of a part that is the whole content of a message of an unknown form. */
const WHOLE = 'aui-content';

/** Converts a message to an entry, also one that came from elsewhere. */
function toEntry({ parentId, message }: ThreadItem): StoredEntry {
  const stored = message.meta?.[FORMAT];
  const format = typeof stored === 'string' ? stored : 'ai-sdk/v6';
  const { id: _id, parts, ...rest } = toJson(fromThread(message));
  const list: readonly JsonValue[] = Array.isArray(parts) ? parts : [];
  const [only] = list;
  const whole = isJsonObject(only) && only['type'] === WHOLE ? only['content'] : undefined;
  const content = isJsonObject(whole)
    ? whole
    : { ...rest, [partsKey(format)]: list.map((part) => restoreTool(part, format)) };
  return { id: message.id, parent_id: parentId, format, content };
}

function isRole(value: unknown): value is AnyUIMessage['role'] {
  return value === 'user' || value === 'assistant' || value === 'system';
}

type Part = JsonObject & { readonly type: string };

function isParts(value: unknown): value is readonly Part[] {
  return (
    Array.isArray(value) &&
    value.every((part: unknown) => isJsonObject(part) && typeof part['type'] === 'string')
  );
}

/** A call of a tool has other names in the format of assistant-ui than in that of the AI SDK. */
function renameTool(part: Part, format: string): Part {
  if (part.type !== 'tool-call' || format.startsWith('ai-sdk')) return part;
  const { type: _, args, result, ...rest } = part;
  return {
    ...rest,
    type: 'dynamic-tool',
    ...(args === undefined ? {} : { input: args }),
    ...(result === undefined ? {} : { output: result }),
  };
}

function restoreTool(part: JsonValue, format: string): JsonValue {
  const isRenamed = isJsonObject(part) && part['type'] === 'dynamic-tool';
  if (!isRenamed || format.startsWith('ai-sdk')) return part;
  const { type: _, input, output, ...rest } = part;
  return {
    ...rest,
    type: 'tool-call',
    ...(input === undefined ? {} : { args: input }),
    ...(output === undefined ? {} : { result: output }),
  };
}
