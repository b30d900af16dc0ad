#!/usr/bin/env node
import { startTool } from '../frame/start.ts';

await startTool('vizprompt', () => import('../vizprompt/main.ts'));
