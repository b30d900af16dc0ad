'use strict';
// Loaded before a server: says what it holds after its garbage is collected, each time SIGUSR2 asks.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  // What finalizers of the first release, the second collects.
  collect();
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`held ${heapUsed + external}\n`);
  });
});
