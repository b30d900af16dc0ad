import { MAIN_FLOW } from '../flow/flow.ts';
import type { VizPrompt } from '../vizprompt.ts';
import { MessageRefused } from './wire/error.ts';
import type { WireEvent } from './wire/events.ts';

/** Means all events. */
export const EVERY_EVENT = '*';

/** The subscription of a client, in its words. */
export interface Wish {
  /** The name of an event, or `*`. */
  readonly event: string;
  /** Only what happens to this flow: the name by which the client calls it. */
  readonly flow?: string;
}

/** A chosen flow: by its id, or the main flow before it was made. */
export interface ChosenFlow {
  readonly id?: string;
}

interface Subscription {
  readonly event: string;
  readonly flow?: ChosenFlow | undefined;
}

/** The subscriptions of one client. */
export class Subscriptions {
  readonly #all: Map<string, Subscription> = new Map();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#all.size;
  }

  /** Adds one; what is there already is not added again. */
  add(wish: Wish, flow?: ChosenFlow): void {
    const key = keyOf(wish);
    if (this.#all.size >= this.#most && !this.#all.has(key)) {
      const message = `a client has at most ${this.#most} subscriptions: unsubscribe from some`;
      throw new MessageRefused('too_many_subscriptions', message);
    }
    this.#all.set(key, { event: wish.event, flow });
  }

  /** Takes one away, or all; gives back how many are gone. */
  remove(wish?: Wish): number {
    if (wish) return Number(this.#all.delete(keyOf(wish)));
    const count = this.#all.size;
    this.#all.clear();
    return count;
  }

  /** Checks whether a subscription to its changes waited for a new flow, such as `main` before its first node. */
  awaits({ flow }: Pick<WireEvent, 'flow'>): boolean {
    return [...this.#all.values()].some(
      ({ event, flow: wanted }) =>
        event === 'flow_updated' &&
        wanted?.id === undefined &&
        wanted !== undefined &&
        flow !== undefined &&
        isSame(wanted, flow),
    );
  }

  /** Checks whether an event is to be sent; once, for any number of subscriptions that match. */
  want(event: string, { flow }: Pick<WireEvent, 'flow'>): boolean {
    for (const wanted of this.#all.values()) {
      if (wanted.event !== event && wanted.event !== EVERY_EVENT) continue;
      if (!wanted.flow || (flow && isSame(wanted.flow, flow))) return true;
    }
    return false;
  }
}

/**
 * Finds the flow that is meant, so that it is heard of under any name that it gets later.
 *
 * @throws VizPromptError with the code `flow-not-found`; not for the main flow, which is made with its
 * first node.
 */
export async function chooseFlow(vizprompt: VizPrompt, name: string): Promise<ChosenFlow> {
  if (name === MAIN_FLOW) {
    const flows = await vizprompt.listFlows();
    if (!flows.some((flow) => isMain(flow))) return {};
  }
  return { id: (await vizprompt.getFlow(name)).id };
}

function isSame(chosen: ChosenFlow, flow: NonNullable<WireEvent['flow']>): boolean {
  return chosen.id === undefined ? 'name' in flow && isMain(flow) : chosen.id === flow.id;
}

function isMain({ name, alias }: { readonly name: string; readonly alias?: string }): boolean {
  return (alias ?? name) === MAIN_FLOW;
}

function keyOf({ event, flow }: Wish): string {
  return JSON.stringify([event, flow]);
}
