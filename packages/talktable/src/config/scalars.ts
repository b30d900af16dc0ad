import { z } from 'zod';
import { isStorable } from '@vizprompt/providers/internal';

/** A text that is not empty, and that a log can hold. */
export const text: z.ZodString = z
  .string()
  .refine((value) => value.trim() !== '', 'it is empty')
  .refine((value) => isStorable(value), 'it holds broken characters')
  .meta({ minLength: 1 });

/** A whole number from 1 on. */
export const count: z.ZodInt = z.int().min(1);
