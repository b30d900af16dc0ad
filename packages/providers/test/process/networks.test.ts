import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nextMessage } from '../support/children.ts';
import { startPlainModel, startProxy, startTlsModel } from '../support/network-servers.ts';
import { selfSigned } from '../support/self-signed.ts';
import { temporaryFolder } from '../support/subjects.ts';

const CHILD = fileURLToPath(new URL('../children/ask-model.mjs', import.meta.url));
const certificate = selfSigned();

/** Asks a model in a process of its own, with nothing of the environment about networks but what is given. */
async function ask(
  baseURL: string,
  way: '' | 'agent' | 'fetch',
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const own = Object.entries(process.env).filter(([name]) => !/proxy|^NODE_/i.test(name));
  const child = fork(CHILD, [baseURL, way], {
    execArgv: [],
    env: { ...Object.fromEntries(own), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return nextMessage(child);
}

/** Returns the file of the certificate, for `NODE_EXTRA_CA_CERTS`. */
async function certificateFile(): Promise<string> {
  const { path: folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const file = path.join(folder, 'company.pem');
  await writeFile(file, certificate.cert);
  return file;
}

const GOOD = { text: 'はい' };

describe('a certificate that no authority knows', () => {
  it('is refused with a fix, and not tried again', async () => {
    const { port } = await startTlsModel(certificate);
    expect(await ask(`https://localhost:${port}/v1`, '')).toMatchObject({
      code: 'network',
      isRetryable: false,
      message: /certificate.*NODE_EXTRA_CA_CERTS/s,
    });
  });

  it('is taken by NODE_EXTRA_CA_CERTS', async () => {
    const { port } = await startTlsModel(certificate);
    const env = { NODE_EXTRA_CA_CERTS: await certificateFile() };
    expect(await ask(`https://localhost:${port}/v1`, '', env)).toEqual(GOOD);
  });
});

/** Node reads the variables of proxies itself from 22.21 and 24 on. */
const readsProxies = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
const WAYS = {
  'EnvHttpProxyAgent for the whole process': ['agent', {}],
  'a fetch of its own': ['fetch', {}],
  ...(readsProxies ? { NODE_USE_ENV_PROXY: ['', { NODE_USE_ENV_PROXY: '1' }] as const } : {}),
} as const;

describe.each(Object.entries(WAYS))('a proxy, by %s', (_, [way, more]) => {
  it('is asked for a tunnel, under TLS', async () => {
    const { port } = await startTlsModel(certificate);
    const proxy = await startProxy(port, 'me:secret');
    const env = {
      ...more,
      NODE_EXTRA_CA_CERTS: await certificateFile(),
      HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}`,
    };
    // The name is known to the proxy only; the certificate is for localhost.
    expect(await ask(`https://localhost:${port}/v1`, way, env)).toEqual(GOOD);
    expect(proxy.asked).toEqual([`localhost:${port}`]);
  });

  it('that refuses the password is an error that does not show it', async () => {
    const proxy = await startProxy(9, 'me:secret');
    const env = { ...more, HTTPS_PROXY: `http://me:wrong-password@127.0.0.1:${proxy.port}` };
    const failure = await ask('https://models.example/v1', way, env);
    expect(failure).toMatchObject({
      code: 'network',
      isRetryable: false,
      message: /proxy refuses the name and password.*HTTPS_PROXY/,
    });
    expect(JSON.stringify(failure)).not.toContain('wrong-password');
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it('is left out for the hosts of NO_PROXY', async () => {
    const { port } = await startPlainModel();
    const proxy = await startProxy(port);
    const env = {
      ...more,
      HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NO_PROXY: '127.0.0.1',
    };
    expect(await ask(`http://127.0.0.1:${port}/v1`, way, env)).toEqual(GOOD);
    expect(proxy.asked).toEqual([]);
  });
});
