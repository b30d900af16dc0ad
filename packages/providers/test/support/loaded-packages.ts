import { execFileSync } from 'node:child_process';

/** Returns the packages whose files an import loads, in a process of its own; those of this repository by their folder. */
export function loadedPackages(specifier: string, cwd: string): Set<string> {
  const names = loadedFiles(specifier, cwd).map(
    (url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? /packages\/([^/]+)/.exec(url)?.[1] ?? url,
  );
  return new Set(names);
}

/** Returns the addresses of the files that an import loads, in a process of its own. */
export function loadedFiles(specifier: string, cwd: string): readonly string[] {
  const script = `
    const { register } = await import('node:module');
    const loaded = [];
    const last = 'data:text/javascript,';
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (url) => {
      if (url !== last) return loaded.push(url);
      console.log(JSON.stringify(loaded));
      process.exit();
    });
    register('data:text/javascript,' + encodeURIComponent(\`
      let port;
      export function initialize(data) { port = data.port; }
      export async function load(url, context, next) { port.postMessage(url); return next(url, context); }
    \`), { data: { port: port2 }, transferList: [port2] });
    await import(process.argv[1]);
    await import(last);
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, specifier], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const urls: string[] = JSON.parse(output);
  return urls.filter((url) => !url.startsWith('node:'));
}
