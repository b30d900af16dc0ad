/**
 * Objects that fit a schema, and tools: built from several calls of any model.
 *
 * @module @vizprompt/providers/generate
 */
export {
  generateObject,
  type GeneratedObject,
  type GenerateObjectOptions,
} from './generate-object.ts';
export { runTools, type RunToolsOptions, type ToolRepair, type ToolRun } from './run-tools.ts';
export { readySchema, type ReadySchema, type Schema, type StandardSchema } from './schema.ts';
export { defineTool, type RunnableTool } from './tool.ts';
export type { ChatModel } from '../index.ts';
