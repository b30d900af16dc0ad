import { z } from 'zod';
import { isUuid } from '../../format/ids-and-times.ts';

/** The id of a node. */
export const nodeId: z.ZodString = z
  .string()
  .refine(isUuid, 'is no UUID')
  .describe('The id of a node: a UUID');

/** The name of a flow. */
export const flowName: z.ZodString = z
  .string()
  .min(1)
  .describe('A flow: its id, its alias, its file name or its name');

/** What a flow goes on from. */
export const parents: z.ZodNullable<z.ZodUnion<readonly [z.ZodString, z.ZodArray<z.ZodString>]>> = z
  .union([nodeId, z.array(nodeId)])
  .nullable()
  .describe('The node or nodes that it goes on from; null: none. Default: the head of the flow');

export const branchName: z.ZodString = z.string().describe('The name of the branch that begins');

export const version: z.ZodString = z
  .string()
  .describe('The version that was read: if it is another now, the answer is the error conflict');

export const tags: z.ZodArray<z.ZodString> = z.array(z.string().min(1)).describe('Tags');

/** A whole number from 1 on. */
export function upTo(most: number): z.ZodInt {
  return z.int().min(1).max(most);
}
