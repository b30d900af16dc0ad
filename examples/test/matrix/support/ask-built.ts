import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/**
 * Starts a server that was built, and returns the answer of its route.
 *
 * @param args - Arguments of Node: the file and what it takes.
 * @param dictionary - The compiled dictionary.
 */
export async function askBuilt(
  folder: string,
  args: readonly string[],
  dictionary: string,
): Promise<unknown> {
  const port = await freePort();
  const server = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      HOSTNAME: '127.0.0.1',
      PORT: String(port),
      VIZPROMPT_DICTIONARY: dictionary,
    },
  });
  onTestFinished(() => void server.kill());
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text: Buffer) => {
      if (/Ready|Listening|react-router-serve/.test(text.toString())) resolve();
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const response = await fetch(`http://127.0.0.1:${port}/api/smoke`);
  return response.json();
}
