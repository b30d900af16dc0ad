import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebhookScheme } from '../../../src/definition/workflow-file.ts';
import { isGenuine } from '../../../src/http/serve-webhook.ts';
import { createWorkflowHandler } from '../../../src/http/index.ts';
import { WorkflowEngine } from '../../../src/index.ts';

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('signatures', () => {
  // The examples of the documentation of each scheme.
  const cases: readonly (readonly [
    WebhookScheme,
    string,
    Record<string, string>,
    string,
    number,
  ])[] = [
    [
      'standard',
      `whsec_${KEY}`,
      {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature':
          'v1,bm9ldHUjKzFob2VudXRob2VodWUzMjRvdWVvdW9ldQo= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      '{"test": 2432232314}',
      1614265330,
    ],
    [
      'github',
      "It's a Secret to Everybody",
      {
        'x-hub-signature-256':
          'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      },
      'Hello, World!',
      0,
    ],
    [
      'slack',
      '8f742231b10e8888abcd99yyyzzz85a5',
      {
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      },
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
      1531420618,
    ],
    ['bearer', 'a secret of the two', { authorization: 'Bearer a secret of the two' }, '', 0],
  ];

  it.each(cases)('%s', (scheme, secret, fields, text, seconds) => {
    const now = seconds * 1000;
    const headers = new Headers(fields);
    const body = bytes(text);
    expect(isGenuine(scheme, { headers, body, now }, secret)).toBe(true);
    expect(isGenuine(scheme, { headers, body, now }, `${secret.slice(0, -4)}abcd`)).toBe(false);
    expect(isGenuine(scheme, { headers: new Headers(), body, now }, secret)).toBe(false);
    expect(isGenuine(scheme, { headers, body, now }, '')).toBe(false);
    if (scheme === 'bearer') return;
    expect(isGenuine(scheme, { headers, body: bytes(`${text} `), now }, secret)).toBe(false);
    if (scheme === 'github') return;
    // A recorded request is refused later.
    for (const other of [now + 301_000, now - 301_000]) {
      expect(isGenuine(scheme, { headers, body, now: other }, secret)).toBe(false);
    }
  });
});

it.each(['whsec_', '???', 'whsec_*'])('the secret %j is no key to sign with', (secret) => {
  const signature = createHmac('sha256', '').update('id.1614265330.').digest('base64');
  const headers = new Headers({
    'webhook-id': 'id',
    'webhook-timestamp': '1614265330',
    'webhook-signature': `v1,${signature}`,
  });
  const request = { headers, body: bytes(''), now: 1_614_265_330_000 };
  expect(isGenuine('standard', request, secret)).toBe(false);
});

describe('a webhook', () => {
  const SECRET = 'VIZPROMPT_TEST_HOOK';

  async function opened(): Promise<{
    readonly engine: WorkflowEngine;
    readonly send: (body: string, more?: Record<string, string>) => Promise<Response>;
  }> {
    process.env[SECRET] = KEY;
    const engine = await WorkflowEngine.open({
      files: {
        workflows: {
          flow: {
            steps: [
              { id: 's', type: 'function', function: 'f', input_variables: { n: 'user_input' } },
            ],
          },
        },
        webhooks: {
          push: {
            workflow: 'flow',
            scheme: 'github',
            secret: `\${${SECRET}}`,
            when: 'headers["x-github-event"] == "push"',
            input: 'body.number',
          },
        },
      },
      functions: { f: ({ n }) => n ?? null },
    });
    onTestFinished(async () => {
      delete process.env[SECRET];
      await engine.close();
    });
    const handler = createWorkflowHandler(engine, { token: 'x'.repeat(20) });
    const send = (body: string, more: Record<string, string> = {}): Promise<Response> =>
      handler(
        new Request('http://localhost/hooks/push', {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'push',
            'x-github-delivery': 'd-1',
            'x-hub-signature-256': `sha256=${createHmac('sha256', KEY).update(body).digest('hex')}`,
            ...more,
          },
        }),
      );
    return { engine, send };
  }

  it('starts a run for each delivery, once', async () => {
    const { engine, send } = await opened();
    const first = await send('{"number": 7}');
    expect([first.status, await first.json()]).toEqual([202, { started: true, runId: 'push@d-1' }]);
    const second = await send('{"number": 7}');
    expect([second.status, await second.json()]).toEqual([
      200,
      { started: false, runId: 'push@d-1' },
    ]);
    const run = await engine.attach('push@d-1');
    expect((await run.result).output).toBe(7);
    expect(await engine.runs()).toHaveLength(1);
  });

  it.each([
    ['no signature', {}, { 'x-hub-signature-256': '' }, 401],
    ['another event', {}, { 'x-github-event': 'ping' }, 200],
    ['no JSON', 'no', {}, 400],
    ['a body without the input', {}, {}, 422],
    [
      'a form with JSON',
      'payload=%7B%22number%22%3A3%7D',
      { 'content-type': 'application/x-www-form-urlencoded' },
      202,
    ],
    ['an id that is no id', { number: 1 }, { 'x-github-delivery': '../../x y' }, 202],
  ])('%s', async (_, body, headers, status) => {
    const { engine, send } = await opened();
    const answer = await send(typeof body === 'string' ? body : JSON.stringify(body), headers);
    expect(answer.status).toBe(status);
    expect(await engine.runs()).toHaveLength(status === 202 ? 1 : 0);
  });

  it('that lacks an input is refused by its name', async () => {
    const { send } = await opened();
    const answer = await send('{}', {});
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("'body' has no 'number'");
  });

  it('without a secret in the environment starts nothing', async () => {
    const { engine, send } = await opened();
    delete process.env[SECRET];
    expect((await send('{}')).status).toBe(500);
    expect(await engine.runs()).toHaveLength(0);
  });
});
