import { textOf, type Message } from '@vizprompt/providers';

/** What was sent, as the log keeps it: each message under its role. */
export function promptText(messages: readonly Message[]): string {
  return messages.map((message) => `[${message.role}]\n${textOf(message)}`).join('\n\n');
}

/** The last message of a prompt that the log kept: what the speaker answered to. */
export function lastInput(prompt: string): string {
  const mark = '\n\n[user]\n';
  const at = prompt.lastIndexOf(mark);
  return at < 0 ? prompt : prompt.slice(at + mark.length);
}
