import { type ChatProtocol, piecesOf } from '../exchange.ts';
import { ChunkReader } from './read-stream.ts';
import { DROPPABLE } from './refused-fields.ts';
import { writeRequest } from './write-request.ts';

/** Chat Completions, which nearly all servers speak. */
export const chatCompletions: ChatProtocol = {
  name: 'chat',
  droppable: DROPPABLE,
  write(model, settings) {
    const { body, warnings } = writeRequest(model, settings);
    return {
      body,
      warnings,
      async send(client, options) {
        const answer: unknown = await client.chat.completions.create(body, options);
        return piecesOf(answer);
      },
      reader: (warningsOfAll) => new ChunkReader(settings.profile, warningsOfAll),
    };
  },
};
