import { redact } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { isPlaceholder } from '../../../src/redact/rules/placeholder.ts';

it.each([
  ['a_your_key', true],
  ['a-my-api-token', true],
  ['a.mykey', true],
  ['a_example_service_api_key', true],
  ['a_change-me-b-c_value', true],
  ['a_examplexample_key', true],
  ['a_my_-key', true],
  ['a_my__key', true],
  ['a_my--key', false],
  ['a_my-a--key', false],
  ['a_my.a_key', false],
  ['a_my_akey', false],
  ['a_my-_key', false],
  ['a_my_-_key', false],
  ['a_my_a-_token', false],
  ['a_my_a-__token', true],
  ['a_mya_b', false],
  ['a_key_of_my', false],
])('%s is a placeholder: %s', (text, wanted) => {
  expect(isPlaceholder(text)).toBe(wanted);
  // Letters, digits and `_` are judged without the signs of variables.
  expect(isPlaceholder(text, /^\w+$/.test(text))).toBe(wanted);
});

it('judges a text of many words in linear time', () => {
  for (const words of ['_a', '_my', '-a', '_my-b', '_a1-', '__']) {
    expect(isPlaceholder(`q1my${words.repeat(40)}9`)).toBe(false);
    expect(redact(`password = "q1my${words.repeat(40)}9"`).redactions).toHaveLength(1);
  }
});
