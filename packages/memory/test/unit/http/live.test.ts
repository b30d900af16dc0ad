import { describe, expect, it, onTestFinished } from 'vitest';
import { newStorage, newStore } from '../../support/open-store.ts';
import { rawRequest, serveStore, type Wire } from '../../support/http/serve-store.ts';

/** A message as `EventSource` would give it. */
interface Message {
  readonly event: string;
  readonly id?: string;
  readonly data: Wire;
}

/** A live timeline as it is read. */
interface Timeline {
  readonly response: Response;
  readonly messages: readonly Message[];
  /** Everything as it came. */
  readonly text: () => string;
  readonly ended: Promise<void>;
  leave(): void;
}

async function follow(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Timeline> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(address, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  const messages: Message[] = [];
  let [text, rest] = ['', ''];
  const read = async (): Promise<void> => {
    if (!response.body) return;
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        const data = fields.get('data');
        const id = fields.get('id');
        if (data === undefined) continue;
        messages.push({
          event: fields.get('event') ?? 'message',
          ...(id === undefined ? {} : { id }),
          data: JSON.parse(data),
        });
      }
    }
  };
  const ended = read().catch(() => {});
  return { response, messages, text: () => text, ended, leave: () => controller.abort() };
}

const said = ({ messages }: Timeline): unknown[] => {
  return messages.filter(({ event }) => event === 'message').map(({ data }) => data.sequence);
};

describe('a live timeline', () => {
  it('gives what is stored, then what comes, and changes of the session', async () => {
    const { store, url } = await serveStore();
    const { id } = await store.startSession({ workspace: '/a', metadata: { branch: 'main' } });
    await store.log(id, 'user_message', { content: '改行\n\ndata: x\r\n\u2028 と NUL \0' });
    const timeline = await follow(`${url}/api/sessions/${id}/events`);
    expect(timeline.response.status).toBe(200);
    expect(timeline.response.headers.get('content-type')).toContain('text/event-stream');
    await expect.poll(() => timeline.messages.length).toBe(2);
    expect(timeline.messages[0]).toMatchObject({ event: 'session', data: { id, ended_at: null } });
    expect(timeline.messages[0]?.data).toEqual(await store.getSession(id));
    expect(timeline.messages[1]).toMatchObject({ event: 'message', id: '1' });
    expect(timeline.messages[1]?.data.data.content).toBe('改行\n\ndata: x\r\n\u2028 と NUL \0');

    await store.log(id, 'file_edit', {
      action: 'create',
      file_path: 'a.ts',
      new_content: 'a\n',
      success: true,
    });
    await expect.poll(() => said(timeline)).toEqual([1, 2]);
    expect(timeline.messages[2]?.data.data).not.toHaveProperty('new_content');
    expect(timeline.messages[2]?.data.data.diff).toContain('+a');
    await store.updateSession(id, { metadata: { tags: ['済'] } });
    await store.endSession(id);
    await expect.poll(() => timeline.messages.at(-1)?.data.ended_at).toMatch(/^20/);
    const sessions = timeline.messages.filter(({ event }) => event === 'session');
    expect(sessions.at(-1)?.data.metadata).toEqual({ branch: 'main', tags: ['済'] });

    await store.deleteSession(id);
    await timeline.ended;
    expect(timeline.messages.at(-1)).toEqual({ event: 'deleted', data: { id } });
  });

  it('continues where the connection broke, without gaps and repetitions', async () => {
    const { store, url } = await serveStore();
    const { id } = await store.startSession({ workspace: '/a' });
    const address = `${url}/api/sessions/${id}/events`;
    const log = (count: number): Promise<unknown> => {
      return store.logMany(
        id,
        Array.from({ length: count }, () => ({
          type: 'user_message' as const,
          data: { content: 'x' },
        })),
      );
    };
    await log(250);
    const first = await follow(address);
    await expect.poll(() => said(first).length).toBe(250);
    first.leave();
    await first.ended;
    await log(30);
    const last = first.messages.at(-1)?.id ?? '';
    const second = await follow(`${address}?after=7`, { 'Last-Event-ID': last });
    await expect.poll(() => said(second).length).toBe(30);
    await log(1);
    await expect.poll(() => said(second).length).toBe(31);
    expect([...said(first), ...said(second)]).toEqual(
      Array.from({ length: 281 }, (_, at) => at + 1),
    );
    const third = await follow(`${address}?after=280`);
    await expect.poll(() => said(third)).toEqual([281]);
    for (const header of ['282', '-1', 'x', '1e3']) {
      const refused = await rawRequest(address, {
        accept: 'text/event-stream',
        'last-event-id': header,
      });
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('0 to 281')]);
    }
  });

  it('keeps silent connections alive, counts them, and ends with its server', async () => {
    const ending = new AbortController();
    const { store, url } = await serveStore({
      keepAliveMs: 60,
      maxStreams: 2,
      maxStreamsPerClient: 2,
      signal: ending.signal,
    });
    const { id } = await store.startSession({ workspace: '/a' });
    const address = `${url}/api/sessions/${id}/events`;
    const timelines = [await follow(address), await follow(address)];
    await expect.poll(() => timelines[0]?.text()).toContain('\n\n:\n\n');
    const third = await rawRequest(address, { accept: 'text/event-stream' });
    expect([third.status, third.headers['retry-after']]).toEqual([503, '10']);
    timelines[0]?.leave();
    await expect.poll(async () => (await follow(address)).response.status).toBe(200);
    ending.abort();
    await timelines[1]?.ended;
    expect(timelines[1]?.messages).toHaveLength(1);
  });

  it('of no session is a problem', async () => {
    const { url } = await serveStore();
    const none = await rawRequest(`${url}/api/sessions/none/events`, {
      accept: 'text/event-stream',
    });
    expect([none.status, none.headers['content-type']]).toEqual([404, 'application/problem+json']);
  });
});

describe('the live list of sessions', () => {
  const idsOf = ({ messages }: Timeline): string[] => {
    return messages.at(-1)?.data.sessions.map(({ id }: Wire) => id);
  };

  it('is the answer of the list, again whenever it is another one', async () => {
    const { store, url, call } = await serveStore({ pollMs: 60_000 });
    const first = await store.startSession({ workspace: '/a', metadata: { tags: ['一'] } });
    const list = await follow(`${url}/api/sessions`);
    expect(list.response.headers.get('content-type')).toContain('text/event-stream');
    await expect.poll(() => list.messages).toHaveLength(1);
    expect(list.messages[0]).toEqual({
      event: 'message',
      data: (await call('/api/sessions')).body,
    });
    // All of it comes long before the next look.
    const second = await store.startSession({ workspace: '/b' });
    await expect.poll(() => idsOf(list)).toEqual([second.id, first.id]);
    await store.endSession(second.id);
    await expect.poll(() => list.messages.at(-1)?.data.sessions[0].ended_at).toMatch(/^20/);
    await store.updateSession(first.id, { metadata: { tags: ['二'] } });
    await expect.poll(() => list.messages.at(-1)?.data.sessions[1].metadata.tags).toEqual(['二']);
    await store.deleteSession(first.id);
    await expect.poll(() => idsOf(list)).toEqual([second.id]);
    expect(list.messages).toHaveLength(5);
  });

  it('takes the filters and pages of the list, and refuses what that refuses', async () => {
    const { store, url } = await serveStore();
    const { id } = await store.startSession({ workspace: '/a' });
    await store.startSession({ workspace: '/b' });
    const active = await follow(`${url}/api/sessions?workspace=/a&state=active&limit=1`);
    await expect.poll(() => idsOf(active)).toEqual([id]);
    const newer = await store.startSession({ workspace: '/a' });
    await expect.poll(() => idsOf(active)).toEqual([newer.id]);
    expect(active.messages.at(-1)?.data.next).toBe(newer.id);
    await store.endSession(newer.id);
    await expect.poll(() => idsOf(active)).toEqual([id]);
    const wrong = { accept: 'text/event-stream' };
    for (const [query, status] of [
      ['limit=0', 400],
      ['colour=red', 400],
      ['before=none', 404],
    ] as const) {
      const refused = await rawRequest(`${url}/api/sessions?${query}`, wrong);
      expect([query, refused.status]).toEqual([query, status]);
      expect(refused.headers['content-type']).toBe('application/problem+json');
    }
  });

  it('reports what other stores do, and counts their events', async () => {
    const storage = await newStorage();
    const store = await newStore({ storage });
    const { url } = await serveStore({ keepAliveMs: 60 }, store);
    const list = await follow(`${url}/api/sessions`);
    await expect.poll(() => idsOf(list)).toEqual([]);
    await expect.poll(() => list.text()).toContain('\n\n:\n\n');
    const other = await newStore({ storage });
    const { id } = await other.startSession({ workspace: '/a' });
    await expect.poll(() => idsOf(list)).toEqual([id]);
    await other.log(id, 'user_message', { content: 'やあ😀' });
    await expect.poll(() => list.messages.at(-1)?.data.sessions[0].event_count).toBe(1);
  });

  it('counts among the streams, and ends with its server', async () => {
    const ending = new AbortController();
    const { store, url } = await serveStore({ maxStreams: 1, signal: ending.signal });
    const { id } = await store.startSession({ workspace: '/a' });
    const list = await follow(`${url}/api/sessions`);
    const timeline = await rawRequest(`${url}/api/sessions/${id}/events`, {
      accept: 'text/event-stream',
    });
    expect(timeline.status).toBe(503);
    ending.abort();
    await list.ended;
    expect(list.messages).toHaveLength(1);
  });
});
