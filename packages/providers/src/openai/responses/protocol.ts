import { type ChatProtocol, piecesOf } from '../exchange.ts';
import { EventReader } from './event-reader.ts';
import { DROPPABLE } from './refused-fields.ts';
import { writeRequest, type ResponsesSettings } from './write-request.ts';

/** Returns the Responses API, as a model is set to use it. */
export function responsesApi(own: ResponsesSettings): ChatProtocol {
  return {
    name: 'responses',
    droppable: DROPPABLE,
    write(model, settings) {
      const { body, warnings, isStored } = writeRequest(model, settings, own);
      return {
        body,
        warnings,
        async send(client, options) {
          const stream = body['stream'] === true;
          // The SDK's own method types the input, of which much is passed on as it came.
          const answer: unknown = await client.post('/responses', { ...options, body, stream });
          return piecesOf(answer);
        },
        reader: (warningsOfAll) =>
          new EventReader({ profile: settings.profile, warnings: warningsOfAll, isStored }),
      };
    },
  };
}
