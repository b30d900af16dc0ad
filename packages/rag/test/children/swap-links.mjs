// Makes a folder and a file turn into links that lead out, and back, as fast as it can:
// `swap-links.mjs FOLDER LINKS`, until it is killed.
import { renameSync, rmSync } from 'node:fs';

const [, , folder, links] = process.argv;
process.send('swapping');
for (;;) {
  for (const name of ['sub', 'a.md']) {
    replace(`${folder}/${name}`, `${links}/kept-${name}`);
    replace(`${links}/link-${name}`, `${folder}/${name}`);
    replace(`${folder}/${name}`, `${links}/link-${name}`);
    replace(`${links}/kept-${name}`, `${folder}/${name}`);
  }
}

/** Files in the way, which others made meanwhile, are removed. */
function replace(from, to) {
  for (;;) {
    try {
      return renameSync(from, to);
    } catch {
      // A file may come to be in a folder while it is being deleted.
      rmSync(to, { recursive: true, force: true, maxRetries: 20 });
    }
  }
}
