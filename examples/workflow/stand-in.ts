import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';

/** A server that speaks the protocol of Ollama and says who it was told to be, and what it was asked. */
export async function startStandIn(): Promise<FakeLLM> {
  return startFakeLLM({
    answer({ body }) {
      const messages = (body['messages'] ?? []) as readonly { role: string; content: string }[];
      const told = (role: string): string =>
        messages.findLast((message) => message.role === role)?.content ?? '';
      const who = /あなたは(.*?)です/.exec(told('system'))?.[1] ?? '誰か';
      const lines = told('user').split('\n').filter(Boolean);
      return `${who}の答え。「${lines.at(-1) ?? ''}」`;
    },
  });
}
