import { messageOf, type Turn, type TurnRecorder, defined } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import type { TalkRecorder } from '../options.ts';
import { isSpoken, type TalkTurn } from '../talk-turn.ts';
import { lastInput } from '../view/prompt-text.ts';
import type { TalkContext } from './talk-context.ts';

/**
 * Gives a turn to the recorders.
 *
 * @throws TalkError with the code `recorder-failed` if one fails that is required.
 */
export async function recordTurn(talk: TalkContext, turn: TalkTurn): Promise<void> {
  const { options, conversationId } = talk;
  if (!isSpoken(turn)) return;
  for (const given of options.recorders ?? []) {
    const { recorder, required = false } = isRecorder(given) ? { recorder: given } : given;
    try {
      await recorder.record(recorded(talk, turn));
    } catch (error) {
      talk.emit('recorder:failed', { conversationId, error });
      if (!required) continue;
      const message = `turn ${turn.number} could not be recorded: ${messageOf(error)}`;
      throw new TalkError('recorder-failed', message, { cause: error });
    }
  }
}

function isRecorder(given: TurnRecorder | TalkRecorder): given is TurnRecorder {
  return 'record' in given;
}

function recorded({ state }: TalkContext, turn: TalkTurn): Turn {
  const { conversationId, number, speaker, kind, status, text, startedAt, latencyMs } = turn;
  const before = state.recent.findLast((other) => other.number < number);
  const input = turn.prompt === '' ? '' : lastInput(turn.prompt);
  const usage = defined({ inputTokens: turn.inputTokens, outputTokens: turn.outputTokens });
  const endedAt =
    latencyMs === undefined ? undefined : new Date(Date.parse(startedAt) + latencyMs).toISOString();
  return {
    id: String(number),
    conversationId,
    follows: before ? [String(before.number)] : [],
    kind: kind === 'summary' ? 'summary' : 'turn',
    status: status === 'skipped' ? 'failed' : status,
    speaker,
    input: input === '' ? [] : [{ type: 'text', text: input }],
    output: text === '' ? [] : [{ type: 'text', text }],
    startedAt,
    ...defined({ model: turn.model, error: turn.error, endedAt }),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
  };
}
