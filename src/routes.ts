/**
 * Every operation of the server, in one array.
 *
 * @module
 */
// The names of declarations, for `/openapi.json`.
import "./wire/names.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import { albumRoutes } from "./features/albums/routes.ts";
import type { App } from "./features/app.ts";
import { assetRoutes } from "./features/assets/assets.ts";
import { manyRoutes } from "./features/assets/many.ts";
import { purgingRoutes } from "./features/assets/purging.ts";
import { trashRoutes } from "./features/assets/trash.ts";
import { capabilityRoutes } from "./features/capabilities/routes.ts";
import { deviceRoutes } from "./features/devices/routes.ts";
import { discoveryRoutes } from "./features/discovery/routes.ts";
import { lifecycleRoutes } from "./features/uploads/op_routes.ts";
import { federationRoutes } from "./features/federation/routes.ts";
import { logRoutes } from "./features/log/routes.ts";
import { lookupRoutes } from "./features/lookup/routes.ts";
import { guestRoutes } from "./features/guests/guest_routes.ts";
import { uploadLinkRoutes } from "./features/guests/routes.ts";
import { enrollmentRoutes } from "./features/enrollment/routes.ts";
import { escrowRoutes } from "./features/escrow/routes.ts";
import { membershipRoutes } from "./features/leaving_albums/routes.ts";
import { moderationRoutes } from "./features/moderation/record.ts";
import { operatorRoutes } from "./features/operators/routes.ts";
import { oidcRoutes } from "./features/oidc/routes.ts";
import { ownReceiptRoutes } from "./features/receipts/own.ts";
import { receiptRoutes } from "./features/receipts/receipts.ts";
import { removalRoutes } from "./features/account_deletion/routes.ts";
import { rosterRoutes } from "./features/rosters/routes.ts";
import { sessionRoutes } from "./features/sessions/routes.ts";
import { shareRoutes } from "./features/shares/routes.ts";
import { stateRoutes } from "./features/state/routes.ts";
import { syncRoutes } from "./features/sync/routes.ts";
import { totpRoutes } from "./features/totp/routes.ts";
import { upgradeRoutes } from "./features/album_upgrade/routes.ts";
import { uploadRoutes } from "./features/uploads/routes.ts";
import { verificationRoutes } from "./features/verification/routes.ts";
import { witnessRoutes } from "./features/witness/routes.ts";
import type { Route } from "./http/route.ts";

export const ROUTES: readonly Route<App>[] = [
  ...discoveryRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...removalRoutes,
  ...totpRoutes,
  ...oidcRoutes,
  ...deviceRoutes,
  ...enrollmentRoutes,
  ...escrowRoutes,
  ...albumRoutes,
  ...membershipRoutes,
  ...rosterRoutes,
  ...capabilityRoutes,
  ...lifecycleRoutes,
  ...upgradeRoutes,
  ...uploadRoutes,
  ...assetRoutes,
  ...manyRoutes,
  ...trashRoutes,
  ...purgingRoutes,
  ...receiptRoutes,
  ...ownReceiptRoutes,
  ...verificationRoutes,
  ...syncRoutes,
  ...stateRoutes,
  ...shareRoutes,
  ...uploadLinkRoutes,
  ...guestRoutes,
  ...lookupRoutes,
  ...federationRoutes,
  ...moderationRoutes,
  ...logRoutes,
  ...witnessRoutes,
  ...operatorRoutes,
];
