import {
  described,
  type Kind,
  oneOf,
  optional,
  type OptionalKind,
  snakeInput,
} from '@vizprompt/providers/config/internal';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { z } from 'zod';
import { FLOW_NAME } from '../../input-kinds.ts';
import { chooseFlow, EVERY_EVENT, type Wish } from '../subscriptions.ts';
import { EVENT_NAMES } from '../wire/events.ts';
import { defineAction, type Action } from './define-action.ts';

/** The events that are of a flow. */
const OF_FLOWS: readonly string[] = ['flow_created', 'flow_updated', 'flow_deleted', EVERY_EVENT];

const EVENT: Kind<string> = described(oneOf(...EVENT_NAMES, EVERY_EVENT), {
  en: 'The name of an event, or * for all; with flow_id, all that are of a flow',
});

const FLOW: OptionalKind<string> = optional(FLOW_NAME, {
  en: 'Only events of this flow. It goes with flow_created, flow_updated, flow_deleted and *',
});

const subscribe = defineAction({
  name: 'subscribe',
  summary: 'Hears events from now on; each is sent once, however many subscriptions it fits',
  data: snakeInput({ event: EVENT, flow: FLOW }, { flow: 'flow_id' }),
  answer: { subscriptions: z.int().describe('How many the client has now') },
  check({ event, flow }) {
    if (flow === undefined || OF_FLOWS.includes(event)) return undefined;
    return { field: 'data.flow_id', message: 'this event is of no flow: leave it out' };
  },
  async run({ vizprompt, subscriptions }, { event: name, flow }) {
    if (flow === undefined) subscriptions.add({ event: name });
    else subscriptions.add({ event: name, flow }, await chooseFlow(vizprompt, flow));
    return { data: { subscriptions: subscriptions.count } };
  },
});

const unsubscribe = defineAction({
  name: 'unsubscribe',
  summary: 'Takes a subscription back, by what it was made with; without data, all of them',
  data: snakeInput({ event: optional(EVENT), flow: FLOW }, { flow: 'flow_id' }),
  answer: {
    removed: z.int().describe('0 if there was none'),
    subscriptions: z.int().describe('How many the client has now'),
  },
  check({ event, flow }) {
    if (flow === undefined || event !== undefined) return undefined;
    return { field: 'data.event', message: 'is missing: it goes with flow_id' };
  },
  async run({ subscriptions }, { event: name, flow }) {
    const wish: Wish | undefined =
      name === undefined ? undefined : { event: name, ...defined({ flow }) };
    const removed = subscriptions.remove(wish);
    return { data: { removed, subscriptions: subscriptions.count } };
  },
});

export const EVENT_ACTIONS: readonly Action[] = [subscribe, unsubscribe];
