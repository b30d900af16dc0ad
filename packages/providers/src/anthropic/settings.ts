import type { ChatRequest } from '../models/request.ts';
import type { ModelTraits } from './model-traits.ts';

/** The mode of thinking; `least` is the minimum for a model that always thinks. */
export type ThinkingMode =
  | 'adaptive'
  | 'budget'
  | 'disabled'
  | 'between_tools'
  | 'least'
  | 'nothing';

/** A request, and what of it this server or model does not take. */
export interface Settings {
  readonly request: ChatRequest;
  readonly traits: ModelTraits;
  /** The server gives no streams: it is asked for the whole answer. */
  readonly isWhole?: boolean;
  /** Fields that are left out. */
  readonly without?: readonly string[];
  /** Default: by the model and the request. */
  readonly thinking?: ThinkingMode;
  /** The level that is asked for, or none. Default: the level of the request. */
  readonly effort?: string | undefined;
  /** JSON is asked for by its schema or in words. Default: by its schema. */
  readonly json?: 'words';
  /** Thoughts of earlier turns are left out. */
  readonly isForgetful?: boolean;
  /** The most that `max_tokens` may be, where the caller names none. Default: by the model. */
  readonly tokenLimit?: number | undefined;
}
