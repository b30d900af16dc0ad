import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
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

  it.each([
    "SECRET_KEY = 'the-name-of-the-variable-that-has-the-secret-key-1'",
    "SECRET_KEY = 'page=one&size=all&sort=name&order=asc&filter=a&lang'",
    "SECRET_KEY = 'django-insecure-replace_this_with_a_key_of_your_own_please'",
    'django-insecure-(see the documentation of the framework for what this means)',
  ])('is not taken for %j', (text) => {
    expect(redact(text).text).toBe(text);
  });
});
