import {
  StorageVerifyResponse,
  UsageResponse,
} from "../../wire/answers/assets.ts";
import { StorageVerifyRequest } from "../../wire/bodies/assets.ts";
import { route } from "../app.ts";
import { usageOf } from "./usage.ts";
import { verifyStorage } from "./verify.ts";

export const verificationRoutes = [
  route({
    operation: "verifyStorage",
    method: "POST",
    path: "/v1/storage/verify",
    summary: "Whether blobs are stored, indexed, retrievable and intact",
    credential: "session",
    // A read, whatever its method.
    suspended: "allowed",
    givenPassword: "allowed",
    body: { kind: "json", schema: StorageVerifyRequest },
    success: { 200: { kind: "json", schema: StorageVerifyResponse } },
    problems: [],
  }).by(async ({ app, caller, body }) => ({
    status: 200,
    json: await verifyStorage(app, caller.userId, body),
  })),

  route({
    operation: "readUsage",
    method: "GET",
    path: "/v1/storage/usage",
    summary: "What the caller's storage comes to",
    credential: "session",
    success: { 200: { kind: "json", schema: UsageResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await usageOf(app, caller.userId),
  })),
];
