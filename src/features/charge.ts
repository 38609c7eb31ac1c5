/**
 * Spending a budget (protocol/transport.md#budgets).
 *
 * @module
 */
import type { BudgetName, Charge, KeyOf, Spent } from "./budgets.ts";
import type { Call } from "./call.ts";

type Charging = Pick<Call<never>, "app" | "now">;

/**
 * Spends one request of a budget, or `cost` of another unit. Answers undefined
 * where it was there to spend, else what the refusal tells:
 * `throw raise("error.user.rate_limited", spent)`.
 */
export function charge<B extends BudgetName>(
  { app, now }: Charging,
  budget: B,
  key: KeyOf<B>,
  cost = 1,
): Spent | undefined {
  return app.budgets.charge([[budget, key]], now, cost);
}

/** Spends one request of several budgets, or of none where one refuses. */
export function chargeEach(
  { app, now }: Charging,
  charges: readonly Charge[],
): Spent | undefined {
  return app.budgets.charge(charges, now);
}
