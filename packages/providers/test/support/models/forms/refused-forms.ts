import { refusal, type Form } from './form.ts';
import { REFUSED_BY_GATEWAYS } from './refused-by-gateways.ts';
import { REFUSED_BY_NEWER } from './refused-by-newer.ts';
import { REFUSED_BY_OPENAI } from './refused-by-openai.ts';
import { REFUSED_BY_OTHERS } from './refused-by-others.ts';

export const REFUSED_FORMS: readonly Form[] = [
  ...REFUSED_BY_OPENAI,
  ...REFUSED_BY_OTHERS,
  ...REFUSED_BY_NEWER,
  ...REFUSED_BY_GATEWAYS,
].map(([server, sentence, request, expected, more = {}, wire = 'openai']) => ({
  kind: 'unsupported fields',
  wire,
  name:
    typeof sentence === 'string' && /^[ -~]{1,60}$/.test(sentence)
      ? `${server}: \`${sentence.replaceAll('`', "'")}\``
      : server,
  request,
  answers: [typeof sentence === 'string' ? refusal(wire, 400, sentence, more) : sentence],
  expected,
}));
