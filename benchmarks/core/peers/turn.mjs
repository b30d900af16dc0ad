/** What all sides add, in the same words. */
export const newTurn = (name) => ({ prompt: `質問 ${name}`, response: '回答です。'.repeat(80) });

/** Turns of the conversation, of its two halves: what is branched goes on from the first one. */
export function halves({ chat_messages: messages }) {
  const middle = Math.floor(messages.length / 4) * 2;
  return [messages.slice(0, middle), messages.slice(middle)];
}
