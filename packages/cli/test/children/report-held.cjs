'use strict';
// Loaded before a server: reports what it holds after a garbage collection, for each SIGUSR2.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  // The second collection frees objects that finalizers of the first released.
  collect();
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`held ${heapUsed + external}\n`);
  });
});
