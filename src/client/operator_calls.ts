/**
 * Calls of the operator's page (protocol/operators.md). Of anybody but an
 * operator they are refused as unknown paths.
 *
 * @module
 */
import * as z from "zod/mini";
import { askingOver } from "./asking.ts";
import { count, instant, uuid } from "./fields.ts";
import type { Transport } from "./transport.ts";

const overviewResponse = z.object({
  version: z.string(),
  server_id: z.string(),
  registration: z.string(),
  mail: z.boolean(),
  accounts: count,
  room: z.object({
    used_bytes: count,
    trash_bytes: count,
    database_bytes: count,
    free_bytes: count,
    reserved_bytes: count,
  }),
  growth: z.array(z.object({ month: z.string(), bytes: count })),
  backup: z.nullish(z.object({
    made_at: instant,
    damaged: count,
    blobs: z.nullish(count),
    bytes: z.nullish(count),
    is_old: z.boolean(),
  })),
  check: z.nullish(z.object({
    began_at: instant,
    ended_at: z.nullish(instant),
    done_bytes: count,
    total_bytes: count,
    lost: count,
  })),
  certificate: z.nullish(z.object({ ends_at: instant })),
  notices: z.array(z.object({
    target: z.string(),
    waiting: count,
    sent_at: z.nullish(instant),
    failing_since: z.nullish(instant),
    fault: z.nullish(z.string()),
  })),
  findings: z.array(z.object({
    check: z.string(),
    status: z.string(),
    detail: z.string(),
    mend: z.string(),
  })),
});
const personResponse = z.object({
  user_id: uuid,
  address: z.nullish(z.string()),
  display_name: z.nullish(z.string()),
  created_at: instant,
  last_used_at: z.nullish(instant),
  suspended_at: z.nullish(instant),
  is_deleting: z.boolean(),
  is_operator: z.boolean(),
  used_bytes: count,
  trash_bytes: count,
  quota_bytes: z.nullish(count),
  quota_is_default: z.boolean(),
  second_factor: z.enum(["none", "pending", "confirmed"]),
  has_password: z.boolean(),
  sessions: count,
});
const peopleResponse = z.object({
  people: z.array(personResponse),
  next: z.nullish(uuid),
});
const invitation = {
  invitation_id: uuid,
  expires_at: instant,
  quota_bytes: z.nullish(count),
};
const invitationsResponse = z.object({
  invitations: z.array(z.object(invitation)),
});
const inviteResponse = z.object({
  ...invitation,
  link: z.string(),
  mailed: z.boolean(),
});
const resetResponse = z.object({
  link: z.string(),
  expires_at: instant,
  mailed: z.boolean(),
});
const signedOutResponse = z.object({ closed_sessions: count });
const presentationResponse = z.object({ valid_until: instant });

export type Overview = z.infer<typeof overviewResponse>;
export type OperatedPerson = z.infer<typeof personResponse>;
export type OpenInvitation = z.infer<typeof invitationsResponse>["invitations"][
  number
];

/** What an operator can do, over a function that sends with the token. */
export function operatorCalls(send: Transport["send"]) {
  const { get, post, call, done } = askingOver(send);
  const of = (userId: string) => `/v1/operator/people/${userId}`;
  return {
    /** Presents password and code for ten minutes. */
    presentAsOperator: (password: string, code: string) =>
      post(
        "/v1/operator/presentation",
        { password, code },
        presentationResponse,
      ),
    operatorOverview: () => get("/v1/operator/overview", overviewResponse),
    /** All people, page by page. */
    async operatorPeople(): Promise<OperatedPerson[]> {
      const people: OperatedPerson[] = [];
      let after: string | undefined = "";
      while (after !== undefined) {
        const page: z.infer<typeof peopleResponse> = await get(
          `/v1/operator/people?after=${after}`,
          peopleResponse,
        );
        people.push(...page.people);
        after = page.next ?? undefined;
      }
      return people;
    },
    operatorInvitations: async () =>
      (await get("/v1/operator/invitations", invitationsResponse)).invitations,
    operatorInvite: (
      given: { readonly days: number; readonly mail_to?: string },
    ) => post("/v1/operator/invitations", given, inviteResponse),
    operatorUninvite: (id: string) =>
      done({ method: "DELETE", path: `/v1/operator/invitations/${id}` }),
    /** Bytes, null for no limit, or the quota for everybody. */
    operatorQuota: (userId: string, quota_bytes: number | null | "default") =>
      done({
        method: "PUT",
        path: `${of(userId)}/quota`,
        json: { quota_bytes },
      }),
    operatorSuspension: (
      userId: string,
      given: { readonly suspended: boolean; readonly reason?: string },
    ) => done({ method: "PUT", path: `${of(userId)}/suspension`, json: given }),
    operatorSignOut: async (userId: string) =>
      (await call(
        { method: "DELETE", path: `${of(userId)}/sessions` },
        signedOutResponse,
      )).closed_sessions,
    operatorReset: (userId: string, mail: boolean) =>
      post(`${of(userId)}/reset`, { mail }, resetResponse),
  };
}

export type OperatorCalls = ReturnType<typeof operatorCalls>;
