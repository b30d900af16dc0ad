import { fieldsOf, numberOf, stringOf, type Fields } from '../../json/fields.ts';

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
