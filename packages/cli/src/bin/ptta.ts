#!/usr/bin/env node
import { keepCompiled } from '../frame/start.ts';

keepCompiled();
const { runTool } = await import('../frame/run-tool.ts');
const { ptta } = await import('../ptta/tool.ts');
await runTool(ptta);
