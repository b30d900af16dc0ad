/**
 * Models by name, `provider:model`.
 *
 * @module @vizprompt/providers/registry
 */
export {
  createModelRegistry,
  type ModelChoice,
  type ModelRegistryOptions,
  type RegistrySettings,
} from './create-model-registry.ts';
export type { ModelRegistry } from '../index.ts';
export type { OpenAIProfileName } from '../openai/profiles.ts';
