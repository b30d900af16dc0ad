import type { ApiRoute } from './define-route.ts';
import { EVENT_ROUTES } from './event-routes.ts';
import { FILE_ROUTES } from './file-routes.ts';
import { FINDING_ROUTES } from './finding-routes.ts';
import { SESSION_ROUTES } from './session-routes.ts';

/** All routes of the API. */
export const ROUTES: readonly ApiRoute[] = [
  ...SESSION_ROUTES,
  ...EVENT_ROUTES,
  ...FINDING_ROUTES,
  ...FILE_ROUTES,
];
