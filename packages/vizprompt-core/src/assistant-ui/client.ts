/**
 * The part of the bridge to assistant-ui for browsers: the list of threads, and the history of each, from the handler that
 * `threadRoutes` of `@vizprompt/core/assistant-ui` is. It needs nothing of Node, and no package.
 *
 * @module @vizprompt/core/assistant-ui/client
 */

/** Options of {@link vizPromptThreads}. */
export interface ThreadsOptions {
  /** The address before `/threads`, such as `/api`. */
  readonly api: string;
  /** Headers of each request, such as a token. */
  readonly headers?:
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** Default: `fetch` of the browser. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A thread as assistant-ui lists it. */
export interface ThreadMetadata {
  readonly remoteId: string;
  readonly status: 'regular' | 'archived';
  readonly title?: string | undefined;
  readonly externalId?: string | undefined;
  readonly lastMessageAt?: Date | undefined;
  readonly custom?: Record<string, unknown> | undefined;
}

/** A page of threads. */
export interface ThreadPage {
  readonly threads: ThreadMetadata[];
  readonly nextCursor?: string | undefined;
}

/** A message with the one that it follows. */
export interface HistoryItem<Message> {
  parentId: string | null;
  message: Message;
}

interface Entry<Content> {
  id: string;
  parent_id: string | null;
  format: string;
  content: Content;
}

interface StoredThread<Content> {
  headId: string | null;
  messages: Entry<Content>[];
}

/** How messages of a runtime are stored: `MessageFormatAdapter` of assistant-ui. */
export interface MessageFormat<Message, Content> {
  format: string;
  encode(item: HistoryItem<Message>): Content;
  decode(stored: Entry<Content>): HistoryItem<Message>;
  getId(message: Message): string;
}

/** A history of one format. */
export interface FormattedHistory<Message> {
  load(): Promise<{ headId?: string | null; messages: HistoryItem<Message>[] }>;
  append(item: HistoryItem<Message>): Promise<void>;
  update(item: HistoryItem<Message>): Promise<void>;
  delete(items: HistoryItem<Message>[]): Promise<void>;
}

/** A history for the runtimes of assistant-ui: `ThreadHistoryAdapter`. */
export interface ThreadHistory<Message> extends FormattedHistory<Message> {
  withFormat<Other, Content extends Record<string, unknown>>(
    format: MessageFormat<Other, Content>,
  ): FormattedHistory<Other>;
}

/** The thread that is open on a page: of the client of assistant-ui (`useAui()`), what a history needs. */
export interface OpenThread {
  readonly threadListItem: {
    getState(): { readonly remoteId?: string | undefined };
    initialize(): Promise<{ readonly remoteId: string }>;
  };
}

/** A list of threads for assistant-ui: all of `RemoteThreadListAdapter` but `generateTitle`. */
export interface Threads {
  list(page?: { after?: string | undefined }): Promise<ThreadPage>;
  initialize(
    threadId: string,
    options?: { custom?: Record<string, unknown> | undefined },
  ): Promise<{ remoteId: string; externalId?: string | undefined }>;
  fetch(remoteId: string): Promise<ThreadMetadata>;
  rename(remoteId: string, title: string): Promise<void>;
  updateCustom(remoteId: string, custom: Record<string, unknown> | undefined): Promise<void>;
  archive(remoteId: string): Promise<void>;
  unarchive(remoteId: string): Promise<void>;
  delete(remoteId: string): Promise<void>;
  /**
   * Returns the history of a thread.
   *
   * @param thread - The client of the page (`useAui()`), whose thread is created with its first message; or the id; or a
   * function that gives it, and is called for reading, too.
   */
  history<Message extends { readonly id: string }>(
    thread: OpenThread | string | (() => string | Promise<string>),
  ): ThreadHistory<Message>;
}

/**
 * Creates the list of threads for a page.
 *
 * @example
 * ```ts
 * const threads = vizPromptThreads({ api: '/api' });
 * const history = threads.history(useAui());
 * ```
 */
export function vizPromptThreads({ api, headers, fetch: given }: ThreadsOptions): Threads {
  const call = async <Answer>(path: string, method = 'GET', body?: unknown): Promise<Answer> => {
    const request = given ?? globalThis.fetch;
    const own = new Headers(await headers?.());
    if (body !== undefined) own.set('content-type', 'application/json');
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await request(`${api}/threads${path}`, { method, headers: own, ...init });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what threadRoutes answers
    if (response.ok) return (await response.json()) as Answer;
    throw new Error(`${method} ${api}/threads${path}: ${response.status} ${await response.text()}`);
  };
  // A runtime writes an answer without waiting for its question, which must be there before.
  const writes = new Map<string, Promise<unknown>>();
  const write = async (path: Promise<Place>, method: string, body: unknown): Promise<void> => {
    const place = await path;
    if (place === undefined) return;
    const own = (writes.get(place) ?? Promise.resolve()).then(() => call(place, method, body));
    writes.set(
      place,
      own.catch(() => undefined),
    );
    await own;
  };
  const at = (id: string): string => `/${encodeURIComponent(id)}`;
  const patch = async (id: string, body: unknown): Promise<void> => {
    await call(at(id), 'PATCH', body);
  };
  const formatted = <Message, Content>(
    place: (isNew?: boolean) => Promise<Place>,
    format: MessageFormat<Message, Content>,
  ): FormattedHistory<Message> => {
    const put = async (item: HistoryItem<Message>): Promise<void> => {
      await write(place(true), 'PUT', {
        id: format.getId(item.message),
        parent_id: item.parentId,
        format: format.format,
        content: format.encode(item),
      });
    };
    return {
      async load() {
        const path = await place();
        if (path === undefined) return { headId: null, messages: [] };
        const all = await call<StoredThread<Content>>(path);
        const own = all.messages.filter((entry) => entry.format === format.format);
        const headId = own.some(({ id }) => id === all.headId)
          ? all.headId
          : (own.at(-1)?.id ?? null);
        return { headId, messages: own.map((entry) => format.decode(entry)) };
      },
      append: put,
      update: put,
      async delete(items) {
        const ids = items.map(({ message }) => format.getId(message));
        await write(place(), 'DELETE', { ids });
      },
    };
  };
  return {
    async list({ after } = {}) {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
      const { threads, nextCursor } = await call<ThreadPage>(query);
      return { threads: threads.map(withDate), nextCursor };
    },
    async initialize(id, { custom } = {}) {
      return call('', 'POST', { id, custom });
    },
    fetch: async (id) => withDate(await call(at(id))),
    rename: (id, title) => patch(id, { title }),
    updateCustom: (id, custom) => patch(id, { custom: custom ?? null }),
    archive: (id) => patch(id, { status: 'archived' }),
    unarchive: (id) => patch(id, { status: 'regular' }),
    async delete(id) {
      await call(at(id), 'DELETE');
    },
    history<Message extends { readonly id: string }>(
      thread: OpenThread | string | (() => string | Promise<string>),
    ) {
      const idOf = (isNew: boolean): Place | Promise<Place> => {
        if (typeof thread === 'string') return thread;
        if (typeof thread === 'function') return thread();
        const { threadListItem: item } = thread;
        return isNew ? item.initialize().then((made) => made.remoteId) : item.getState().remoteId;
      };
      const place = async (isNew = false): Promise<Place> => {
        const id = await idOf(isNew);
        return id === undefined ? id : `${at(id)}/messages`;
      };
      return {
        ...formatted<Message, unknown>(place, ownFormat()),
        withFormat: (format) => formatted(place, format),
      };
    },
  };
}

/** The path of a thread, or its id; `undefined`: it is not created yet. */
type Place = string | undefined;

/** JSON has no dates. */
function withDate(thread: ThreadMetadata): ThreadMetadata {
  return { ...thread, lastMessageAt: new Date(String(thread.lastMessageAt)) };
}

/** Messages of the runtimes of assistant-ui as they are, with what belongs to the item besides its message. */
function ownFormat<Message extends { readonly id: string }>(): MessageFormat<Message, unknown> {
  return {
    format: 'aui/v0',
    getId: ({ id }) => id,
    encode({ message, parentId: _, ...more }) {
      const { id: _id, ...rest } = message;
      return flat({ ...rest, ...(Object.keys(more).length > 0 ? { $item: more } : {}) });
    },
    decode({ id, parent_id: parentId, content }) {
      const { $item, ...message } = { $item: {}, ...Object(revived(content)) };
      return { ...$item, parentId, message: { ...message, id } };
    },
  };
}

function mapped(value: unknown, map: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(map);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, map(each)]));
}

/** Dates are written as objects, so that they come back as dates; an object that looks like one is written within another. */
function flat(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  const plain = mapped(value, flat);
  return dateOf(value) === undefined ? plain : { $date: plain };
}

function revived(value: unknown): unknown {
  const date = dateOf(value);
  if (typeof date === 'string') return new Date(date);
  return mapped(dateOf(date) === undefined ? value : date, revived);
}

function dateOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '$date' in value ? value.$date : undefined;
}
