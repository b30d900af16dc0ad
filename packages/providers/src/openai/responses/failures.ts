import type OpenAI from 'openai';
import { withUsage } from '../../adapter-kit/estimate-usage.ts';
import { readErrorBody } from '../../adapter-kit/error-body.ts';
import { explainFailure } from '../../adapter-kit/explain.ts';
import { stringOf, type Fields } from '../../json/fields.ts';
import type { Usage } from '../../models/events.ts';

/** The codes with which a response may fail, as the installed SDK and newer ones know them. */
type FailureCode = OpenAI.Responses.ResponseError['code'] | 'misalignment_policy_violation';

/** The HTTP status that each code would have: the words of the server say the rest. */
export const FAILURE_STATUS: Readonly<Record<FailureCode, number>> = {
  server_error: 500,
  rate_limit_exceeded: 429,
  invalid_prompt: 400,
  data_residency_mismatch: 403,
  bio_policy: 400,
  misalignment_policy_violation: 400,
  vector_store_timeout: 504,
  invalid_image: 400,
  invalid_image_format: 400,
  invalid_base64_image: 400,
  invalid_image_url: 400,
  image_too_large: 400,
  image_too_small: 400,
  image_parse_error: 400,
  image_content_policy_violation: 400,
  invalid_image_mode: 400,
  image_file_too_large: 400,
  unsupported_image_media_type: 400,
  empty_image_file: 400,
  failed_to_download_image: 400,
  image_file_not_found: 400,
};

const STATUS_OF = new Map<string, number>(Object.entries(FAILURE_STATUS));

/**
 * Throws the failure of a response, with the usage that it reports.
 *
 * @throws LLMError
 */
export function throwFailure(response: Fields, usage: Usage | undefined): never {
  const error = response['error'] ?? { message: 'the server gave no reason' };
  const body = readErrorBody(error);
  const status = STATUS_OF.get(stringOf(Object(error)['code']) ?? '') ?? body.status;
  return withUsage(usage, () => {
    throw explainFailure(error, { ...body, status });
  });
}
