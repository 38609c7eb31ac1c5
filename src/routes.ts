/**
 * Every operation of the server, in one array.
 *
 * @module
 */
import { accountRoutes } from "./features/accounts/routes.ts";
import { albumRoutes } from "./features/albums/routes.ts";
import type { App } from "./features/app.ts";
import { assetRoutes } from "./features/assets/assets.ts";
import { deviceRoutes } from "./features/devices/routes.ts";
import { discoveryRoutes } from "./features/discovery/routes.ts";
import { enrollmentRoutes } from "./features/enrollment/routes.ts";
import { escrowRoutes } from "./features/escrow/routes.ts";
import { oidcRoutes } from "./features/oidc/routes.ts";
import { receiptRoutes } from "./features/receipts/receipts.ts";
import { sessionRoutes } from "./features/sessions/routes.ts";
import { shareRoutes } from "./features/shares/routes.ts";
import { totpRoutes } from "./features/totp/routes.ts";
import { uploadRoutes } from "./features/uploads/routes.ts";
import type { Route } from "./http/route.ts";

export const ROUTES: readonly Route<App>[] = [
  ...discoveryRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...totpRoutes,
  ...oidcRoutes,
  ...deviceRoutes,
  ...enrollmentRoutes,
  ...escrowRoutes,
  ...albumRoutes,
  ...uploadRoutes,
  ...assetRoutes,
  ...receiptRoutes,
  ...shareRoutes,
];
