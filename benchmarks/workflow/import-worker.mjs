// How long the import of a package takes, in a process of its own.
//   node import-worker.mjs NAME
const [, , name] = process.argv;
const start = performance.now();
await import(name);
console.log(JSON.stringify({ ms: performance.now() - start }));
process.exit();
