#!/usr/bin/env node
import { startTool } from '../frame/start.ts';

void startTool('vizprompt', () => import('../vizprompt/main.ts'));
