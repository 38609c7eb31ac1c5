import { FederatedReportResponse } from "../../wire/answers/discovery.ts";
import { FederatedReportRequest } from "../../wire/bodies/federation.ts";
import { route } from "../app.ts";
import { acceptReport } from "./reports.ts";

export const federationRoutes = [
  route({
    operation: "reportFromPeer",
    method: "POST",
    path: "/v1/federation/reports",
    summary: "Report an account of this server, signed by a pinned peer",
    credential: "none",
    body: { kind: "json", schema: FederatedReportRequest },
    success: { 202: { kind: "json", schema: FederatedReportResponse } },
    problems: [
      "error.federation.rate_limited",
      "error.federation.peer_unknown",
      "error.federation.report_unsigned",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 202,
    json: await acceptReport(call, body, request.clientAddress),
  })),
];
