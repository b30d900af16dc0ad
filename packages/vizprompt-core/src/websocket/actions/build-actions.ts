import { z } from 'zod';
import { progress, reasonOf } from '../wire/events.ts';
import { assertModel } from './assert-model.ts';
import { defineAction, type Action } from './define-action.ts';

const build = defineAction({
  name: 'build',
  summary: 'Makes the summaries, tags and keywords of all nodes that have changed',
  data: z.strictObject({
    offline: z
      .boolean()
      .exactOptional()
      .describe('Takes them from the text, without the model. Default: false'),
  }),
  answer: {
    built: z.int(),
    postponed: z.int().describe('Changed by somebody else meanwhile; they stay outdated'),
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

const cancel = defineAction({
  name: 'cancel',
  summary: 'Ends chat, retry, edit, continue or build, which then answers with the error cancelled',
  data: z.strictObject({
    id: z.union([z.string(), z.int()]).describe('The id that the action was sent with'),
  }),
  answer: { cancelled: z.boolean().describe('false: no such action is under way') },
  async run(context, { id }) {
    return { data: { cancelled: context.cancel(id) } };
  },
});

export const BUILD_ACTIONS: readonly Action[] = [build, cancel];
