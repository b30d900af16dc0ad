import { ANSWER_FORMS } from './answer-forms.ts';
import { BODY_FORMS } from './body-forms.ts';
import { FINISH_FORMS } from './finish-forms.ts';
import type { Form } from './form.ts';
import { REFUSED_FORMS } from './refused-forms.ts';
import { WAIT_FORMS } from './wait-forms.ts';
import { WORD_FORMS } from './word-forms.ts';

/** All forms of faults that the adapters are tried with. */
export const FORMS: readonly Form[] = [
  ...FINISH_FORMS,
  ...BODY_FORMS,
  ...WORD_FORMS,
  ...WAIT_FORMS,
  ...REFUSED_FORMS,
  ...ANSWER_FORMS,
];
