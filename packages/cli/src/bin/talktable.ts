#!/usr/bin/env node
import { startTool } from '../frame/start.ts';

await startTool('talktable', () => import('../talktable/main.ts'));
