/**
 * Calls of the operator's page (protocol/operators.md). Of anybody but an
 * operator they are refused as unknown paths.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  Finding,
  InvitationsResponse,
  InviteResponse,
  type OperatedPerson,
  OverviewResponse,
  PeopleResponse,
  PresentationResponse,
  SignedOutResponse,
} from "../../wire/answers/operators.ts";
import type {
  InviteRequest,
  PresentationRequest,
  QuotaRequest,
  SuspensionRequest,
} from "../../wire/bodies/operators.ts";
import { text } from "../../wire/fields.ts";
import { open, type Sent } from "../../wire/open.ts";
import { askingOver } from "./asking.ts";
import type { Transport } from "./transport.ts";

/** A newer server may have more words for how people join, and for findings. */
const overview = open(z.extend(OverviewResponse, {
  registration: text,
  findings: z.array(z.extend(Finding, { status: text })),
}));
const people = open(PeopleResponse);

export type Overview = z.infer<typeof overview>;

/** What an operator can do, over a function that sends with the token. */
export function operatorCalls(send: Transport["send"]) {
  const { get, post, call, done } = askingOver(send);
  const of = (userId: string) => `/v1/operator/people/${userId}`;
  return {
    /** Presents password and code for ten minutes. */
    presentAsOperator: (password: string, code: string) =>
      post(
        "/v1/operator/presentation",
        { password, code } satisfies Sent<typeof PresentationRequest>,
        open(PresentationResponse),
      ),
    operatorOverview: () => get("/v1/operator/overview", overview),
    /** All people, page by page. */
    async operatorPeople(): Promise<OperatedPerson[]> {
      const found: OperatedPerson[] = [];
      let after: string | undefined = "";
      while (after !== undefined) {
        const page: z.infer<typeof people> = await get(
          `/v1/operator/people?after=${after}`,
          people,
        );
        found.push(...page.people);
        after = page.next ?? undefined;
      }
      return found;
    },
    operatorInvitations: async () =>
      (await get("/v1/operator/invitations", open(InvitationsResponse)))
        .invitations,
    operatorInvite: (given: Sent<typeof InviteRequest>) =>
      post("/v1/operator/invitations", given, open(InviteResponse)),
    operatorUninvite: (id: string) =>
      done({ method: "DELETE", path: `/v1/operator/invitations/${id}` }),
    /** Bytes, null for no limit, or the quota for everybody. */
    operatorQuota: (userId: string, quota_bytes: number | null | "default") =>
      done({
        method: "PUT",
        path: `${of(userId)}/quota`,
        json: { quota_bytes } satisfies Sent<typeof QuotaRequest>,
      }),
    operatorSuspension: (
      userId: string,
      given: Sent<typeof SuspensionRequest>,
    ) => done({ method: "PUT", path: `${of(userId)}/suspension`, json: given }),
    operatorSignOut: async (userId: string) =>
      (await call(
        { method: "DELETE", path: `${of(userId)}/sessions` },
        open(SignedOutResponse),
      )).closed_sessions,
  };
}

export type {
  OpenInvitation,
  OperatedPerson,
} from "../../wire/answers/operators.ts";
