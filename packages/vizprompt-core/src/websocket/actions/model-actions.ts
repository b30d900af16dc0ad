import {
  described,
  either,
  FLAG,
  type Kind,
  optional,
  snakeInput,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { z } from 'zod';
import { ASK_OPTIONS, CHAT_OPTIONS, type AskOptions, type ChatTurn } from '../../chat/chat-turn.ts';
import { NODE_ID } from '../../input-kinds.ts';
import type { VizPrompt } from '../../vizprompt.ts';
import { MessageRefused } from '../wire/error.ts';
import { progress, reasonOf } from '../wire/events.ts';
import { toWireNode, wireNode } from '../wire/node.ts';
import {
  defineAction,
  type Action,
  type ActionContext,
  type ActionResult,
} from './define-action.ts';

/**
 * Answers cost what the server pays: a client has them only where the server was given a model.
 *
 * @param wayOut - A fix for the client, if there is one.
 * @throws MessageRefused `no_model`.
 */
function assertModel({ hasModel }: VizPrompt, wayOut = ''): void {
  if (hasModel) return;
  const message =
    'this server asks no model: start it with one, such as vizprompt serve --model ollama:qwen3';
  throw new MessageRefused('no_model', `${message}${wayOut}`);
}

const answer = {
  node: wireNode,
  finish_reason: z.string().describe('stop, length, ... as the model says'),
  usage: z.record(z.string(), z.unknown()).describe('Tokens, as the model or an estimate says'),
};

/** The notices of an answer while it comes. */
const tells = {
  chat_asked: z.strictObject({
    node: wireNode.describe('It is on the disk, with the status pending'),
    context_tokens: z.number().describe('Tokens sent to the model'),
  }),
  chat_delta: z.strictObject({ text: z.string().describe('The next piece of the answer') }),
  chat_reasoning: z.strictObject({ text: z.string().describe('A piece of what the model thinks') }),
  chat_detail: z
    .strictObject({ node_ids: z.array(z.string()) })
    .describe('The model asked for nodes in full; it continues from the start of its answer'),
};

/** The common fields of chat, retry, edit and continue. */
const ANSWERING = { answer, makesNode: true, isLong: true, tells };
const ASK_NAMES = { id: 'node_id', flow: 'flow_id' };

const chat = defineAction({
  name: 'chat',
  summary: 'Asks the model; the answer comes as chat_delta events, then as a whole',
  data: snakeInput(CHAT_OPTIONS, { flow: 'flow_id' }),
  ...ANSWERING,
  async run(context, { prompt, from, branchName, ...options }) {
    const asked = { prompt, from, branchName, ...askOptions(context, options) };
    return follow(context, context.vizprompt.chat(asked));
  },
});

const retry = defineAction({
  name: 'retry',
  summary: 'Asks the same again: the answer becomes a sibling of the node',
  data: snakeInput({ id: NODE_ID, ...ASK_OPTIONS }, ASK_NAMES),
  ...ANSWERING,
  async run(context, { id, ...options }) {
    return follow(context, context.vizprompt.retry(id, askOptions(context, options)));
  },
});

const edit = defineAction({
  name: 'edit',
  summary: 'Asks something else in place of a node: a sibling with another prompt',
  data: snakeInput({ id: NODE_ID, prompt: TEXT, ...ASK_OPTIONS }, ASK_NAMES),
  ...ANSWERING,
  async run(context, { id, prompt, ...options }) {
    return follow(context, context.vizprompt.edit(id, prompt, askOptions(context, options)));
  },
});

const continueAnswer = defineAction({
  name: 'continue',
  summary: 'Continues an answer that was cut off; the rest joins the node',
  data: snakeInput({ id: NODE_ID, ...ASK_OPTIONS }, ASK_NAMES),
  ...ANSWERING,
  async run(context, { id, ...options }) {
    return follow(context, context.vizprompt.continue(id, askOptions(context, options)));
  },
});

/** @throws MessageRefused `no_model` */
function askOptions(
  { signal, vizprompt }: ActionContext,
  options: Omit<AskOptions, 'signal'>,
): AskOptions {
  assertModel(vizprompt);
  return { ...options, signal };
}

/** Sends an answer as it comes, no faster than the client reads. */
async function follow({ tell }: ActionContext, turn: ChatTurn): Promise<ActionResult> {
  for await (const event of turn) {
    switch (event.type) {
      case 'asked': {
        const { node, context } = event;
        await tell('chat_asked', { node: toWireNode(node), context_tokens: context.report.tokens });
        break;
      }
      case 'text':
        await tell('chat_delta', { text: event.text });
        break;
      case 'reasoning':
        await tell('chat_reasoning', { text: event.text });
        break;
      case 'detail':
        await tell('chat_detail', { node_ids: event.ids });
        break;
      case 'answered': {
        const { node, finishReason, usage } = event;
        const data = { node: toWireNode(node), finish_reason: finishReason, usage };
        return { data, nodeId: node.id };
      }
    }
  }
  throw new Error('an answer ended without its end');
}

export const MODEL_ACTIONS: readonly Action[] = [chat, retry, edit, continueAnswer];

const build = defineAction({
  name: 'build',
  summary: 'Makes the summaries, tags and keywords of all nodes that have changed',
  data: snakeInput({
    offline: optional(FLAG, {
      en: 'Takes them from the text, without the model. Default: false',
    }),
  }),
  answer: {
    built: z.int(),
    postponed: z.int().describe('Changed meanwhile; they stay outdated'),
    failed: z.array(z.strictObject({ node_id: z.string(), message: z.string() })),
  },
  isLong: true,
  tells: { build_progress: progress },
  async run({ vizprompt, signal, tell }, { offline = false }) {
    if (!offline)
      assertModel(vizprompt, '; or send offline: true, to take summaries from the text');
    const { failed, ...counts } = await vizprompt.build({
      signal,
      ...(offline ? { model: null } : {}),
      onProgress: (done) => void tell('build_progress', done),
    });
    const failures = failed.map(({ id, error }) => ({ node_id: id, message: reasonOf(error) }));
    return { data: { ...counts, failed: failures } };
  },
});

const WHOLE: Kind<number> = {
  expected: 'a whole number',
  accepts: (value) => Number.isSafeInteger(value),
  json: { type: 'integer' },
};

const cancel = defineAction({
  name: 'cancel',
  summary: 'Ends chat, retry, edit, continue or build, which then answers with the error cancelled',
  data: snakeInput({
    id: described(either(TEXT, WHOLE), { en: 'The id that the action was sent with' }),
  }),
  answer: { cancelled: z.boolean().describe('false: no such action is in progress') },
  async run(context, { id }) {
    return { data: { cancelled: context.cancel(id) } };
  },
});

export const BUILD_ACTIONS: readonly Action[] = [build, cancel];
