import type { Thread, ThreadChange, ThreadItem, ThreadMessage, ThreadPart } from '@vizprompt/core';
import fc from 'fast-check';
import { anyJson, anyText } from './random-nodes.ts';

const meta = fc.option(fc.dictionary(fc.string({ minLength: 1 }), anyJson, { maxKeys: 2 }), {
  nil: undefined,
});
const part: fc.Arbitrary<ThreadPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({ type: fc.constant('reasoning' as const), text: anyText }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: anyText,
    tool: anyText,
    input: anyJson,
  }),
  fc.record({
    type: fc.constant('file' as const),
    uri: fc.webUrl(),
    mediaType: fc.constant('image/png'),
  }),
  fc
    .uint8Array({ maxLength: 9 })
    .map((bytes) => `data:application/x;base64,${Buffer.from(bytes).toString('base64')}`)
    .map((uri) => ({ type: 'file' as const, uri, mediaType: 'application/x' })),
  fc.record({ type: fc.constant('data' as const), kind: fc.string(), value: anyJson }),
);

/** A message without an id. */
const said = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
  parts: fc.array(part, { maxLength: 3 }),
  meta,
});

/** One step, which picks messages by numbers. */
export interface ThreadStep {
  readonly type: ThreadChange['type'];
  readonly pick: number;
  readonly isRoot: boolean;
  readonly message: Omit<ThreadMessage, 'id'>;
}

export const steps: fc.Arbitrary<ThreadStep[]> = fc.array(
  fc.record({
    type: fc.constantFrom(
      'append' as const,
      'append' as const,
      'append' as const,
      'append' as const,
      'update' as const,
      'edit' as const,
      'delete' as const,
      'rename' as const,
      'head' as const,
    ),
    pick: fc.nat(),
    isRoot: fc.boolean(),
    message: said,
  }),
  { minLength: 1, maxLength: 16 },
);

/** The simplest tree of messages that does the same. */
export class ModelThread {
  headId: string | null = null;
  items: ThreadItem[] = [];
  #count = 0;

  /** Returns the change of a step, and makes it. */
  apply({ type, pick, isRoot, message }: ThreadStep): ThreadChange | undefined {
    const picked = this.items[pick % Math.max(1, this.items.length)];
    if (type === 'append') {
      const parentId = isRoot ? null : (picked?.message.id ?? null);
      const change = { type, parentId, message: clean({ ...message, id: `m ${this.#count++}` }) };
      this.#add(change);
      return change;
    }
    if (type === 'head' && isRoot) {
      this.headId = null;
      return { type, id: null };
    }
    if (!picked) return undefined;
    const { id, role } = picked.message;
    const other = clean({ ...message, id, role });
    switch (type) {
      case 'update':
        this.items = this.items.map((item) =>
          item === picked ? { ...item, message: other } : item,
        );
        return { type, message: other };
      case 'edit':
        if (JSON.stringify(other) !== JSON.stringify(picked.message)) {
          const version = this.#free(id);
          this.#rename(id, version);
          this.#add({ parentId: picked.parentId, message: other });
        }
        this.headId = id;
        return { type, message: other };
      case 'rename': {
        const to = `r ${this.#count++}`;
        this.#rename(id, to);
        return { type, id, to };
      }
      case 'delete': {
        const below = this.items.filter(({ parentId }) => parentId === id);
        this.items = [
          ...this.items.filter((item) => item !== picked && !below.includes(item)),
          ...below.map((item) => ({ ...item, parentId: picked.parentId })),
        ];
        if (this.headId === id) this.headId = picked.parentId;
        return { type, id };
      }
      default:
        this.headId = id;
        return { type, id };
    }
  }

  #add(item: ThreadItem): void {
    this.items.push({ parentId: item.parentId, message: item.message });
    this.headId = item.message.id;
  }

  #free(id: string): string {
    for (let version = 1; ; version++) {
      const name = `${id}~${version}`;
      if (this.items.every(({ message }) => message.id !== name)) return name;
    }
  }

  #rename(id: string, to: string): void {
    this.items = this.items.map(({ parentId, message }) => ({
      parentId: parentId === id ? to : parentId,
      message: message.id === id ? { ...message, id: to } : message,
    }));
    if (this.headId === id) this.headId = to;
  }

  /** The same as `readThread` gives it. */
  expected(): Pick<Thread, 'headId' | 'messages'> {
    const messages: ThreadItem[] = [];
    const visit = (parent: string | null): void => {
      for (const item of this.items) {
        if (item.parentId !== parent) continue;
        messages.push(item);
        visit(item.message.id);
      }
    };
    visit(null);
    return { headId: this.headId, messages };
  }
}

/** Returns a message as JSON retains it. */
function clean(message: ThreadMessage): ThreadMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same without keys that are undefined
  return JSON.parse(JSON.stringify(message)) as ThreadMessage;
}
