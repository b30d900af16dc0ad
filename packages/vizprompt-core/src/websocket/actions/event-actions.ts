import { z } from 'zod';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { chooseFlow, EVERY_EVENT, type Wish } from '../subscriptions.ts';
import { EVENT_NAMES } from '../wire/events.ts';
import { flowName } from '../wire/fields.ts';
import { defineAction, type Action } from './define-action.ts';

/** The events that are of a flow. */
const OF_FLOWS: readonly string[] = ['flow_created', 'flow_updated', 'flow_deleted', EVERY_EVENT];

const event = z
  .enum([...EVENT_NAMES, EVERY_EVENT])
  .describe('The name of an event, or * for all; with flow_id, all that are of a flow');

const flowId = flowName.describe(
  'Only events of this flow. It goes with flow_created, flow_updated, flow_deleted and *',
);

const HAS_FLOW = { message: 'this event is of no flow: leave it out', path: ['flow_id'] };

const subscribe = defineAction({
  name: 'subscribe',
  summary: 'Hears events from now on; each is sent once, however many subscriptions it fits',
  data: z
    .strictObject({ event, flow_id: flowId.exactOptional() })
    .refine((data) => data.flow_id === undefined || OF_FLOWS.includes(data.event), HAS_FLOW),
  answer: { subscriptions: z.int().describe('How many the client has now') },
  async run({ vizprompt, subscriptions }, { event: name, flow_id: flow }) {
    if (flow === undefined) subscriptions.add({ event: name });
    else subscriptions.add({ event: name, flow }, await chooseFlow(vizprompt, flow));
    return { data: { subscriptions: subscriptions.count } };
  },
});

const unsubscribe = defineAction({
  name: 'unsubscribe',
  summary: 'Takes a subscription back, by what it was made with; without data, all of them',
  data: z
    .strictObject({ event: event.exactOptional(), flow_id: flowId.exactOptional() })
    .refine(({ event: name, flow_id: flow }) => flow === undefined || name !== undefined, {
      message: 'is missing: it goes with flow_id',
      path: ['event'],
    }),
  answer: {
    removed: z.int().describe('0 if there was none'),
    subscriptions: z.int().describe('How many the client has now'),
  },
  async run({ subscriptions }, { event: name, flow_id: flow }) {
    const wish: Wish | undefined =
      name === undefined ? undefined : { event: name, ...defined({ flow }) };
    const removed = subscriptions.remove(wish);
    return { data: { removed, subscriptions: subscriptions.count } };
  },
});

export const EVENT_ACTIONS: readonly Action[] = [subscribe, unsubscribe];
