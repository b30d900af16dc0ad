import { z } from 'zod';

/** Matches a string that YAML and a list can show: without control characters and halves of characters. */
const VISIBLE = /^[^\p{Cc}\p{Cs}]+$/u;

/** The id of a chat, as a client has it. */
export const CHAT_ID: z.ZodString = z
  .string()
  .min(1)
  .max(200)
  .regex(VISIBLE, 'it has control characters or halves of characters');

/** The id of a message. It may be of any length, as those of edited messages grow. */
export const MESSAGE_ID: z.ZodString = z.string().min(1);
