import { type Effort, EFFORTS, nearestLevel } from '../adapter-kit/effort.ts';
import type { ChatRequest } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';

/**
 * Families of OpenAI's models by their names, fine-tuned ones (`ft:gpt-4.1:…`) included.
 *
 * Source: `ChatModel` and `ResponsesModel` of the SDK (openai/resources/shared.d.ts).
 */
const REASONING = /^(?:o\d|gpt-(?:[5-9]|\d\d)|gpt-oss|codex-|computer-use)/;

/** Models that answer at once, whatever their family does. */
const INSTANT = /^gpt-\d[\d.]*-chat\b|-search-(?:preview|api)|-audio\b|realtime/;

/** Models that OpenAI serves by the Responses API only. */
const RESPONSES_ONLY = /^(?:o\d+|gpt-[\d.]+)-pro\b|codex|deep-research|^computer-use/;

/** Checks whether a model of OpenAI may think before it answers. */
export function mayReason(model: string): boolean {
  const name = nameOf(model);
  return REASONING.test(name) && !INSTANT.test(name);
}

/** Checks whether OpenAI serves a model by the Responses API only. */
export function isResponsesOnly(model: string): boolean {
  return RESPONSES_ONLY.test(nameOf(model));
}

/** Models of OpenAI that read pictures and documents. */
const IMAGES =
  /^(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-(?:[5-9]|\d\d)|o[134](?:-|$)|o4-mini|computer-use|codex-)/;

/** Checks whether a model of OpenAI reads pictures. */
export function readsImages(model: string): boolean {
  const name = nameOf(model);
  return IMAGES.test(name) && !/^(?:o1-mini|o1-preview|o3-mini)|-audio\b|-search-/.test(name);
}

function nameOf(model: string): string {
  return model.replace(/^(?:ft:|openai\/)+/, '').toLowerCase();
}

/** Returns the level that this server is asked for; `undefined` for its default. */
export function effortFor(
  reasoning: ChatRequest['reasoning'],
  { efforts = EFFORTS }: OpenAIProfile,
): Effort | undefined {
  if (reasoning === undefined || reasoning === 'default') return undefined;
  return nearestLevel(reasoning, efforts);
}
