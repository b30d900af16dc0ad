import type { JsonObject } from '@vizprompt/providers';
import { z } from 'zod';
import type { Action } from './actions/define-action.ts';
import { ACTIONS, messageId } from './read-message.ts';
import { wireError } from './wire/error.ts';
import { EVENT_KINDS, wireName } from './wire/events.ts';
import { wireFlow, wireFlowSummary, wireStep } from './wire/flow.ts';
import { wireHit, wireNode } from './wire/node.ts';

/** The version of the protocol: its first number changes when clients must change. */
const VERSION = '1.0.0';

const CHANNEL = { $ref: '#/channels/project' };

/** Schemas that others refer to, by their names in the document. */
const SHARED: Readonly<Record<string, z.ZodType>> = {
  Node: wireNode,
  Flow: wireFlow,
  FlowSummary: wireFlowSummary,
  Hit: wireHit,
  Step: wireStep,
  Error: wireError,
  Id: messageId,
};

interface MessageKind {
  readonly summary: string;
  readonly payload: z.ZodType;
}

/**
 * Returns the protocol as an AsyncAPI 3.0 document, made of the schemas that messages are checked with.
 * `@vizprompt/core/asyncapi.json` is the same as a file.
 */
export function asyncApiDocument(): JsonObject {
  const actions = [...ACTIONS.values()];
  const sent = sentMessages(actions);
  const kinds = { ...requestMessages(actions), ...answerMessages(actions), ...sent };
  const receiving = actions.map((action) => [action.name, receive(action)]);
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'VizPrompt',
      version: VERSION,
      description:
        'Conversations as graphs of prompts and responses. Messages are JSON texts; answers come in ' +
        'the order of the messages, those of chat, retry, edit, continue and build when they are ready.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: '127.0.0.1:8080',
        protocol: 'ws',
        description: 'The server of vizprompt serve',
      },
    },
    channels: {
      project: {
        address: '/',
        title: 'A project',
        messages: Object.fromEntries(Object.keys(kinds).map((name) => [name, componentOf(name)])),
      },
    },
    operations: {
      ...Object.fromEntries(receiving),
      tell: {
        action: 'send',
        channel: CHANNEL,
        summary:
          'Emits the events of subscriptions, and the progress of the long actions of the client',
        messages: Object.keys(sent).map(messageOf),
      },
    },
    components: { messages: messagesOf(kinds), schemas: schemasOf(kinds) },
  };
  // Plain JSON, so that what is absent is absent.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is an object
  return JSON.parse(JSON.stringify(document)) as JsonObject;
}

type MessageKinds = Readonly<Record<string, MessageKind>>;

function requestMessages(actions: readonly Action[]): MessageKinds {
  const entries = actions.map(({ name, summary, data, isDataOptional }): [string, MessageKind] => {
    const payload = z.strictObject({
      id: messageId.exactOptional().describe('Echoed in the answer'),
      action: z.literal(name),
      data: isDataOptional ? data.exactOptional() : data,
    });
    return [name, { summary, payload }];
  });
  return Object.fromEntries(entries);
}

function answerMessages(actions: readonly Action[]): MessageKinds {
  const entries = actions.map(({ name, answer, makesNode }): [string, MessageKind] => {
    const payload = z.strictObject({
      id: messageId.exactOptional(),
      status: z.literal('success'),
      ...(makesNode ? { node_id: z.string().describe('The id of data.node') } : {}),
      data: answer,
    });
    return [resultOf(name), { summary: `The answer of ${name}`, payload }];
  });
  const payload = z.strictObject({
    id: messageId.exactOptional().describe('Absent if the message could not be read so far'),
    status: z.literal('error'),
    error: wireError,
  });
  const refused: MessageKind = { summary: 'A message was refused, or its action failed', payload };
  return { ...Object.fromEntries(entries), error: refused };
}

/** Events, and notices of long actions: those have the id of the action. */
function sentMessages(actions: readonly Action[]): MessageKinds {
  const events = Object.entries(EVENT_KINDS).map(([name, { summary, data }]) => {
    return { name: wireName(name), summary, data };
  });
  const told = actions.flatMap(({ name, tells }) => {
    return Object.entries(tells).map(([event, data]) => ({ name: event, of: name, data }));
  });
  const kinds: Record<string, MessageKind> = {};
  for (const { name, summary, data } of events) {
    const ofActions = told.filter((other) => other.name === name);
    kinds[name] = { summary, payload: eventOf(name, data, ofActions.length > 0) };
  }
  for (const { name, data } of told) {
    if (name in kinds) continue;
    const of = told.filter((other) => other.name === name).map((other) => other.of);
    const summary = `While ${of.join(', ')} runs`;
    kinds[name] = { summary, payload: eventOf(name, data, true) };
  }
  return kinds;
}

function eventOf(name: string, data: z.ZodType, isTold: boolean): z.ZodType {
  return z.strictObject({
    ...(isTold ? { id: messageId.exactOptional().describe('The id of the action') } : {}),
    event: z.literal(name),
    data,
  });
}

function receive({ name, summary }: Action): object {
  const answers = [resultOf(name), 'error'].map(messageOf);
  return {
    action: 'receive',
    channel: CHANNEL,
    summary,
    messages: [messageOf(name)],
    reply: { channel: CHANNEL, messages: answers },
  };
}

function messagesOf(kinds: MessageKinds): object {
  const entries = Object.entries(kinds).map(([name, { summary }]) => {
    const payload = { $ref: `#/components/schemas/${name}` };
    return [name, { name, summary, payload }];
  });
  return Object.fromEntries(entries);
}

function schemasOf(kinds: MessageKinds): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SHARED)) registry.add(schema, { id });
  for (const [id, { payload }] of Object.entries(kinds)) registry.add(payload, { id });
  const { schemas } = z.toJSONSchema(registry, {
    // The defaults of AsyncAPI.
    target: 'draft-7',
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _dialect, $id: _id, id: _name, ...rest } = schema;
    return [name, rest];
  });
  return Object.fromEntries(entries);
}

function resultOf(name: string): string {
  return `${name}_result`;
}

function componentOf(name: string): object {
  return { $ref: `#/components/messages/${name}` };
}

function messageOf(name: string): object {
  return { $ref: `#/channels/project/messages/${name}` };
}
