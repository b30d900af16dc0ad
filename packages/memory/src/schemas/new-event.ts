import { z } from 'zod';
import type { NewEvent } from '../model/memory-event.ts';
import { eventDataSchemas } from './event-data.ts';

const facts = {
  id: z.string().min(1).max(200).exactOptional(),
  timestamp: z.iso.datetime({ offset: true }).exactOptional(),
  parent: z.string().min(1).max(200).exactOptional(),
  meta: z.record(z.string(), z.json()).exactOptional(),
};

/** @see NewEvent */
export const newEventSchema: z.ZodType<NewEvent> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('user_message'),
    data: eventDataSchemas.user_message,
    ...facts,
  }),
  z.strictObject({
    type: z.literal('assistant_message'),
    data: eventDataSchemas.assistant_message,
    ...facts,
  }),
  z.strictObject({ type: z.literal('thinking'), data: eventDataSchemas.thinking, ...facts }),
  z.strictObject({
    type: z.literal('code_intention'),
    data: eventDataSchemas.code_intention,
    ...facts,
  }),
  z.strictObject({ type: z.literal('file_edit'), data: eventDataSchemas.file_edit, ...facts }),
  z.strictObject({ type: z.literal('tool_use'), data: eventDataSchemas.tool_use, ...facts }),
]);
