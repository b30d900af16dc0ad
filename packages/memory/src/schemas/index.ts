/**
 * The model as zod schemas, for borders where data comes from outside. Loads zod.
 *
 * @module @vizprompt/memory/schemas
 */
export { eventDataSchemas } from './event-data.ts';
export { newEventSchema } from './new-event.ts';
export { newSessionSchema, sessionMetadataSchema } from './session.ts';
