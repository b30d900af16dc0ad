// How @vizprompt/talktable will stand on the contracts. It is compiled, not run.
import {
  textMessage,
  type Activity,
  type ChatModel,
  type Database,
  type Message,
  type Retriever,
  type TurnRecorder,
} from '@vizprompt/providers';

/** Who sits at the table. */
export interface Participant {
  readonly name: string;
  readonly model: ChatModel;
  readonly persona: string;
}

/** What a turn is told: the row is written before the call and after it. */
export async function speak(
  database: Database,
  participant: Participant,
  heard: readonly { readonly speaker: string; readonly text: string }[],
  knowledge: Retriever,
  recorder: TurnRecorder,
): Promise<string> {
  const { name, model, persona } = participant;
  const passages = await knowledge.retrieve(heard.at(-1)?.text ?? '', { k: 3 });
  const messages: Message[] = [
    textMessage('system', [persona, ...passages.map(({ text }) => text)].join('\n')),
    ...heard.map(({ speaker, text }) =>
      speaker === name
        ? textMessage('assistant', text)
        : textMessage('user', `${speaker}: ${text}`),
    ),
  ];
  const startedAt = new Date().toISOString();
  const turn = {
    id: `turn-${heard.length}`,
    conversationId: 'talk-1',
    follows: heard.length > 0 ? [`turn-${heard.length - 1}`] : [],
    kind: 'turn',
    speaker: name,
    input: [],
    startedAt,
  } as const;
  await recorder.record({ ...turn, status: 'pending', output: [] });
  const { text, parts, usage } = await model.generate({ messages });
  await database.execute(
    'INSERT INTO conversation_log (conversation_id, speaker_name, response) VALUES (?, ?, ?)',
    ['talk-1', name, text],
  );
  await recorder.record({ ...turn, status: 'done', output: parts, usage });
  return text;
}

/** A whole talk as a unit of work of somebody else's workflow. */
export function talkActivity(
  hold: (topic: string, signal: AbortSignal) => Promise<string>,
): Activity<{ readonly topic: string }, { readonly transcript: string }> {
  return {
    specVersion: 1,
    name: 'talk',
    run: async ({ topic }, { signal }) => ({ transcript: await hold(topic, signal) }),
  };
}
