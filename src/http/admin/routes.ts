import type { Route } from '../openapi/operation.ts';
import { BILLING_ROUTES } from './billing.ts';
import { KEY_ROUTES } from './keys.ts';
import type { AdminDeps, AdminRoute } from './route.ts';

const ALL: AdminRoute[] = [...KEY_ROUTES, ...BILLING_ROUTES];

/** Every administrative route with its declaration. */
export const adminRoutes = (deps: AdminDeps): Route[] => ALL.map((route) => route(deps));
