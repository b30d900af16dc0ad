import type { LLMErrorCode } from './llm-error.ts';

const KNOWN: Readonly<Record<LLMErrorCode, true>> = {
  aborted: true,
  timeout: true,
  network: true,
  rate_limit: true,
  quota: true,
  overloaded: true,
  server: true,
  auth: true,
  permission: true,
  not_found: true,
  invalid_request: true,
  context_length: true,
  content_filter: true,
  unsupported: true,
  truncated: true,
  bad_response: true,
  output_parse: true,
};

/** The codes that an `LLMError` can have. */
export const LLM_ERROR_CODES: readonly string[] = Object.keys(KNOWN);
