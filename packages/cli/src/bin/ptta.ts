#!/usr/bin/env node
import { quickHook } from '../ptta/quick-hook.ts';

// Agents wait for their hooks: most only write down what they are given, without loading the rest.
if (!quickHook(process.argv.slice(2))) void import('../ptta/start.ts');
