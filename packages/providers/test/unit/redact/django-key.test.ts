import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { isDjangoKey } from '../../../src/redact/rules/django-key.ts';
import { fillForm, numbersOf } from '../../support/fill-form.ts';

const KEYS = 200;

/** Django takes 50 of 50 characters, brackets and signs of expressions among them. */
describe('the secret key of Django', () => {
  it.each([
    "SECRET_KEY = 'django-insecure-{j50}'\n",
    'SECRET_KEY = "{j50}"\n',
    'SECRET_KEY=django-insecure-{j50}\n',
    'SECRET_KEY={j50}\n',
    "SECRET_KEY = os.environ.get('DJANGO_SECRET_KEY', '{j50}')\n",
    "-SECRET_KEY = env('SECRET_KEY', default='django-insecure-{j50}')\n",
    '{ "secret_key": "{j50}" }\n',
    'The key is django-insecure-{j50} today.\n',
  ])('is found, whatever its characters are: %j', (form) => {
    const missed = Array.from({ length: KEYS }, (_, seed) => {
      const before = form.indexOf('{j50}');
      const { text } = fillForm(form, numbersOf(seed + 3));
      const key = text.slice(before, before + 50);
      const rest = redact(text).text;
      const parts = [key.slice(0, 10), key.slice(20, 30), key.slice(40)];
      return parts.some((part) => rest.includes(part)) ? text : '';
    }).filter((text) => text !== '');
    expect(missed.length).toBeLessThanOrEqual(KEYS / 100);
  });

  it('is taken for an expression less than once in a hundred', () => {
    const keys = Array.from({ length: 4000 }, (_, seed) => {
      return fillForm('{j50}', numbersOf(seed + 1000)).text;
    });
    const missed = keys.filter((key) => !isDjangoKey(key, 0, key.length));
    expect(missed.length).toBeLessThan(keys.length / 100);
  });

  it.each([
    "SECRET_KEY = 'the-name-of-the-variable-that-has-the-secret-key-1'",
    "SECRET_KEY = 'page=one&size=all&sort=name&order=asc&filter=a&lang'",
    "SECRET_KEY = 'django-insecure-replace_this_with_a_key_of_your_own_please'",
    'token=hash(user_name+salt_2)-xor(key_1)*len(pw)^mask0',
    'token = hash(user_name+salt_2)-xor(key_1)*len(pw)^mask0;\n',
    'secret="select_count(*)_from_a-b_where_c=d^e!f#g@h&i_0+1"',
    'api_key: sha(a+b1)*3-md(c-d)%7^crc(e=f)&2+$g@h!i-j+k-l0m',
    "secret_key='(total_amount*2)-(tax_rate+1)&mask^0=!x@y-z+w-v'",
    'django-insecure-(see the documentation of the framework for what this means)',
  ])('is not taken for %j', (text) => {
    expect(redact(text).text).toBe(text);
  });
});
