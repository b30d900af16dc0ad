import type { AnswerStreams } from '@vizprompt/core/ai-sdk';
import { createResumableStreamContext } from 'resumable-stream/generic';

/** A context of `resumable-stream` whose messages stay in this process. */
export function resumableStreams(): AnswerStreams {
  const heard = new Map<string, (message: string) => void>();
  const values = new Map<string, string>();
  return createResumableStreamContext({
    waitUntil: null,
    subscriber: {
      connect: () => Promise.resolve(),
      async subscribe(channel, callback) {
        heard.set(channel, callback);
      },
      async unsubscribe(channel) {
        heard.delete(channel);
      },
    },
    publisher: {
      connect: () => Promise.resolve(),
      async publish(channel, message) {
        heard.get(channel)?.(message);
      },
      async set(key, value) {
        values.set(key, value);
      },
      get: (key) => Promise.resolve(values.get(key) ?? null),
      async incr(key) {
        const value = Number(values.get(key) ?? 0) + 1;
        values.set(key, String(value));
        return value;
      },
    },
  });
}
