import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** A registry that has the packages of this repository as they would be published, and passes on what others ask. */
export interface PackedRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/** Packs all packages into a folder, and serves them on this machine. */
export async function startPackedRegistry(folder: string): Promise<PackedRegistry> {
  const pack = ['pack', '--workspaces', '--ignore-scripts', '--pack-destination', folder];
  await run('npm', pack, { cwd: repository });
  const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: repository })).trim();
  const documents = new Map<string, object>();
  const server = createServer((request, response) => {
    answer(decodeURIComponent(request.url ?? '/').slice(1), response).catch(() => {
      response.writeHead(502).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  for (const tarball of tarballs) {
    const document = await describePackage(folder, tarball, url);
    documents.set(document.name, document);
  }

  async function answer(path: string, response: ServerResponse): Promise<void> {
    if (path.startsWith('tarballs/')) {
      response.end(await readFile(join(folder, path.slice('tarballs/'.length))));
      return;
    }
    const own = documents.get(path);
    if (own) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(own));
      return;
    }
    // Tarballs, too: npm requests them from its own registry, whatever address it receives.
    const separator = path.startsWith('@') && !path.includes('/-/') ? '%2f' : '/';
    const reply = await fetch(new URL(path.replace('/', separator), upstream));
    response.statusCode = reply.status;
    response.setHeader('content-type', reply.headers.get('content-type') ?? 'application/json');
    response.end(Buffer.from(await reply.arrayBuffer()));
  }

  return { url, close: () => closeServer(server) };
}

/** Describes a package with its one version, as registries do. */
async function describePackage(
  folder: string,
  tarball: string,
  url: string,
): Promise<{ readonly name: string }> {
  const text = await run('tar', ['-xzOf', join(folder, tarball), 'package/package.json'], {
    cwd: folder,
  });
  const manifest: { readonly name: string; readonly version: string } = JSON.parse(text);
  const { name, version } = manifest;
  const bytes = await readFile(join(folder, tarball));
  const dist = {
    tarball: `${url}/tarballs/${tarball}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  };
  const versions = { [version]: { ...manifest, dist } };
  const document = { name, 'dist-tags': { latest: version }, versions };
  return document;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
