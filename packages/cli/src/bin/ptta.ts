#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { keepCompiled } from '../frame/start.ts';
import { runCompiled } from '../ptta/run-compiled.ts';

keepCompiled();
const file = fileURLToPath(new URL('../ptta.cjs', import.meta.url));
runCompiled(file, process.argv[2] ?? 'help', (name) => import(name));
