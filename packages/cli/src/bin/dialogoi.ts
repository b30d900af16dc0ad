#!/usr/bin/env node
import { keepCompiled } from '../frame/start.ts';

keepCompiled();
await import('../dialogoi/main.ts');
