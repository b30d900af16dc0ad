// Adds up the results of several runs, as vitest's JSON reporter writes them, and prints one line:
// node scripts/sum-test-results.mjs FILE...
import { readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += results.numPassedTests;
  sum.failed += results.numFailedTests;
  sum.skipped += results.numPendingTests + results.numTodoTests;
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
if (sum.passed === 0 || sum.failed > 0) process.exitCode = 1;
