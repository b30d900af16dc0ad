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
      async subscribe(channel: string, callback: (message: string) => void) {
        heard.set(channel, callback);
      },
      async unsubscribe(channel: string) {
        heard.delete(channel);
      },
    },
    publisher: {
      connect: () => Promise.resolve(),
      async publish(channel: string, message: string) {
        heard.get(channel)?.(message);
      },
      async set(key: string, value: string) {
        values.set(key, value);
      },
      get: (key: string) => Promise.resolve(values.get(key) ?? null),
      async incr(key: string) {
        const value = Number(values.get(key) ?? 0) + 1;
        values.set(key, String(value));
        return value;
      },
    },
  });
}
