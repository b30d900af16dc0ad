#!/usr/bin/env node
import { startTool } from '../frame/start.ts';

await startTool('dialogoi', () => import('../dialogoi/main.ts'));
