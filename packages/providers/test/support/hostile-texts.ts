import { fillForm, numbersOf } from './fill-form.ts';
import { SECRET_FORMS } from './secret-forms.ts';
import { SECRET_PLACES } from './secret-places.ts';

/** A text that is meant to be slow to redact, and its kind. */
export interface HostileText {
  readonly kind: string;
  /** Names the piece that is repeated. */
  readonly unit: string;
  /** Returns a text of a length. */
  fill(size: number): string;
}

/** Texts after a keyword, so that its patterns begin and fail late. */
const TAILS: readonly string[] = [
  '',
  '-',
  '_',
  ' ',
  '1a',
  '="',
  ': ',
  '="1aB2cD3',
  '=aB3dE6gH9jK2mN5p ',
  '=$x ',
  '\n',
  '@',
  ' a:b ',
  'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF5h ',
];

/** Short secrets that are as close together as possible, as forms. */
const DENSE: readonly string[] = [
  'password=hunter2\n',
  'password: {a7}1\n',
  'pwd=a1b2\n',
  '"password":"{a7}1",',
  'API_KEY={a15}1\n',
  '"token":"{a20}",',
  'curl -u a:{a4}1 ',
  'mysql -p{a4}1 ',
  '--token {a4}1 ',
  'basic {basic} ',
  '_auth={basic} ',
  'ghp_{a36}\n',
  'sk-{a20}',
  '\\"password\\":\\"{a7}1\\",\\n',
  'https://me:{a7}1@h/\n',
  '://a:{a3}1@h',
  'Authorization: Bearer {a17}1\n',
  'eyJ{w10}.eyJ{w10}.{w10} ',
  'AKIA{u16} ',
  'pwd=a1b2&',
  'P_KEY={h16};',
  'openssl rsa -passin pass:{a7}1 ',
  'my_api_key_secret_token={a20} ',
  'redis-cli -a {a7}1 mysql -p{a7}1 ',
  'The password is {a7}1. ',
  // Tables, lists and sentences of secrets, whole ones and headings only.
  '{d5},{p5}@example.com,{a9}%1,{a20}\n',
  '| {p5} | {a9}1 | {a24} |\n',
  'user,password,name,token\n',
  '# API key\n\n## Password of {p5}\n\n',
  '  {p5}_token: {a20}\n  {p4}_password: "{a9}&1"\n',
  '{"{p5}_token":"{a30}","password":"{a9}^1","user":"{p5}"},',
  'パスワードは{a9}1です。{p3}のトークン：{a24}、',
  'msg_{a24} toolu_{a24}\n',
  '{uuid}\n',
  '{w43} ',
];

const STRUCTURES: readonly string[] = [
  'eyJ-',
  'eyJ-eyJ.',
  'eyJaaaaaaaa.',
  '_auth_auth',
  '_auth=_auth=',
  '=',
  ':',
  ': ',
  '=:',
  '"":',
  '://',
  '://a',
  '://a:',
  '://a:b',
  '://:@',
  ':*:*:',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----\nA: B\n',
  '-----END PRIVATE KEY-----',
  'LS0tLS1CRUdJTiBQUklWQVRF',
  '%',
  '%3D',
  '%253D',
  'password%3D',
  'password%3Dhunter2%26',
  '\\',
  '\\\\',
  '\\n',
  '\\"',
  '\\\\\\"',
  '\\u0070assword\\u003d',
  '\\u001b[32m',
  '\\u001b[',
  '\u001b[',
  '\u001b[32m',
  '\u001b[32mpassword\u001b[0m=\u001b[1ma1b2\u001b[0m\n',
  '&',
  '&quot;',
  '&#61;',
  '&quot;password&quot;:&quot;hunter2&quot;,',
  '猫',
  '猫password=猫',
  'パスワード',
  'パスワード：',
  'パスワード：hunter2x1、',
  '\ud800',
  '😀key=😀',
  '[redacted:',
  '[redacted:a]',
  '[redacted:a]password=',
  '<private>',
  '<private',
  '</private>',
  '<private></private>',
  '<private a="',
  '-u ',
  ' -p',
  ' -a ',
  'curl -u ',
  'curl ',
  'key is ',
  'password password=',
  'token,"',
  'secret"":::',
  '\n',
  ' ',
  '\t',
  '"',
  "'",
  '{"a":',
  '[[[[',
  'a',
  'A',
  'aB3',
  '0123456789abcdef',
  'abandon ability ',
  'mnemonic ',
  'mnemonic: abandon ability able about ',
  'x'.repeat(31),
  `${'eyJ-'.repeat(500)}.`,
  `${'a'.repeat(2000)} `,
  'password="'.padEnd(500, 'a'),
  'aws = ',
  'aws_aws_',
  'AKIA',
  ';pwd=',
  'a=b;pwd=c',
  'Server=h;Uid=a;Pwd=b;',
  // Each fails where several rules begin.
  '-password : ',
  '-passin ',
  '/pwd: ',
  ' -p1 -u1 -a1',
  'mysql -p -p -p -p ',
  'x_curl -u ',
  ' is  is ',
  '猫'.repeat(64),
  '.',
  'a.b.c.',
  'A=',
  'A=b;',
  '+A=b\n-A=c\n',
];

const ENVELOPES: Readonly<Record<string, (text: string) => string>> = {
  itself: (text) => text,
  json: (text) => JSON.stringify(text),
  'json in json': (text) => JSON.stringify(JSON.stringify(text)),
  'three times json': (text) => JSON.stringify(JSON.stringify(JSON.stringify(text))),
  percent: (text) => encodeURIComponent(text.toWellFormed()),
  colors: (text) => text.replaceAll(/\w+/g, '\u001b[32m$&\u001b[0m'),
  entities: (text) => text.replaceAll('"', '&quot;').replaceAll('=', '&#61;'),
  diff: (text) => text.replaceAll('\n', '\n-'),
  unicode: (text) => text.replaceAll('"', '“').replaceAll(' ', '　'),
};

/**
 * Returns texts of a grammar that are slow for scanners: beginnings of all rules, secrets as dense as they can
 * be, escapes in escapes, starts without ends, runs of operators, each in several envelopes, and random mixtures.
 */
export function hostileTexts(keywords: readonly string[], mixtures: number): HostileText[] {
  const texts: HostileText[] = [];
  const add = (kind: string, unit: string, envelope = 'itself'): void => {
    const wrap = ENVELOPES[envelope] ?? String;
    texts.push({
      kind: `${kind}, ${envelope}`,
      unit,
      fill: (size) => wrap(repeated(unit, size)).slice(0, size),
    });
  };
  for (const keyword of keywords) for (const tail of TAILS) add('keyword', keyword + tail);
  for (const envelope of Object.keys(ENVELOPES)) {
    for (const unit of DENSE) add('dense', unit, envelope);
    for (const unit of STRUCTURES) add('structure', unit, envelope);
  }
  for (const form of Object.values(SECRET_FORMS).flat()) add('form', `${form} `);
  for (const form of SECRET_PLACES) add('place', `${form}\n`);
  const below = numbersOf(20_251);
  const any = (list: readonly string[]): string => list[below(list.length)] ?? '';
  for (let at = 0; at < mixtures; at++) {
    const pieces = Array.from({ length: 1 + below(5) }, () =>
      any([any(keywords), any(keywords), any(TAILS), any(STRUCTURES), any(DENSE), any(TAILS)]),
    );
    add('mixture', pieces.join('') || ' ', any(Object.keys(ENVELOPES)));
  }
  return texts;
}

/** Repeats a form up to a length, filled in again each time as far as it has random parts. */
function repeated(unit: string, size: number): string {
  if (!/\{[a-z]+\d*\}/.test(unit)) {
    return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  }
  const below = numbersOf(size + unit.length);
  let text = '';
  while (text.length < size) text += fillForm(unit, below).text;
  return text.slice(0, size);
}
