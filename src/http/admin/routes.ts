import type { Route } from '../openapi/operation.ts';
import { BILLING_ROUTES } from './billing.ts';
import { EVALUATION_ROUTES } from './evaluations.ts';
import { IMPORT_ROUTES } from './graph/imports.ts';
import { KEY_ROUTES } from './keys.ts';
import { LOG_ROUTES } from './logs.ts';
import { MACHINE_ROUTES } from './machine.ts';
import { RECORD_ROUTES } from './graph/records.ts';
import { PEOPLE_ROUTES } from './graph/people.ts';
import type { AdminDeps, AdminRoute } from './route.ts';

const ALL: AdminRoute[] = [
  ...KEY_ROUTES,
  ...BILLING_ROUTES,
  ...LOG_ROUTES,
  ...MACHINE_ROUTES,
  ...PEOPLE_ROUTES,
  ...RECORD_ROUTES,
  ...IMPORT_ROUTES,
  ...EVALUATION_ROUTES,
];

/** Every administrative route with its declaration. */
export const adminRoutes = (deps: AdminDeps): Route[] => ALL.map((route) => route(deps));
