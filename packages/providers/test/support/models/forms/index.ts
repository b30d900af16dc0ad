import { BODY_FORMS } from './body-forms.ts';
import { CALL_FORMS } from './call-forms.ts';
import { CONTENT_FORMS } from './content-forms.ts';
import { FINISH_FORMS } from './finish-forms.ts';
import type { Form } from './form.ts';
import { GATEWAY_CONTENT } from './gateway-content.ts';
import { MESSAGES_FORMS } from './messages-forms.ts';
import { REFUSED_FORMS } from './refused-forms.ts';
import { RESPONSES_FORMS } from './responses/index.ts';
import { STREAM_FORMS } from './stream-forms.ts';
import { THOUGHT_FORMS } from './thought-forms.ts';
import { WAIT_FORMS } from './wait-forms.ts';
import { WORD_FORMS } from './word-forms.ts';

/** All forms of faults that the adapters are tried with. */
export const FORMS: readonly Form[] = [
  ...FINISH_FORMS,
  ...BODY_FORMS,
  ...WORD_FORMS,
  ...WAIT_FORMS,
  ...REFUSED_FORMS,
  ...STREAM_FORMS,
  ...THOUGHT_FORMS,
  ...CONTENT_FORMS,
  ...GATEWAY_CONTENT,
  ...CALL_FORMS,
  ...MESSAGES_FORMS,
  ...RESPONSES_FORMS,
];
