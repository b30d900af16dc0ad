import { defaultRedactionRules, redact } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString, runs } from '../../support/fuzz.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const filler = (length: number): string => letters.repeat(9).slice(7, 7 + length);

/** Made up, in the form of the real ones; put together here so that no scanner takes offence. */
const secrets: Record<string, string> = {
  'anthropic-key': `sk-ant-api03-${filler(80)}`,
  'openai-key': `sk-proj-${filler(48)}`,
  'github-token': `ghp_${filler(36)}`,
  'gitlab-token': `glpat-${filler(20)}`,
  'slack-token': `xoxb-${filler(40)}`,
  'google-key': `AIza${filler(35)}`,
  'aws-key': ['AKIA', 'ABCDEFGH12345678'].join(''),
  'stripe-key': `sk_live_${filler(24)}`,
  'npm-token': `npm_${filler(36)}`,
  'huggingface-token': `hf_${filler(34)}`,
  'sendgrid-key': `SG.${filler(22)}.${filler(43)}`,
  'groq-key': `gsk_${filler(52)}`,
  'xai-key': `xai-${filler(80)}`,
  jwt: `eyJ${filler(20)}.eyJ${filler(40)}.${filler(43)}`,
  'private-key': `-----BEGIN RSA PRIVATE KEY-----\n${filler(64)}\n-----END RSA PRIVATE KEY-----`,
};

describe('redact', () => {
  it.each(Object.entries(secrets))('removes a %s anywhere', (rule, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['鍵は', 'です。'],
      ['KEY=', '\n'],
      ['"', '",'],
    ] as const) {
      const { text, redactions } = redact(before + secret + after);
      expect(text).toBe(`${before}[redacted:${rule}]${after}`);
      expect(redactions).toEqual([
        { rule, start: before.length, end: before.length + secret.length },
      ]);
    }
  });

  it('removes the value and leaves what it belongs to', () => {
    expect(redact('Authorization: Bearer abcdefghijklmnopqrst').text).toBe(
      'Authorization: Bearer [redacted:authorization]',
    );
    expect(redact('postgres://me:p4ss!word@db:5432/x').text).toBe(
      'postgres://me:[redacted:url-password]@db:5432/x',
    );
    expect(redact(`api_key: "${filler(20)}"`).text).toBe('api_key: "[redacted:assignment]"');
    expect(redact(`aws_secret_access_key = ${filler(40)}`).text).toBe(
      'aws_secret_access_key = [redacted:aws-secret]',
    );
    expect(redact('公開<private>秘密\nの話</private>公開').text).toBe(
      '公開<private>[redacted:private]</private>公開',
    );
  });

  it('removes private parts up to their matching end, with attributes and in upper case', () => {
    expect(redact('a<private>秘<private>密</private>😀</private>b').text).toBe(
      'a<private>[redacted:private]</private>b',
    );
    expect(redact('a<PRIVATE reason="名前">x</Private >b<private\n>y</private>c').text).toBe(
      'a<PRIVATE reason="名前">[redacted:private]</Private >b<private\n>[redacted:private]</private>c',
    );
    expect(redact('a<private>1<private>2</private>3').text).toBe('a<private>[redacted:private]');
    expect(redact('</private>a<private/>b<privateer>c').text).toBe(
      '</private>a<private/>b<privateer>c',
    );
    const once = redact('<private>1<private x>2</private>3</private>4<private>5').text;
    expect(redact(once)).toEqual({ text: once, redactions: [] });
  });

  it('removes the rest of the text where the end of a private part is missing', () => {
    expect(redact('公開<private>秘密\nの話').text).toBe('公開<private>[redacted:private]');
    expect(redact('a<private>b</private>c<private>d').text).toBe(
      'a<private>[redacted:private]</private>c<private>[redacted:private]',
    );
    expect(redact('nothing follows <private>').text).toBe('nothing follows <private>');
  });

  it.each(['\n', '\r\n'])(
    'joins lines that a terminal of any width broke in a key: %j',
    (newline) => {
      const key = 'ghp_R5iRpV3uP0VqfOCaGk0X3RK4NCkXV9R73NqV';
      for (const before of ['$ export GITHUB_TOKEN=', 'GITHUB_TOKEN=', 'the token is ']) {
        const text = `${before.padStart(30)}${key.slice(0, 22)}${newline}${key.slice(22)}`;
        expect(redact(`${text}${newline}$ `).text).toBe(
          `${before.padStart(30)}[redacted:github-token]${newline}$ `,
        );
      }
      const lines = `the checksum of this file is a3B9c1D8${newline}Abc4Def5 follows${newline}`;
      expect(redact(lines).text).toBe(lines);
    },
  );

  it.each([
    'Access key ID,Secret access key\r\n«AKIAHHDF7U2XPK5EI6FV»,«ta8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5A»\r\n«AKIAQ3DF7U2XPK5EI6ZZ»,«Xa8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5B»\r\n',
    'Access key ID,Secret access key\n«AKIAHHDF7U2XPK5EI6FV»,«ta8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5A»\n«AKIAQ3DF7U2XPK5EI6ZZ»,«Xa8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5B»\n«AKIAQ3DF7U2XPK5EI7YY»,«Ya8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5C»\n',
    '- «AKIAHHDF7U2XPK5EI6FV»,«ta8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5A»\n- «AKIAQ3DF7U2XPK5EI6ZZ»,«Xa8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5B»\n',
    'here is the api key: «acme_hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDp»\nhere is the api key: «acme_Xd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDq»\n',
    'the key of bot 1 is «ghp_R5iRpV3uP0VqfOCaGk0X3RK4NCkXV9R73NqV»\nthe key of bot 2 is «ghp_X5iRpV3uP0VqfOCaGk0X3RK4NCkXV9R73NqW»\n',
    'Access key ID\tSecret access key\n«AKIAHHDF7U2XPK5EI6FV»\t«ta8rwwTYb2xQ9LmZr4VnK7sGd1HfPc6Ej3UoWi5A»\nRegion2B\n',
    'this is the account that we named by hand Prod2A\n«acme_hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDp»\n',
    'the checksum of this file of the build is a3B9c1D8\n«acme_hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDp»\n',
    'the problem is seen with the version iPhone15Pro\n«vendor_hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDp»\n',
    '«LLM|3575846291045827|nxk2bcWl8cr6PaTDphd1xnM2ldM»\r\n«LLM|3575846291045827|hd1xnM2ldMJOcKxnxk2bcWl8cr6»\r\nend\r\n',
    'A_TOKEN=«ghp_R5iRpV3uP0VqfOCaGk0X3RK4NCkXV9R73NqV»\nB_TOKEN=«ghp_k0X3RK4NCkXV9R73NqVR5iRpV3uP0VqfOCaG»\nexport C=1\n',
    'API_SECRET=«R5iRpV3uP0VqfOCaGk0X3RK4NCkXV9R73NqV»\nVersion2Beta\n',
    'API_SECRET=«7735f4a7fad48e55dacb0038c547a157»\nnext1Line\n',
    'NPM_TOKEN=«npm_R5iRpV3uP0VqfOCaGk0X3RK4NCkXV9R73NqV»\na3B9c1D8e5F6\n',
  ])('does not join lines that end with a secret, or that hold one in the next: %j', (marked) => {
    for (const newline of marked.includes('\r') ? ['\n'] : ['\n', '\r\n']) {
      const lines = marked.replaceAll('\n', newline);
      const clean = redact(lines.replaceAll(/[«»]/g, '')).text;
      const parts = lines.split(/«[^»]*»/);
      for (const part of parts) expect(clean).toContain(part);
      expect(clean.match(/\[redacted:[\w-]+\]/g)).toHaveLength(parts.length - 1);
    }
  });

  it.each(['H264Hi10P', 'iOS17Beta', 'RTX4090Ti', 'ES2022Mod', 'Log4j2'])(
    'leaves a name in the line after a secret that is whole: %s',
    (name) => {
      for (const newline of ['\n', '\r\n']) {
        for (const before of [
          'this is the key of the bot that we use xoxb-048008888608-2CEY4AEY0ou4Gi4UCE6okomA',
          `Authorization: Bearer hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDpR5iRpV3u`,
          `AccountKey=${'hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDpR5iRpV3u'.repeat(3).slice(0, 86)}==`,
        ]) {
          const clean = redact(`${before}${newline}${name}${newline}`).text;
          expect(clean).toMatch(/\[redacted:[\w-]+\]/);
          expect(clean.split(newline)[1]).toBe(name);
        }
      }
    },
  );

  it('joins the long rest of a secret whose beginning is one, too', () => {
    const key = `sk-ant-api03-${'hd1xnM2ldMJOcKxnxk2bcWl8cr6PaTDp'.repeat(3)}`;
    const text = `the key is ${key.slice(0, 60)}\n${key.slice(60)}\n`;
    expect(redact(text).text).toMatch(/^the key is \[redacted:[\w-]+\]\n$/);
  });

  it.each([
    ['a key', `the server said that the token that we use is ghp_${filler(36)} of today`],
    ['its last part', `the server said that this is the token of it ghp_${filler(36)} of today`],
    ['its name', `the server said that it is for us to have here API_TOKEN="${filler(32)}" now`],
  ])('joins lines that were broken at a width in %s', (_, text) => {
    for (const width of [52, 60, 70, 72, 78, 79, 80]) {
      const lines = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
      const wrapped = [text.slice(0, width).replaceAll(/\S/g, 'x'), ...lines].join('\n');
      const { text: clean } = redact(`${wrapped}\n`);
      expect(clean.replaceAll('\n', '')).not.toContain(filler(32).slice(-8));
    }
  });

  it.each([
    [`ghp_${filler(24)}`, 'Rqwkjhgbnmdf'],
    [`xoxb-048008888608-${filler(23)}`, 'm'],
    ['password=Xk9qPwm2vLT7zzQa4', 'qwkjhgbnmdf'],
    ['password=Xk9qPwm2vLT7zzQa4', 'Rqwk'],
    ['password="Xk9qPwm2vLT7zzQa4', 'qwkj"'],
  ])('removes the rest of %s, of letters of one case in the next line: %s', (start, rest) => {
    for (const width of [70, 80]) {
      const line = `${'a word '.repeat(20).slice(0, width - start.length - 1)} ${start}`;
      expect(redact(`${line}\n${rest} and more of it\n`).text).not.toContain(
        `\n${rest.replace('"', '')}`,
      );
    }
  });

  it.each([46, 61, 80])('joins lines of Windows that were broken at a width of %i', (width) => {
    const key =
      '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Ej3U';
    const text = `the server said that the token is ${key} and that this is all of it`;
    const lines = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    const { text: clean } = redact(lines.join('\r\n'));
    expect(clean.replaceAll('\r\n', '')).toBe(text.replace(key, '[redacted:github-token]'));
  });

  it('removes all that overlapping finds cover', () => {
    const text = 'password="12345678<private>90" and this too</private> open';
    const { text: result, redactions } = redact(text);
    expect(result).toBe('password="[redacted:assignment]</private> open');
    expect(redactions).toEqual([
      { rule: 'assignment', start: 10, end: text.indexOf('</private>') },
    ]);
  });

  it('refuses a rule whose pattern it cannot use, by name', () => {
    for (const pattern of [/secret/, /secret/g, /secret/d, /secret/dgy]) {
      const use = (): unknown => redact('secret', { rules: [{ name: 'mine', pattern }] });
      expect(use).toThrow(RangeError);
      expect(use).toThrow(/rule 'mine'.*'g' and 'd'/);
    }
  });

  it('leaves ordinary text, ids and hashes alone', () => {
    const text = `吾輩は猫である。 commit ${'a1b2'.repeat(10)} id 018f2c1e-7b1a-7c3d-8e4f-0123456789ab
      https://example.com/a?b=c sk-short password: "" the bearer of news`;
    expect(redact(text)).toEqual({ text, redactions: [] });
  });

  it('finds dense text by its entropy when asked to, and takes more rules', () => {
    const key = 'q7Jz2LmX9vTb4WcR8nKd';
    expect(redact(`id ${key}`).redactions).toEqual([]);
    expect(redact(`id ${key}`, { entropy: 4 }).text).toBe('id [redacted:entropy]');
    expect(redact('a'.repeat(40), { entropy: 4 }).redactions).toEqual([]);
    const rules = [...defaultRedactionRules, { name: 'name', pattern: /山田太郎/dg }];
    expect(redact('山田太郎です', { rules }).text).toBe('[redacted:name]です');
  });

  it('changes nothing the second time', () => {
    const all = Object.values(secrets).join(' ') + ` password="${filler(12)}" a://b:cccc@d`;
    const once = redact(all, { entropy: 4.5 }).text;
    expect(redact(once, { entropy: 4.5 }).text).toBe(once);
    fc.assert(
      fc.property(anyString({ maxLength: 300 }), (text) => {
        const { text: first } = redact(text);
        expect(redact(first).text).toBe(first);
      }),
      { numRuns: runs(20) },
    );
  });

  describe('around breaks in long texts', () => {
    const random = '16C7e42F292c6912E7710c838347Ae178B4a';
    const key = `ghp_${random}`;
    const prose = 'the server has many words to say of it, and a line has some of them\n';
    const proseOf = (length: number): string =>
      prose.repeat(Math.ceil(length / prose.length)).slice(0, Math.max(length - 1, 0)) + '\n';
    /** A line of 80 characters that ends within the key, and the rest of it. */
    const broken = (newline: string): string =>
      `${prose.repeat(2).replaceAll('\n', ' ').slice(0, 65)} ${key.slice(0, 14)}${newline}${key.slice(14)} is it${newline}`;

    it.each([0, 299, 300, 301, 1500, 1800, 3999, 4001, 4300, 4601, 9000])(
      'finds keys %i characters from each other',
      (distance) => {
        for (const newline of ['\n', '\r\n']) {
          const text = `${proseOf(5000)}${broken(newline)}${proseOf(distance)}${broken(newline)}${proseOf(5000)}`;
          const { text: clean, redactions } = redact(text);
          expect(redactions.map(({ rule }) => rule)).toEqual(['github-token', 'github-token']);
          for (const part of [key.slice(0, 14), key.slice(14)]) expect(clean).not.toContain(part);
        }
      },
    );

    it('finds keys at the end of what is decoded at once, after characters of two units', () => {
      const units = 32_768;
      for (const newline of ['\n', '\r\n']) {
        const lines = broken(newline);
        const place = lines.indexOf(newline);
        // A piece without words ends with an escape, so that the text is read without its escapes.
        for (let shift = -4; shift <= 4; shift++) {
          const before = `\u001b[1m${proseOf(units - place - 10 + shift)}😀\n`;
          const { text: clean } = redact(before + lines + proseOf(3000));
          for (const part of [key.slice(0, 14), key.slice(14)]) expect(clean).not.toContain(part);
          expect(clean).toContain('😀');
        }
      }
    });

    it('finds a value of many signs that is broken once', () => {
      const value = `DB_PASSWORD="${random}${`<${random}`.repeat(55)}"`;
      const text = `${proseOf(9000)}${value.slice(0, 100)}\n${value.slice(100)}\n${proseOf(9000)}`;
      const { redactions } = redact(text);
      expect(redactions.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(
        2000,
      );
    });
  });
});
