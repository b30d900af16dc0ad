/**
 * The model as zod schemas, for borders where data comes from outside. Loads zod.
 *
 * @module @vizprompt/memory/schemas
 */
export {
  assistantMessageSchema,
  codeIntentionSchema,
  eventDataSchemas,
  fileEditSchema,
  thinkingSchema,
  toolUseSchema,
  userMessageSchema,
} from './event-data.ts';
export { newEventSchema } from './new-event.ts';
export { newSessionSchema, sessionMetadataSchema } from './session.ts';
