/**
 * The names of declarations in `/openapi.json` that several operations have;
 * every other is called after its operation. Clients have no use for them, so
 * they are given apart from the declarations.
 *
 * @module
 */
import { globalRegistry } from "zod";
import { ProfileResponse, PublicRecordResponse } from "./answers/accounts.ts";
import { AssetResponse, QueriedAsset, TrashedAsset } from "./answers/assets.ts";
import { OverviewResponse, PersonResponse } from "./answers/operators.ts";
import { ContributionResponse } from "./answers/own_links.ts";
import { ReceiptResponse } from "./answers/receipts.ts";
import { SecondFactorResponse, TokenResponse } from "./answers/sessions.ts";
import { FinalizeResponse, UploadResponse } from "./answers/uploads.ts";
import { ManifestEnvelope, UploadRequest } from "./bodies/uploads.ts";

const NAMES = {
  AssetReceipt: ReceiptResponse,
  AssetResponse,
  ContributionResponse,
  FinalizeResponse,
  ManifestEnvelope,
  OperatorOverview: OverviewResponse,
  OperatorPerson: PersonResponse,
  ProfileResponse,
  PublicRecordResponse,
  QueriedAsset,
  SecondFactorChallenge: SecondFactorResponse,
  TokenResponse,
  TrashedAsset,
  UploadRequest,
  UploadResponse,
};

for (const [id, schema] of Object.entries(NAMES)) {
  globalRegistry.add(schema, { id });
}
