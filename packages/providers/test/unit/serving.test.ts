import { createTokenCheck, isSameHost, servingProblem } from '@vizprompt/providers/serving';
import { describe, expect, it } from 'vitest';
import { bearerToken, hostName } from '../../src/serving/request-check.ts';
import { inAddress } from '../../src/serving/serving-problem.ts';

describe('who may ask a server', () => {
  it('brings the token, whole and after Bearer', () => {
    const isToken = createTokenCheck('a token of some length 鍵');
    expect(isToken('a token of some length 鍵')).toBe(true);
    for (const wrong of [undefined, '', 'a token of some length', 'a token of some length 鍵 ']) {
      expect([wrong, isToken(wrong)]).toEqual([wrong, false]);
    }
    expect(createTokenCheck('')(undefined)).toBe(false);
    expect(bearerToken('Bearer a b')).toBe('a b');
    expect(bearerToken('bearer x')).toBe('x');
    for (const none of [undefined, '', 'x', 'Basic x', 'Bearer', 'XBearer x']) {
      expect([none, bearerToken(none)]).toEqual([none, undefined]);
    }
  });

  it('asks for a name, whatever the port and case', () => {
    expect(['LocalHost:80', '127.0.0.1:', '[::1]:8080', '[::1]', 'a.b'].map(hostName)).toEqual([
      'localhost',
      '127.0.0.1',
      '[::1]',
      '[::1]',
      'a.b',
    ]);
    expect([inAddress('::1'), inAddress('[::1]'), inAddress('127.0.0.1')]).toEqual([
      '[::1]',
      '[::1]',
      '127.0.0.1',
    ]);
  });

  it('comes from a page of the same host and port', () => {
    const cases: readonly [origin: string, host: string, isSame: boolean][] = [
      ['http://a.example:8080', 'a.example:8080', true],
      ['https://A.example', 'a.EXAMPLE', true],
      ['http://a.example', 'a.example:80', true],
      ['http://[::1]:1', '[::1]:1', true],
      ['http://a.example', 'a.example:8080', false],
      ['http://b.example', 'a.example', false],
      ['http://a.example.evil', 'a.example', false],
      ['null', 'null', false],
      ['', '', false],
      ['http://a', 'a b', false],
    ];
    for (const [origin, host, isSame] of cases) {
      expect([origin, host, isSameHost(origin, host)]).toEqual([origin, host, isSame]);
    }
  });
});

describe('a server beyond this machine', () => {
  it('needs a token, and on all addresses the names that clients use', () => {
    const token = 'x'.repeat(16);
    const allowedHosts = ['a.example'];
    const fine = [
      {},
      { host: '127.0.0.1' },
      { host: '::1' },
      { host: 'localhost', token },
      { host: '192.0.2.1', token },
      { host: '0.0.0.0', token, allowedHosts },
    ];
    for (const options of fine)
      expect([options, servingProblem(options)]).toEqual([options, undefined]);
    expect(servingProblem({ token: 'x'.repeat(15) })).toMatch(/16 characters/);
    expect(servingProblem({ host: '192.0.2.1' })).toMatch(/needs a token/);
    for (const host of ['0.0.0.0', '::', '[::]', '']) {
      expect(servingProblem({ host, token })).toMatch(/needs allowedHosts/);
      expect(servingProblem({ host, allowedHosts })).toMatch(/needs a token/);
    }
  });
});
