import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Returns a client without a library, which connects, says something, and never reads again. */
export async function stalledClient(url: string, messages: readonly object[]): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await once(socket, 'readable');
  if (!String(socket.read(12)).endsWith('101')) throw new Error('it was not let in');
  for (const message of messages) socket.write(frameOf(JSON.stringify(message)));
  return socket;
}

/** Returns a text as a frame of a client: RFC 6455, section 5.2. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length > 125) throw new Error('the message is too long for a short frame');
  const mask = randomBytes(4);
  const masked = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.of(0x81, 0x80 | payload.length), mask, masked]);
}
