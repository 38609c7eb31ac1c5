import type { InvitationId, UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  InvitationsResponse,
  InviteResponse,
  OverviewResponse,
  PeopleResponse,
  PresentationResponse,
  SignedOutResponse,
} from "../../wire/answers/operators.ts";
import {
  InviteRequest,
  PresentationRequest,
  QuotaRequest,
  SuspensionRequest,
} from "../../wire/bodies/operators.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import {
  changeQuota,
  changeSuspension,
  makeInvitation,
  present,
  readInvitations,
  readOverview,
  readPeople,
  requirePresented,
  signOutPerson,
  takeBackInvitation,
} from "./operators.ts";

const OPERATOR = { credential: "session", forOperators: true } as const;
const RECENT = ["error.auth.reauthentication_required"] as const;
const PERSON = { user_id: uuidParameter<UserId>("Account") } as const;

export const operatorRoutes = [
  route({
    ...OPERATOR,
    operation: "presentAsOperator",
    method: "POST",
    path: "/v1/operator/presentation",
    summary: "Present the password and a code, for ten minutes",
    body: { kind: "json", schema: PresentationRequest },
    success: { 200: { kind: "json", schema: PresentationResponse } },
    problems: [
      "error.auth.password_incorrect",
      "error.auth.account_locked",
      "error.auth.unavailable",
      "error.auth.second_factor_code_refused",
      "error.auth.second_factor_attempts_exhausted",
      "error.auth.second_factor_not_confirmed",
    ],
  }).by(async ({ body, request, ...call }) => ({
    status: 200,
    json: {
      valid_until: toRfc3339(
        await present(call, { ...body, clientAddress: request.clientAddress }),
      ),
    },
  })),

  route({
    ...OPERATOR,
    operation: "operatorOverview",
    method: "GET",
    path: "/v1/operator/overview",
    summary: "How the server does",
    success: { 200: { kind: "json", schema: OverviewResponse } },
    problems: RECENT,
  }).by(async (call) => {
    await requirePresented(call);
    return { status: 200, json: await readOverview(call) };
  }),

  route({
    ...OPERATOR,
    operation: "operatorPeople",
    method: "GET",
    path: "/v1/operator/people",
    summary: "The accounts, in the order of their ids",
    query: {
      after: {
        parse: (given: string): string | undefined => given,
        schema: { type: "string" },
        description: "The user id that the page before ended with",
        absent: { value: "" },
      },
    },
    success: { 200: { kind: "json", schema: PeopleResponse } },
    problems: RECENT,
  }).by(async ({ query, ...call }) => {
    await requirePresented(call);
    return { status: 200, json: await readPeople(call, query.after) };
  }),

  route({
    ...OPERATOR,
    operation: "operatorInvitations",
    method: "GET",
    path: "/v1/operator/invitations",
    summary: "Unused invitations",
    success: { 200: { kind: "json", schema: InvitationsResponse } },
    problems: RECENT,
  }).by(async (call) => {
    await requirePresented(call);
    return { status: 200, json: await readInvitations(call) };
  }),

  route({
    ...OPERATOR,
    operation: "operatorInvite",
    method: "POST",
    path: "/v1/operator/invitations",
    summary: "Make an invitation; its link is told this once",
    body: { kind: "json", schema: InviteRequest },
    success: { 200: { kind: "json", schema: InviteResponse } },
    problems: RECENT,
  }).by(async ({ body, ...call }) => {
    await requirePresented(call);
    return {
      status: 200,
      json: await makeInvitation(call, {
        days: body.days,
        quotaBytes: body.quota_bytes,
        mailTo: body.mail_to,
      }),
    };
  }),

  route({
    ...OPERATOR,
    operation: "operatorUninvite",
    method: "DELETE",
    path: "/v1/operator/invitations/{invitation_id}",
    summary: "Take an invitation back",
    params: { invitation_id: uuidParameter<InvitationId>("Invitation") },
    success: { 204: { kind: "empty" } },
    problems: RECENT,
  }).by(async ({ params, ...call }) => {
    await requirePresented(call);
    await takeBackInvitation(call, params.invitation_id);
    return { status: 204 };
  }),

  route({
    ...OPERATOR,
    operation: "operatorQuota",
    method: "PUT",
    path: "/v1/operator/people/{user_id}/quota",
    summary: "How much a person may store",
    params: PERSON,
    body: { kind: "json", schema: QuotaRequest },
    success: { 204: { kind: "empty" } },
    problems: [...RECENT, "error.user.not_found"],
  }).by(async ({ params, body, ...call }) => {
    await requirePresented(call);
    const quota = body.quota_bytes ?? "none";
    await changeQuota(call, params.user_id, quota);
    return { status: 204 };
  }),

  route({
    ...OPERATOR,
    operation: "operatorSuspension",
    method: "PUT",
    path: "/v1/operator/people/{user_id}/suspension",
    summary: "Suspend a person, or end it",
    params: PERSON,
    body: { kind: "json", schema: SuspensionRequest },
    success: { 204: { kind: "empty" } },
    problems: [...RECENT, "error.user.not_found"],
  }).by(async ({ params, body, ...call }) => {
    await requirePresented(call);
    await changeSuspension(call, params.user_id, {
      suspended: body.suspended,
      reason: body.reason,
    });
    return { status: 204 };
  }),

  route({
    ...OPERATOR,
    operation: "operatorSignOut",
    method: "DELETE",
    path: "/v1/operator/people/{user_id}/sessions",
    summary: "Close every session of a person",
    params: PERSON,
    success: { 200: { kind: "json", schema: SignedOutResponse } },
    problems: [...RECENT, "error.user.not_found"],
  }).by(async ({ params, ...call }) => {
    await requirePresented(call);
    return {
      status: 200,
      json: { closed_sessions: await signOutPerson(call, params.user_id) },
    };
  }),
];
