/**
 * Budgets of requests (protocol/transport.md#budgets): what each is called, how
 * much of it there is in which time, and whose it is.
 *
 * @module
 */
import { chargeAll, Limiter } from "../core/limiter.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";

interface Kind {
  /** The setting that says how much there is, or how much that is. */
  readonly limit: string | number;
  readonly windowMs: number;
  /** What makes up the key, in its order. */
  readonly per: readonly string[];
  /** Nothing may cost more than a whole window has, not the first either. */
  readonly whole?: true;
  /** Spent by signing in through an identity provider alone. */
  readonly ofOidc?: true;
}

/** Every budget, by the name that the metrics have for it. */
const BUDGETS = {
  enroll_redeem: {
    limit: "STRONGROOM_LIMIT_ENROLL_REDEEM",
    windowMs: MINUTE_MS,
    per: ["client address"],
  },
  invitation_redeem: {
    limit: 10,
    windowMs: MINUTE_MS,
    per: ["client address"],
  },
  capability_refresh: {
    limit: "STRONGROOM_LIMIT_CAPABILITY_REFRESH",
    windowMs: MINUTE_MS,
    per: ["grant"],
  },
  capability_renew: {
    limit: 60,
    windowMs: MINUTE_MS,
    per: ["client address"],
  },
  report_intake: {
    limit: "STRONGROOM_LIMIT_REPORT_INTAKE",
    windowMs: MINUTE_MS,
    per: ["client address", "claimed origin"],
  },
  report_account: {
    limit: "STRONGROOM_LIMIT_REPORT_ACCOUNT",
    windowMs: DAY_MS,
    per: ["peer", "account"],
  },
  report_peer: {
    limit: "STRONGROOM_LIMIT_REPORT_PEER",
    windowMs: DAY_MS,
    per: ["peer"],
  },
  lookup: {
    limit: "STRONGROOM_LIMIT_LOOKUP",
    windowMs: MINUTE_MS,
    per: ["account or peer"],
  },
  asset_query: { limit: 120, windowMs: MINUTE_MS, per: ["account or grant"] },
  asset_blobs: { limit: 600, windowMs: MINUTE_MS, per: ["account or grant"] },
  /** Counts bytes. */
  deep_verify: {
    limit: "STRONGROOM_LIMIT_DEEP_VERIFY_BYTES",
    windowMs: HOUR_MS,
    per: ["account"],
  },
  /** Counts hashes that are written. */
  share_hashes: { limit: 200_000, windowMs: MINUTE_MS, per: ["account"] },
  contributions: { limit: 120, windowMs: MINUTE_MS, per: ["account"] },
  guest_create: {
    limit: "STRONGROOM_LIMIT_GUEST_CREATE",
    windowMs: MINUTE_MS,
    per: ["upload link", "client address"],
  },
  guest_other: {
    limit: 6_000,
    windowMs: MINUTE_MS,
    per: ["upload link", "client address"],
  },
  share_metadata: {
    limit: "STRONGROOM_LIMIT_SHARE_METADATA",
    windowMs: MINUTE_MS,
    per: ["share link", "client address"],
  },
  /** Counts blobs. */
  share_blob: {
    limit: "STRONGROOM_LIMIT_SHARE_BLOB",
    windowMs: MINUTE_MS,
    per: ["share link", "client address"],
    whole: true,
  },
  share_secret: {
    limit: "STRONGROOM_LIMIT_SHARE_SECRET",
    windowMs: MINUTE_MS,
    per: ["share link", "client address"],
  },
  share_secret_per_link: {
    limit: 1_000,
    windowMs: HOUR_MS,
    per: ["share link"],
  },
  oidc_authorize: {
    limit: "STRONGROOM_LIMIT_OIDC_AUTHORIZE",
    windowMs: MINUTE_MS,
    per: ["host of the redirect"],
    ofOidc: true,
  },
  witness: {
    limit: 60,
    windowMs: MINUTE_MS,
    per: ["client address", "origin of the log"],
  },
  /** One bucket for the whole server. */
  oidc_authorize_refused: {
    limit: "STRONGROOM_LIMIT_OIDC_AUTHORIZE",
    windowMs: MINUTE_MS,
    per: [],
    ofOidc: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

type Table = typeof BUDGETS;
export type BudgetName = keyof Table;

/** How much there is of the budgets that an operator sets. */
type Settings = {
  readonly [S in Extract<Table[BudgetName]["limit"], string>]: number;
};

type Texts<P extends readonly string[]> = { readonly [I in keyof P]: string };

/** Whose part of a budget is spent: a text for each name in its `per`. */
export type KeyOf<B extends BudgetName> = Texts<Table[B]["per"]>;

/** A budget, and whose part of it is spent. */
export type Charge = {
  [B in BudgetName]: readonly [budget: B, key: KeyOf<B>];
}[BudgetName];

/** When a key may come again: what a problem of code 429 says. */
export interface Spent {
  readonly retryAfterSeconds: number;
  /** The same as an instant (Unix seconds), rounded up. */
  readonly retryAtSeconds: number;
}

/** All budgets of a server, with what is spent of them. */
export class Budgets {
  readonly #limiters = new Map<string, Limiter>();

  constructor(settings: Settings, { hasOidc }: { readonly hasOidc: boolean }) {
    for (const [name, kind] of Object.entries<Table[BudgetName]>(BUDGETS)) {
      if ("ofOidc" in kind && !hasOidc) continue;
      const { limit, windowMs } = kind;
      this.#limiters.set(
        name,
        new Limiter({
          limit: typeof limit === "number" ? limit : settings[limit],
          windowMs,
          whole: "whole" in kind,
        }),
      );
    }
  }

  /** Spends `cost` of several budgets, or of none of them where one refuses. */
  charge(
    charges: readonly (readonly [budget: BudgetName, key: readonly string[]])[],
    now: number,
    cost = 1,
  ): Spent | undefined {
    const refusal = chargeAll(
      charges.map(([name, key]) => [this.#of(name), key.join(" ")] as const),
      now,
      cost,
    );
    return refusal && {
      retryAfterSeconds: (refusal.retryAt - now) / SECOND_MS,
      retryAtSeconds: Math.ceil(refusal.retryAt / SECOND_MS),
    };
  }

  /** Charges that were refused so far, by the name of their budget. */
  refusals(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#limiters].map(([name, { refused }]) => [name, refused]),
    );
  }

  /** Keys of a budget that are counted now. */
  keysOf(name: BudgetName): number {
    return this.#of(name).size;
  }

  #of(name: string): Limiter {
    const limiter = this.#limiters.get(name);
    if (limiter === undefined) throw new Error(`no budget ${name}`);
    return limiter;
  }
}
