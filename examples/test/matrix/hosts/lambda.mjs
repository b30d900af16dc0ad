import { ask } from './ask.mjs';

// Nothing closes it: an instance is frozen between two calls, and ended without a word.
export async function handler(event) {
  return { statusCode: 200, body: JSON.stringify(await ask(event.body)) };
}
