#!/usr/bin/env node
import { startTool } from '../frame/start.ts';

void startTool('dialogoi', () => import('../dialogoi/main.ts'));
