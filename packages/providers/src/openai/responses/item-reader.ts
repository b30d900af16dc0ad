import { fileOf } from '../../adapter-kit/media.ts';
import type { PartWriter } from '../../adapter-kit/part-writer.ts';
import { Sources } from '../../adapter-kit/sources.ts';
import {
  type Fields,
  fieldsOf,
  jsonOf,
  listOf,
  numberOf,
  objectOf,
  stringOf,
} from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { ChatEvent } from '../../models/events.ts';
import type { ProviderMeta } from '../../models/message.ts';
import { kindOf, pick, toolOf } from './items.ts';

/** Reads the items of an answer that come whole: tools that the server ran, calls that are not functions, files. */
export class ItemReader {
  readonly #writer: PartWriter;
  readonly #sources = new Sources('openai');
  /** Calls that the caller must answer, and the ids of those that the server answered. */
  readonly #open = new Set<string>();

  constructor(writer: PartWriter) {
    this.#writer = writer;
  }

  /** Checks whether the caller has calls to answer. */
  get hasOpenCalls(): boolean {
    return this.#open.size > 0;
  }

  /** Takes note of a source that the answer cites. */
  cite(annotation: unknown): void {
    this.#sources.add(annotation);
  }

  /** Returns the sources, as parts. */
  sources(): ChatEvent[] {
    return this.#sources.parts.flatMap((part) => this.#writer.part(part));
  }

  /** Returns the parts of an item that is complete. */
  read(item: Fields): ChatEvent[] {
    const kind = kindOf(item);
    const record = objectOf(jsonOf(item));
    switch (kind.role) {
      case 'image':
        return this.#image(record);
      case 'server-call':
        return this.#serverCall(record);
      case 'open-call':
        return this.#openCall(record);
      case 'output':
        return this.#output(record);
      default: {
        const meta = { openai: { item: record } };
        return this.#writer.part({ type: 'reasoning', text: '', meta });
      }
    }
  }

  /** Returns a picture that the model painted: the item goes back with the bytes of the part. */
  #image({ result, ...item }: JsonObject): ChatEvent[] {
    const format = stringOf(item['output_format']) ?? 'png';
    const meta = { openai: { item } };
    if (typeof result !== 'string' || result === '')
      return this.#serverCall({ ...item, result: null });
    return this.#writer.part(fileOf(result, `image/${format}`, meta));
  }

  #serverCall(item: JsonObject): ChatEvent[] {
    const kind = kindOf(item);
    const id = stringOf(item['call_id']) || stringOf(item['id']) || crypto.randomUUID();
    const name = toolOf(item, kind);
    const marks: ProviderMeta = { openai: { providerExecuted: true } };
    const meta: ProviderMeta = { openai: { providerExecuted: true, item } };
    const { input, output } = kind;
    for (const source of listOf(fieldsOf(item['action'])['sources'])) this.cite(source);
    for (const result of listOf(item['results'])) this.cite(result);
    const call = this.#writer.part({
      type: 'tool-call',
      id,
      name,
      input: pick(item, input),
      meta,
    });
    if (output === undefined) return call;
    const isError = Boolean(item['error']) || item['status'] === 'failed';
    return [
      ...call,
      ...this.#writer.part({
        type: 'tool-result',
        id,
        name,
        output: pick(item, output),
        ...(isError ? { isError } : {}),
        meta: marks,
      }),
    ];
  }

  #openCall(item: JsonObject): ChatEvent[] {
    const kind = kindOf(item);
    const id = stringOf(item['call_id']) || stringOf(item['id']) || crypto.randomUUID();
    this.#open.add(id);
    const input = pick(item, kind.input);
    const meta = { openai: { item } };
    return this.#writer.part({ type: 'tool-call', id, name: toolOf(item, kind), input, meta });
  }

  /** Reads the server's result for a call of this or an earlier answer. */
  #output(item: JsonObject): ChatEvent[] {
    const kind = kindOf(item);
    const id = stringOf(item['call_id']) || stringOf(item['id']) || crypto.randomUUID();
    this.#open.delete(id);
    const type = stringOf(item['type']) ?? '';
    const name = type.replace(/(?:_call)?_output$/, '');
    const meta = { openai: { providerExecuted: true, item } };
    const output = pick(item, kind.output ?? ['output']);
    return this.#writer.part({ type: 'tool-result', id, name, output, meta });
  }
}

/** An item of the answer while it comes. */
export interface OpenItem {
  /** Its type; events before its beginning say only what they are a piece of. */
  readonly type: string;
  readonly id: string | undefined;
  /** Distinguishes the calls of an answer. */
  readonly key: string;
  /** True if its call has a name, which comes with the beginning or the end of the item. */
  isNamed: boolean;
  /** How much of each of its texts has come. */
  readonly lengths: Map<string, number>;
  isDone: boolean;
}

/** The items of an answer while they come. */
export class OpenItems {
  readonly #items: OpenItem[] = [];
  readonly #byIndex = new Map<number, OpenItem>();

  /**
   * Returns the item that an event is about, and opens one where its beginning did not come. The place in the output
   * identifies it: some servers give an item another id with each event.
   *
   * @param type - The type that such an event belongs to.
   */
  of(event: Fields, type: string): OpenItem {
    const index = numberOf(event['output_index']);
    const item = fieldsOf(event['item']);
    const id = stringOf(event['item_id']) ?? stringOf(item['id']);
    const placed = index === undefined ? undefined : this.#byIndex.get(index);
    if (placed?.type === type) return placed;
    const named = this.#items.findLast((each) => id !== undefined && each.id === id);
    if (named?.type === type) return named;
    const last =
      index === undefined
        ? this.#items.findLast((each) => each.type === type && !each.isDone)
        : undefined;
    return last ?? this.open({ ...item, type, id }, index);
  }

  /** Opens an item at its place in the output. */
  open(item: Fields, index: number | undefined): OpenItem {
    const opened: OpenItem = {
      type: stringOf(item['type']) ?? '',
      id: stringOf(item['id']),
      key: `item ${this.#items.length}`,
      isNamed: false,
      lengths: new Map(),
      isDone: false,
    };
    this.#items.push(opened);
    if (index !== undefined) this.#byIndex.set(index, opened);
    return opened;
  }

  /** Matches a whole output with the items that came: by their ids, or else by their places. */
  match(output: readonly unknown[]): (readonly [item: OpenItem, fields: Fields])[] {
    const before = [...this.#items];
    const taken = new Set<OpenItem>();
    const fieldsAt = output.map(fieldsOf);
    const named = fieldsAt.map(({ id }) => {
      const found = before.find((each) => each.id !== undefined && each.id === id);
      if (found) taken.add(found);
      return found;
    });
    return fieldsAt.map((fields, at) => {
      // Without places the order identifies it.
      const placed = this.#byIndex.size > 0 ? this.#byIndex.get(at) : before[at];
      const isFree = placed !== undefined && !taken.has(placed) && placed.type === fields['type'];
      return [named[at] ?? (isFree ? placed : this.open(fields, undefined)), fields];
    });
  }
}
