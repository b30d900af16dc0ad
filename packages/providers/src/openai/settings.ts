import type { ChatRequest } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';

/** A request, and the profile by which it is written. */
export interface Settings {
  readonly request: ChatRequest;
  readonly profile: OpenAIProfile;
  /** The server gives no streams: it is asked for the whole answer. */
  readonly isWhole?: boolean;
  /** The parts of the protocol that the server does not take, by the names of the table of refusals. */
  readonly without?: readonly string[];
}
