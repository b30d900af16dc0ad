#!/usr/bin/env node
import { startTool } from '../frame/start.ts';

void startTool('talktable', () => import('../talktable/main.ts'));
