#!/usr/bin/env node
import { keepCompiled } from '../frame/start.ts';

keepCompiled();
const { runTool } = await import('../frame/run-tool.ts');
const { talktable } = await import('../talktable/tool.ts');
await runTool(talktable);
